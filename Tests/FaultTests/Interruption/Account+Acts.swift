import InternalAPI
import TestSupport

/// Interrupted changes of an account's identities, by its user.
extension Account {
    /// One request of the user, the same each time.
    ///
    /// - Parameters:
    ///   - changes: those of the records, where the account is called `user`.
    ///   - accounts: ids of other accounts by their names.
    func act(
        _ changes: [String: Int], _ path: String, _ body: some Encodable & Sendable, accounts: [String: String] = [:],
        identities: [String: String] = [:], ends: [TokenSet] = []
    ) -> InterruptedAct {
        InterruptedAct(
            changes: changes, records: { try records(accounts, identities) },
            perform: { try await post(path, body, to: $0) },
            gain: {
                let answer = try $0.decoded(AccountAnswer.self)
                return "\(answer.result), ends: \(answer.endsOwnSession ?? false)"
            }, ends: ends)
    }

    func records(_ accounts: [String: String] = [:], _ identities: [String: String] = [:]) throws -> [String: Int] {
        try DatabaseCheck(of: stack)
            .records(ofAccounts: accounts.merging(["user": id]) { $1 }, identities: identities)
    }

    /// Identities that do not sign in to the account, and others that do.
    func findings(
        _ own: [VerifiedIdentity], _ lost: [VerifiedIdentity], at service: TestHTTPClient
    ) async throws -> [String] {
        var findings: [String] = []
        for identity in own where try await !isReached(by: identity, at: service) {
            findings.append("\(identity.kind) does not sign in")
        }
        for identity in lost where try await isReached(by: identity, at: service) {
            findings.append("\(identity.kind) signs in, although it was lost")
        }
        return findings
    }

    func adding(
        _ new: VerifiedIdentity, _ twin: ProcessTwin.Running, _ changes: [String: Int] = [:]
    ) async throws -> InterruptedAct {
        let request = AddIdentityRequest(
            proof: try await Self.proof(of: new, for: id, stack, twin.service), callID: CallID.random())
        let always = [
            "user identities": 1, "new at user": 1, "user resolutions": 1, "user answers": 1, "user links": 1,
            "user decisions": 1, "user identity.added": 1,
        ]
        var act = act(
            always.merging(changes) { $1 }, IdentityOperations.addOwn.path, request, identities: ["new": new.value])
        act.aftermath = { try await findings([identity, new], [], at: $0) }
        return act
    }

    func replacing(
        with new: VerifiedIdentity, _ twin: ProcessTwin.Running, links: Int = 1
    ) async throws -> InterruptedAct {
        let request = AddIdentityRequest(
            proof: try await Self.proof(of: new, for: id, stack, twin.service), callID: CallID.random())
        var act = act(
            [
                "user resolutions": 1, "user answers": 1, "user links": links, "user decisions": 2, "user epochs": 1,
                "user versions": 1, "old at user": -1, "new at user": 1, "user identity.replaced": 1,
            ], IdentityOperations.addOwn.path, request, identities: ["old": identity.value, "new": new.value],
            ends: [session])
        act.aftermath = { try await findings([new], [identity], at: $0) }
        return act
    }

    func removing(
        _ old: VerifiedIdentity, keeping other: VerifiedIdentity, _ twin: ProcessTwin.Running
    ) async throws -> InterruptedAct {
        let listed = try await send("GET", IdentityOperations.listOwn.path, [], to: twin.service)
        let found = try listed.decoded(OwnIdentities.self).identities.first { $0.kind == old.kind }
        let request = RemoveIdentityRequest(id: found?.id ?? "none", callID: CallID.random())
        var act = act(
            [
                "user identities": -1, "user answers": 1, "user links": 1, "user decisions": 1, "user epochs": 1,
                "user versions": 1, "old at user": -1, "user identity.removed": 1,
            ], IdentityOperations.removeOwn.path, request, identities: ["old": old.value], ends: [session])
        act.aftermath = { try await findings([other], [old], at: $0) }
        return act
    }

    /// Makes the account's pending change due, and returns once a job has carried it out.
    ///
    /// - Parameter process: runs the job at first; once it has ended, another process does.
    func pendingDone(at service: TestHTTPClient, unlessEnded process: Int32) async throws -> HTTPAnswer {
        try await stack.endDelay(ofPendingNumberOf: id)
        let isFirst = !Tracer.hasEnded(process)
        try await eventually("the pending change was carried out") {
            if isFirst, Tracer.hasEnded(process) { throw CancellationError() }
            return try records()["user pending"] == nil
        }
        return try await ServiceCaller(stack: stack, caller: .control, client: service)
            .send("GET", "user", UserOperations.count.path)
    }

    func setPassword(at service: TestHTTPClient) async throws {
        let request = SetPasswordRequest(password: "correct horse battery", callID: CallID.random())
        let answer = try await post(IdentityOperations.setPassword.path, request, to: service)
        guard try answer.decoded(AccountAnswer.self).result == .done else {
            throw UnexpectedAnswer(to: IdentityOperations.setPassword.path, answer)
        }
    }

    func settingPassword(_ changes: [String: Int], ends: [TokenSet] = []) -> InterruptedAct {
        let request = SetPasswordRequest(password: "quite another one", callID: CallID.random())
        var act = act(changes, IdentityOperations.setPassword.path, request, ends: ends)
        act.aftermath = { service in
            // A code of the second in which the password was set is as old as any before.
            try await Task.sleep(for: .seconds(1))
            return try await findings([identity], [], at: service)
        }
        return act
    }
}
