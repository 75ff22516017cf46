import TestSupport
import Testing

extension Faults {
    /// Refresh, reuse, lost answers, repeats, logout and deactivation at once, over two processes (security guide F-02).
    @Suite(.serialized, .timeLimit(.minutes(20))) struct InterleavingRounds {
        private static let lanes = 8

        @Test(arguments: [false, true])
        func `no interleaving forks a session, revives an ended one or signs out an owner who only repeats`(
            repeatsUntilUsed: Bool
        ) async throws {
            let run = FaultRun(
                repeatsUntilUsed ? "interleavings until used" : "interleavings",
                shortRounds: repeatsUntilUsed ? 30 : 60)
            let repeats = repeatsUntilUsed ? PolicyText.repeatsUntilUsed : PolicyText.noRepeatsWithoutKey
            try await LatchkeyStack.run(
                name: "InterleavingRounds", environment: ["LATCHKEY_REPLICAS": "token=2"],
                policy: PolicyText.unlimitedRefreshes.merging(repeats) { $1 }
            ) { stack in
                try await stack.untilReady()
                var generator = SeededGenerator(seed: run.seed)
                let seeds = (0..<max(run.rounds, 1)).map { _ in generator.next() }
                var total = Total()
                try await SessionCallers.with(stack) { callers in
                    total = try await Self.all(seeds) { number, seed in
                        let cast = Interleaving.Cast.allCases[number % Interleaving.Cast.allCases.count]
                        let isPage = number / Interleaving.Cast.allCases.count % 2 == 1
                        var client = SessionClient(stack, callers, isPage: isPage)
                        client.rules.repeatsUntilUsed = repeatsUntilUsed
                        return try await Self.one(cast, seed, isPage, &client)
                    }
                }
                total.findings += try await DatabaseCheck(of: stack).findings()
                for finding in total.findings { Issue.record("\(finding)") }
                run.report("\(total)")
                #expect(total.refused > 0 && total.repeated > 0 && total.ended > 0 && total.lost > 0)
            }
        }

        private static func all(
            _ seeds: [UInt64], _ body: @escaping @Sendable (Int, UInt64) async throws -> Total
        ) async throws -> Total {
            try await withThrowingTaskGroup(of: Total.self) { group in
                for lane in 0..<lanes {
                    group.addTask {
                        var total = Total()
                        for number in stride(from: lane, to: seeds.count, by: lanes) {
                            total += try await body(number, seeds[number])
                        }
                        return total
                    }
                }
                return try await group.reduce(into: Total()) { $0 += $1 }
            }
        }

        private static func one(
            _ cast: Interleaving.Cast, _ seed: UInt64, _ isPage: Bool, _ client: inout SessionClient
        ) async throws -> Total {
            let opened = try await client.open()
            let isOwnerRefused = try await Interleaving(cast, client, opened: opened, seed: seed).run()
            let operations = client.recorder.operations
            var findings = HistoryChecker(client.rules).findings(in: operations).map(\.description)
            if cast == .ownerAlone, isOwnerRefused { findings.append("an owner who only repeats was signed out") }
            return Total(operations, findings.map { "\(cast), page \(isPage), seed \(seed): \($0)" })
        }

        /// The events so far, and the violations among them.
        private struct Total: CustomStringConvertible {
            var interleavings = 0
            var operations = 0
            var refused = 0
            /// Refreshes with a successor that another answer had given before.
            var repeated = 0
            var ended = 0
            var lost = 0
            var findings: [String] = []

            init() {}

            init(_ operations: [Operation], _ findings: [String]) {
                let issued = operations.compactMap { $0.kind == .refresh ? $0.outcome.issue?.refreshToken : nil }
                interleavings = 1
                self.operations = operations.count
                refused = operations.count { $0.kind == .refresh && $0.outcome == .refused }
                repeated = issued.count - Set(issued).count
                ended = operations.count { ($0.kind == .endSession || $0.kind == .endUser) && $0.outcome.isSuccess }
                lost = operations.count { $0.outcome == .unknown }
                self.findings = findings
            }

            var description: String {
                "\(interleavings) interleavings, \(operations) operations, \(refused) refreshes refused, "
                    + "\(repeated) repeated, \(ended) ends, \(lost) answers lost, \(findings.count) findings"
            }

            static func += (total: inout Total, other: Total) {
                total.interleavings += other.interleavings
                total.operations += other.operations
                total.refused += other.refused
                total.repeated += other.repeated
                total.ended += other.ended
                total.lost += other.lost
                total.findings += other.findings
            }
        }
    }
}
