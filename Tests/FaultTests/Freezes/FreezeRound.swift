import TestSupport

/// A disturbance, and what clients saw meanwhile who rotate as fast as they can, come and go, and ask again for whatever was
/// answered 503.
struct FreezeRound {
    private static let rotators = 24
    private static let guests = 6
    private static let officials = 2
    static let connections = rotators + guests + officials

    let stack: LatchkeyStack
    let gateway: TestHTTPClient

    /// The result of a round.
    struct Report: Sendable {
        var rotations = 0
        /// Requests that were answered, and not with what they asked for.
        var unavailable = 0
        var signIns = 0
        var ends = 0
        /// The violations; empty if there are none.
        var findings: [String] = []

        static func += (total: inout Report, other: Report) {
            total.rotations += other.rotations
            total.unavailable += other.unavailable
            total.signIns += other.signIns
            total.ends += other.ends
            total.findings += other.findings
        }
    }

    /// The promises of howru: a minute for clients without a key.
    private static var rules: HistoryRules {
        var rules = HistoryRules()
        rules.repeatLimitWithoutKey = .seconds(60)
        return rules
    }

    func run(_ victim: String, for time: Duration) async throws -> Report {
        try await run("\(victim) frozen for \(time)") { _ = try await stack.inflict(.freeze(victim, time)) }
    }

    /// Runs the clients while `disturb` does.
    func run(_ disturbance: String, while disturb: () async throws -> Void) async throws -> Report {
        let recorder = HistoryRecorder()
        let isOver = Flag()
        let clients = try await clients(recorder)
        var outcomes = try await withThrowingTaskGroup(of: FreezeOutcome.self) { group in
            for client in clients { group.addTask { try await client.live(until: isOver) } }
            do {
                try await disturb()
                isOver.set()
                return try await group.reduce(into: FreezeOutcome()) { $0 += $1 }
            } catch {
                isOver.set()
                throw error
            }
        }
        outcomes += try await survivors(of: outcomes.kept, recorder)
        return try await report(outcomes, recorder.operations, disturbance)
    }

    private func clients(_ recorder: HistoryRecorder) async throws -> [any FreezeClient] {
        var clients: [any FreezeClient] = []
        func phone() -> TestPhone { TestPhone(clients.count, of: stack, gateway: gateway, recorder: recorder) }
        for number in 0..<Self.rotators {
            var session = try await phone().openSession()
            if !number.isMultiple(of: 2) { session.rotationKey = nil }
            clients.append(Rotator(phone: phone(), session: session))
        }
        for number in 0..<Self.guests { clients.append(Guest(phone: phone(), deletes: number.isMultiple(of: 3))) }
        for _ in 0..<Self.officials {
            guard let session = try await phone().signIn() else { throw TestPhone.NotOpened() }
            clients.append(Official(phone: phone(), stack: stack, gateway: gateway, session: session))
        }
        return clients
    }

    /// Sessions that were in use after an end that was answered 503: it did not happen, and will not.
    private func survivors(of kept: [HeldSession], _ recorder: HistoryRecorder) async throws -> FreezeOutcome {
        let phone = TestPhone(Self.connections, of: stack, gateway: gateway, recorder: recorder)
        var outcome = FreezeOutcome()
        for var session in kept {
            if try await !phone.refresh(&session) {
                outcome.findings.append("a logout was answered 503, did not happen, and then ended \(session.id)")
            }
        }
        return outcome
    }

    private func report(
        _ outcome: FreezeOutcome, _ operations: [Operation], _ disturbance: String
    ) async throws -> Report {
        let check = DatabaseCheck(of: stack)
        let ended = try await check.records().revokedSessions
        var findings = outcome.findings + HistoryChecker(Self.rules).findings(in: operations).map(\.description)
        findings += outcome.living.filter { ended.contains($0) }.map { "session \($0) was ended" }
        findings += try await check.findings()
        return Report(
            rotations: operations.count { $0.kind == .refresh && $0.outcome.isSuccess },
            unavailable: operations.count { $0.outcome == .unknown },
            signIns: operations.count { $0.kind == .signIn && $0.outcome.isSuccess },
            ends: operations.count { $0.kind == .endSession && $0.outcome.isSuccess },
            findings: findings.map { "\(disturbance): \($0)" })
    }
}

/// The state of a round's clients at its end.
struct FreezeOutcome: Sendable {
    /// Sessions that no request has revoked.
    var living: [String] = []
    /// The sessions among `living` whose revocation was once requested in vain.
    var kept: [HeldSession] = []
    var findings: [String] = []

    static func += (one: inout FreezeOutcome, other: FreezeOutcome) {
        one.living += other.living
        one.kept += other.kept
        one.findings += other.findings
    }
}

/// Somebody who uses the stack while one of its processes is frozen.
protocol FreezeClient: Sendable {
    /// Goes on until the freeze is over, and then makes sure of what it holds.
    func live(until isOver: Flag) async throws -> FreezeOutcome
}
