import AuthAPI
import CryptoPrimitives
import FoundationEssentials
import InternalAPI
import TestSupport

/// A client that signs in, changes its name, refreshes and signs out again and again, through the gateways of both hosts or of one.
struct ScaleClient: Sendable {
    /// Rotations of a session before the next sign-in.
    private static let rotationsPerSession = 6
    private static let pauseMilliseconds = 150...450
    /// The time in which each request succeeds once nothing is disturbed.
    private static let settleLimit = Duration.seconds(60)

    /// The sessions that a client has.
    struct Sessions: Sendable {
        var living: [NamedSession] = []
        var ended: [HeldSession] = []
        /// Refused, or never answered, although everything came back.
        var lost: [String] = []
    }

    /// A session, and the name of its user that was acknowledged.
    struct NamedSession: Sendable {
        var held: HeldSession
        var name: String?
    }

    let number: Int
    /// The stack through the gateway of each host of the pair.
    let stacks: [LatchkeyStack]
    /// Whether it tries the other gateway after a request without success.
    let roams: Bool
    /// Other gateways, at which it presents the tokens of ended sessions.
    let others: [LatchkeyStack]
    let recorder: HistoryRecorder

    /// The number of a client of other gateways.
    private static let elsewhere = -1

    /// The gateway that an operation of a client went to.
    static func gateway(of operation: TestSupport.Operation) -> Int { operation.client % Cluster.pair.count }

    /// Works until the round is over, and refreshes once more then.
    func run(until isOver: Flag) async throws -> Sessions {
        var sessions = Sessions()
        var attempt = number
        while !isOver.isSet {
            try await pause()
            guard case .signedIn(let held, _) = try await phone(attempt).signIn(as: LatchkeyStack.freshPhone()) else {
                if roams { attempt += 1 }
                continue
            }
            var session = NamedSession(held: held)
            guard try await live(&session, &attempt, sessions.ended.last, until: isOver) else {
                sessions.lost.append(session.held.id)
                continue
            }
            let isKept = Int.random(in: 0..<3) == 0
            if isKept {
                sessions.living.append(session)
            } else if try await end(session.held, &attempt, until: isOver) {
                sessions.ended.append(session.held)
            } else {
                sessions.lost.append(session.held.id)
            }
        }
        return sessions
    }

    /// Uses a session; returns whether it lives on.
    private func live(
        _ session: inout NamedSession, _ attempt: inout Int, _ ended: HeldSession?, until isOver: Flag
    ) async throws -> Bool {
        session.name = await rename(session.held, at: attempt)
        for _ in 0..<Self.rotationsPerSession {
            let held = session.held
            var tries = 0
            let rotated = try await untilDone(&attempt, isOver) { gateway in
                tries += 1
                return try await phone(gateway).rotate(held)
            }
            guard let rotated = rotated ?? nil else { return false }
            session.held = rotated
            await phone(attempt).call(rotated)
            if let ended {
                // At each gateway: what has ended must be known to all.
                for other in Cluster.pair.indices { await phone(other).call(ended) }
                for other in others { await TestPhone(Self.elsewhere, of: other, recorder: recorder).call(ended) }
            }
            // A gateway that wakes up presents the token again that it was given when it froze. As in an app, which refreshes once in
            // many minutes, its successor's successor is not used before.
            if isOver.isSet || tries > 1 && roams { break }
            try await pause()
        }
        return true
    }

    private func end(_ session: HeldSession, _ attempt: inout Int, until isOver: Flag) async throws -> Bool {
        try await untilDone(&attempt, isOver) { gateway in
            let outcome = await phone(gateway).askToLogOut(session)
            return outcome == .unknown ? nil : outcome == .accepted
        } ?? false
    }

