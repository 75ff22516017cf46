import TestSupport

/// Faults at once while many phones refresh, and all that has to hold afterwards.
struct RotationRound {
    private static let clients = 16
    /// One of this many sessions stays active; a reuse revokes the others.
    private static let chainsPerSurvivor = 4

    let stack: LatchkeyStack

    /// A session and the tokens that it has used, oldest first: each was answered with the next.
    struct Chain: Sendable {
        var session: HeldSession
        var used: [String] = []
        var isLost = false
    }

    /// The result of a round.
    struct Report: Sendable {
        /// Rotations that were answered.
        let rotations: Int
        /// Used tokens that were presented again.
        let replays: Int
        /// The violations; empty if there are none.
        let findings: [String]
        /// The sessions that live on.
        let survivors: [Chain]
    }

    func run(_ faults: [ProcessFault], after delay: Duration) async throws -> Report {
        let recorder = HistoryRecorder()
        let phones = (0..<Self.clients).map { TestPhone($0, of: stack, recorder: recorder) }
        let chains = try await disturbed(phones) {
            try await Task.sleep(for: delay)
            try await withThrowingTaskGroup { group in
                for fault in faults { group.addTask { try await stack.inflict(fault) } }
                try await group.waitForAll()
            }
            try await stack.untilReady()
        }
        let doomed = chains.enumerated().filter { $0.offset % Self.chainsPerSurvivor != 0 }
        var replays = 0
        var findings = chains.filter(\.isLost).map { "session \($0.session.id) does not refresh" }
        for (number, chain) in doomed {
            let (count, accepted) = try await replay(chain, by: phones[number])
            replays += count
            findings += accepted
        }
        findings += HistoryChecker().findings(in: recorder.operations).map(\.description)
        for fault in faults { findings += fault.findings(in: recorder.operations, since: recorder.start) }
        findings += try await recordFindings(chains)
        return Report(
            rotations: chains.reduce(0) { $0 + $1.used.count }, replays: replays,
            findings: findings.map { "\(faults): \($0)" },
            survivors: stride(from: 0, to: chains.count, by: Self.chainsPerSurvivor).map { chains[$0] })
    }

    /// Refreshes each survivor of earlier rounds; returns those that do not.
    func unrefreshed(_ chains: [Chain]) async throws -> [String] {
        let phone = TestPhone(0, of: stack, recorder: HistoryRecorder())
        var lost: [String] = []
        for chain in chains {
            var session = chain.session
            if try await !phone.refresh(&session) { lost.append(session.id) }
        }
        return lost
    }

    /// The chains once `disturb` is over and each client has refreshed after it.
    private func disturbed(
        _ phones: [TestPhone], _ disturb: @escaping @Sendable () async throws -> Void
    ) async throws -> [Chain] {
        let isOver = Flag()
        var opened: [Chain] = []
        for phone in phones { opened.append(Chain(session: try await phone.openSession())) }
        return try await withThrowingTaskGroup(of: (Int, Chain).self) { [opened] group in
            for (number, phone) in phones.enumerated() {
                group.addTask { (number, try await rotated(opened[number], by: phone, until: isOver)) }
            }
            do {
                try await disturb()
                isOver.set()
                return try await group.reduce(into: opened) { $0[$1.0] = $1.1 }
            } catch {
                isOver.set()
                throw error
            }
        }
    }

    private func rotated(_ chain: Chain, by phone: TestPhone, until isOver: Flag) async throws -> Chain {
        var chain = chain
        var isLast = false
        while !isLast {
            // Once more after all is ready again.
            isLast = isOver.isSet
            let used = chain.session.refreshToken
            guard try await phone.refresh(&chain.session) else {
                chain.isLost = true
                return chain
            }
            chain.used.append(used)
        }
        return chain
    }

    /// Presents used tokens, then the newest, which has ended with them.
    private func replay(_ chain: Chain, by phone: TestPhone) async throws -> (Int, [String]) {
        let tokens = [chain.used.randomElement(), chain.used.last, chain.used.first, chain.session.refreshToken]
        var accepted: [String] = []
        for token in tokens.compactMap({ $0 }) {
            var thief = chain.session
            thief.refreshToken = token
            thief.rotationKey = nil
            if try await phone.refresh(&thief) {
                accepted.append("a used token of \(chain.session.id) was accepted again")
            }
        }
        return (tokens.count - 1, accepted)
    }

    /// Each answered rotation has its record, and there are no others: all that were not answered were repeated.
    private func recordFindings(_ chains: [Chain]) async throws -> [String] {
        let check = DatabaseCheck(of: stack)
        let rotations = try await check.rotations()
        let opened = try await check.records().openedSessions
        let wrong = chains.filter { !$0.isLost && rotations[$0.session.id] ?? 0 != $0.used.count }
        return try await check.findings() + check.rotationFindings() + check.auditFindings()
            + wrong.map { "\($0.used.count) rotations answered, \(rotations[$0.session.id] ?? 0) recorded" }
            + chains.filter { !opened.contains($0.session.id) }.map { "no audit of the sign-in \($0.session.id)" }
    }
}
