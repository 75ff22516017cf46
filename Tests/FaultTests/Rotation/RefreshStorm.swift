import TestSupport

/// One token presented many times at one moment, through the gateway, and what became of its session.
struct RefreshStorm {
    static let width = 50

    /// The common feature of the requests, and the policy's reaction to it.
    enum Kind: String, CaseIterable {
        /// No `Idempotency-Key`: one success, and the session is over.
        case withoutKey
        /// Reused tokens under `onReuse: refuse`: the session stays active.
        case spared
        /// One `Idempotency-Key`: all succeed alike, and the session lives.
        case withOneKey
    }

    let stack: LatchkeyStack
    let gateway: TestHTTPClient

    /// Runs a storm and returns the violations; empty if there are none.
    func run(_ kind: Kind) async throws -> [String] {
        let recorder = HistoryRecorder()
        let phone = TestPhone(0, of: stack, gateway: gateway, recorder: recorder)
        var session = try await phone.openSession()
        if kind != .withOneKey { session.rotationKey = nil }
        let answers = try await presented(session, by: phone)
        var rules = HistoryRules()
        rules.sparesSession = kind == .spared
        let findings = findings(kind, answers) + (try await afterwards(kind, answers, phone))
        return findings + HistoryChecker(rules).findings(in: recorder.operations).map(\.description)
    }

    private func presented(_ session: HeldSession, by phone: TestPhone) async throws -> [HeldSession??] {
        try await withThrowingTaskGroup(of: HeldSession??.self) { group in
            for _ in 0..<Self.width { group.addTask { try await phone.rotate(session) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func findings(_ kind: Kind, _ answers: [HeldSession??]) -> [String] {
        let successors = answers.compactMap { $0 ?? nil }
        let unanswered = answers.count { $0 == nil }
        let expected = kind == .withOneKey ? Self.width : 1
        var findings: [String] = []
        if unanswered > 0 { findings.append("\(kind): \(unanswered) requests without an answer") }
        if successors.count != expected { findings.append("\(kind): \(successors.count) successes") }
        if Set(successors.map(\.refreshToken)).count != 1 { findings.append("\(kind): different successors") }
        return findings
    }

    /// Checks what the successor is still valid for.
    private func afterwards(
        _ kind: Kind, _ answers: [HeldSession??], _ phone: TestPhone
    ) async throws -> [String] {
        guard var successor = answers.compactMap({ $0 ?? nil }).first else { return [] }
        let lives = kind != .withoutKey
        var findings: [String] = []
        // All gateways know of an end within this time.
        if !lives { try await Task.sleep(for: HistoryRules().accessEndBound) }
        if await phone.call(successor) != (lives ? .accepted : .refused) {
            findings.append("\(kind): the access token \(lives ? "is refused" : "lives on")")
        }
        if try await phone.refresh(&successor) != lives {
            findings.append("\(kind): the session \(lives ? "is over" : "lives on")")
        }
        return findings
    }
}