    /// Repeats until there is a response that says what happened; `nil` if there is none long after the round is over.
    private func untilDone<Value>(
        _ attempt: inout Int, _ isOver: Flag, _ act: (Int) async throws -> Value?
    ) async throws -> Value? {
        var deadline: ContinuousClock.Instant?
        while true {
            if let value = try await act(attempt) { return value }
            if isOver.isSet, deadline == nil { deadline = .now + Self.settleLimit }
            if let deadline, deadline < .now { return nil }
            if roams { attempt += 1 }
            try await pause()
        }
    }

    /// Asks once for a new name; returns it if that was acknowledged.
    private func rename(_ session: HeldSession, at attempt: Int) async -> String? {
        let name = "Betty " + Hex.encode(SecureRandom.bytes(4))
        do {
            let answer = try await stack(attempt).gateway.send(
                "PATCH", "/users/me",
                headers: [("Authorization", "Bearer \(session.accessToken)"), ("Content-Type", "application/json")],
                body: Array(#"{"name":"\#(name)"}"#.utf8))
            return answer.status == 200 ? name : nil
        } catch { return nil }
    }

    private func stack(_ attempt: Int) -> LatchkeyStack { stacks[attempt % stacks.count] }

    private func phone(_ attempt: Int) -> TestPhone {
        let gateway = attempt % stacks.count
        return TestPhone(number * stacks.count + gateway, of: stacks[gateway], recorder: recorder)
    }

    private func pause() async throws {
        try await Task.sleep(for: .milliseconds(Int.random(in: Self.pauseMilliseconds)))
    }
}

// MARK: - Afterwards

extension ScaleClient {
    /// Refreshes all sessions once nothing is disturbed, and presents those that have ended; returns what is missing.
    func findings(in sessions: Sessions) async throws -> [String] {
        var findings = sessions.lost.map { "session \($0) does not refresh" }
        let phone = phone(number)
        for var session in sessions.living {
            guard try await phone.refresh(&session.held) else {
                findings.append("session \(session.held.id) does not refresh at the end")
                continue
            }
            await phone.call(session.held)
            let profile = try await patiently {
                try await stack(number).gateway.get("/users/me", bearer: session.held.accessToken)
            }
            let found: UserProfile? = profile.status == 200 ? try profile.decoded() : nil
            if found?.id != session.held.user || session.name.map({ $0 != found?.name }) ?? false {
                findings.append("the profile of \(session.held.user) is \(profile.status) \(found?.name ?? "")")
            }
        }
        for session in sessions.ended {
            // The checker judges: an ended session must not refresh.
            await phone.call(session)
            _ = try await phone.rotate(session)
        }
        return findings
    }

    /// Guesses at one code through both otp-services until the round is over; the checker judges.
    func guess(until isOver: Flag, at services: [TestHTTPClient]) async throws {
        while !isOver.isSet {
            let number = LatchkeyStack.freshPhone()
            do { try await stack(self.number).requestCode(for: number) } catch is CancellationError {
                throw CancellationError()
            } catch {
                try await pause()
                continue
            }
            let code = try await stack(self.number).code(for: number)
            for attempt in 0..<Self.guesses where !isOver.isSet {
                await guess(String(100_000 + ((Int(code) ?? 0) + 1 + attempt) % 900_000), number, services)
                try await pause()
            }
        }
    }

    private static let guesses = 40

    private func guess(_ code: String, _ phone: String, _ services: [TestHTTPClient]) async {
        var operation = TestSupport.Operation(.guess)
        operation.challenge = phone
        let body = OTPVerify(
            phone: phone, region: "US", code: code, purpose: .signIn, address: "127.0.0.1",
            callID: Hex.encode(SecureRandom.bytes(8)))
        guard let service = services.randomElement() else { return }
        await recorder.record(operation) {
            let answer = try await ServiceCaller(stack: stacks[0], client: service)
                .post("otp", OTPOperations.verify.path, body)
            guard answer.status == 200 else { return .unknown }
            return Outcome(try answer.decoded(OTPVerifyAnswer.self).result)
        }
    }
}
