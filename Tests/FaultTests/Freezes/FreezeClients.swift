import AuthAPI
import InternalAPI
import ServiceKit
import StrictJSON
import TestSupport

/// Rotates its session's token as fast as it can; each rotation has one key, or none.
struct Rotator: FreezeClient {
    let phone: TestPhone
    let session: HeldSession

    func live(until isOver: Flag) async throws -> FreezeOutcome {
        var session = session
        let kind = session.rotationKey == nil ? "without a key" : "with keys"
        var isLast = false
        while !isLast {
            // Once more after all is ready again.
            isLast = isOver.isSet
            guard try await phone.refresh(&session) else {
                return FreezeOutcome(
                    living: [session.id], findings: ["session \(session.id), \(kind), does not refresh any more"])
            }
        }
        let called: Bool? = try await untilAnswered {
            let outcome = await phone.call(session)
            return outcome == .unknown ? nil : outcome.isSuccess
        }
        let findings = called == true ? [] : ["the access token of \(session.id), \(kind), is refused"]
        return FreezeOutcome(living: [session.id], findings: findings)
    }
}

/// Signs in with new numbers, and signs out or deletes the account.
struct Guest: FreezeClient {
    let phone: TestPhone
    /// Else it signs out.
    let deletes: Bool

    func live(until isOver: Flag) async throws -> FreezeOutcome {
        var outcome = FreezeOutcome()
        var turn = 0
        while !isOver.isSet {
            let number = LatchkeyStack.freshPhone()
            switch try await phone.signIn(as: number) {
            case .withoutCode: continue
            case .refused: outcome.findings.append("the right code with its key was refused, or not answered at all")
            case .signedIn(let session, _):
                turn += 1
                outcome +=
                    deletes
                    ? try await delete(session, of: number)
                    : try await logOut(session, insists: turn.isMultiple(of: 2))
            }
        }
        return outcome
    }

    /// - Parameter insists: asks until it is told; else it goes on with the session if it has not ended.
    private func logOut(_ session: HeldSession, insists: Bool) async throws -> FreezeOutcome {
        if insists {
            let isTold = try await phone.logOut(session)
            return FreezeOutcome(findings: isTold ? [] : ["a repeat did not complete the logout of \(session.id)"])
        }
        guard await phone.askToLogOut(session) == .unknown else { return FreezeOutcome() }
        var session = session
        guard try await phone.refresh(&session) else { return FreezeOutcome() }
        return FreezeOutcome(living: [session.id], kept: [session])
    }

    /// Asks until it is told, or until the token that asks is refused for it, and comes back.
    private func delete(_ session: HeldSession, of number: String) async throws -> FreezeOutcome {
        var tries = 0
        let answer: Outcome? = try await untilAnswered {
            tries += 1
            let outcome = await phone.askToDelete(session)
            return outcome == .unknown ? nil : outcome
        }
        let isDone = answer == .accepted || (answer == .refused && tries > 1)
        var findings = isDone ? [] : ["the deletion of \(session.user) came to \(String(describing: answer))"]
        var session = session
        if try await phone.refresh(&session) { findings.append("session \(session.id) outlived its user") }
        if case .signedIn(_, restored: false) = try await phone.signIn(as: number) {
            findings.append("\(session.user) signed in after the deletion, and there was nothing to restore")
        }
        return FreezeOutcome(findings: findings)
    }
}

/// Is given one role after the other, each until that is acknowledged, and looks whether its next tokens bear it.
struct Official: FreezeClient {
    private static let roles = ["admin", "guest"]

    let phone: TestPhone
    let stack: LatchkeyStack
    let gateway: TestHTTPClient
    let session: HeldSession

    func live(until isOver: Flag) async throws -> FreezeOutcome {
        var session = session
        var findings: [String] = []
        var turn = 0
        while !isOver.isSet {
            let role = Self.roles[turn % Self.roles.count]
            turn += 1
            guard try await isGiven(role) else {
                findings.append("a repeat did not complete the change to \(role)")
                continue
            }
            guard try await phone.refresh(&session) else {
                findings.append("session \(session.id) of \(role) does not refresh any more")
                break
            }
            let seen = try await seenRole(session)
            if seen != role { findings.append("the first tokens after the change to \(role) say \(seen ?? "nothing")") }
        }
        return FreezeOutcome(living: [session.id], findings: findings)
    }

    private func isGiven(_ role: String) async throws -> Bool {
        let request = ChangeUserRequest(userID: session.user, role: role, isActive: nil)
        return try await untilAnswered {
            do {
                let answer = try await ServiceCaller(stack: stack, caller: .control)
                    .post("user", UserOperations.change.path, request)
                // 401 bears no proof: the call came to a service that had slept for longer than its caller waits.
                return [401, 503].contains(answer.status) ? nil : answer.status == 200
            } catch is CancellationError { throw CancellationError() } catch { return nil }
        } ?? false
    }

    private func seenRole(_ session: HeldSession) async throws -> String? {
        try await untilAnswered {
            do {
                let answer = try await gateway.get("/api/hello", bearer: session.accessToken)
                return answer.status == 200 ? try answer.json["role"]?.stringValue ?? "none" : nil
            } catch is CancellationError { throw CancellationError() } catch { return nil }
        }
    }
}
