import TestSupport
import Testing

extension Faults {
    /// Changes of identities, merges, lost and recycled numbers, deletions and sign-ins at once, over two processes.
    @Suite(.serialized, .timeLimit(.minutes(40))) struct IdentityRounds {
        @Test func `no interleaving gives an identity to two users, locks a user out or lets a lost identity in`()
            async throws
        {
            let run = FaultRun("identities", shortRounds: 70)
            try await LatchkeyStack.run(
                name: "IdentityRounds", environment: ["LATCHKEY_REPLICAS": "user=2", "LATCHKEY_FAKES": "1"],
                policy: IdentityRound.policy
            ) { stack in
                try await stack.untilReady()
                var total = try await IdentityRound(stack, replicas: ["user", "user-2"]).run(run.rounds, seed: run.seed)
                let check = DatabaseCheck(of: stack)
                total.findings += try await check.findings() + check.auditFindings()
                for finding in total.findings { Issue.record("\(finding)") }
                run.report("\(total)")
                #expect(total.hasEverything && (total.moved > 0 || !FaultRun.isLong), "\(total)")
            }
        }
    }
}

/// Many interleavings in some lanes, each with users of its own.
struct IdentityRound {
    /// Changes of howru's policy: no limit of refreshes, numbers of users who are away, passkeys and second factors, and the device that
    /// makes a change stays.
    static let policy = PolicyText.unlimitedRefreshes.merging(PolicyText.secondFactors) { $1 }.merging([
        "idleMonths: none": "idleMonths: 4", "default others\n  ends: all": "default others\n  ends: others",
    ]) { $1 }
    private static let lanes = 16
    private static let roundsMax = 100_000
    private static let connectionsMax = 64

    private let stack: LatchkeyStack
    private let replicas: [String]

    init(_ stack: LatchkeyStack, replicas: [String]) { (self.stack, self.replicas) = (stack, replicas) }

    /// Runs interleavings until `disturb` is done.
    func run(seed: UInt64, while disturb: @escaping @Sendable () async throws -> Void) async throws -> Total {
        let isOver = Flag()
        return try await withThrowingTaskGroup(of: Total.self) { group in
            group.addTask { try await run(Self.roundsMax, seed: seed, until: isOver) }
            do { try await disturb() } catch {
                isOver.set()
                throw error
            }
            isOver.set()
            return try await group.reduce(into: Total()) { $0 += $1 }
        }
    }

    /// - Parameter isOver: ends the rounds early.
    func run(_ rounds: Int, seed: UInt64, until isOver: Flag = Flag()) async throws -> Total {
        var generator = SeededGenerator(seed: seed)
        let seeds = (0..<rounds).map { _ in generator.next() }
        return try await withClients(replicas[...], []) { clients in
            try await withThrowingTaskGroup(of: Total.self) { group in
                for lane in 0..<Self.lanes {
                    group.addTask {
                        var total = Total()
                        for number in stride(from: lane, to: rounds, by: Self.lanes) where !isOver.isSet {
                            total += try await one(number, seeds[number], clients)
                        }
                        return total
                    }
                }
                return try await group.reduce(into: Total()) { $0 += $1 }
            }
        }
    }

    private func withClients<Value>(
        _ names: ArraySlice<String>, _ clients: [TestHTTPClient], _ body: ([TestHTTPClient]) async throws -> Value
    ) async throws -> Value {
        guard let name = names.first else { return try await body(clients) }
        return try await stack.service(name).withConnections(Self.connectionsMax) { client in
            try await withClients(names.dropFirst(), clients + [client], body)
        }
    }

    private func one(_ number: Int, _ seed: UInt64, _ clients: [TestHTTPClient]) async throws -> Total {
        let cast = IdentityInterleaving.Cast.allCases[number % IdentityInterleaving.Cast.allCases.count]
        let recorder = IdentityRecorder()
        let client = IdentityClient(stack: stack, replicas: clients, recorder: recorder)
        try await IdentityInterleaving(cast, client, seed: seed).run()
        let operations = recorder.operations
        let findings = IdentityChecker().findings(in: operations).map { "\(cast), seed \(seed): \($0)" }
        if !findings.isEmpty { print(operations.map(\.description).joined(separator: "\n")) }
        return Total(operations, findings)
    }

    /// The events so far, and the violations among them.
    struct Total: CustomStringConvertible, Sendable {
        private(set) var interleavings = 0
        private(set) var done: [IdentityOperation.Kind: Int] = [:]
        /// Lost numbers that were replaced, and numbers of absent users that began new accounts.
        private(set) var moved = 0
        private(set) var recycled = 0
        /// Sign-ins by passkeys.
        private(set) var byPasskey = 0
        private(set) var refused = 0
        private(set) var unknown = 0
        var findings: [String] = []

        init() {}

        fileprivate init(_ operations: [IdentityOperation], _ findings: [String]) {
            interleavings = 1
            for operation in operations {
                switch operation.outcome {
                case .accepted, .reached: done[operation.kind, default: 0] += 1
                case .refused: refused += 1
                case .unknown: unknown += 1
                }
            }
            byPasskey = operations.count { $0.passkey != nil && $0.kind == .signIn && $0.isSuccess }
            moved = operations.contains { Self.isMove($0, operations) } ? 1 : 0
            recycled = operations.contains { Self.isRecycling($0, operations) } ? 1 : 0
            self.findings = findings
        }

        private static func isMove(_ signIn: IdentityOperation, _ operations: [IdentityOperation]) -> Bool {
            operations.contains {
                $0.kind == .replaceNumber && $0.identity == signIn.identity
                    && $0.user.map { signIn.outcome == .reached($0, isNew: false) } ?? false
            }
        }

        private static func isRecycling(_ signIn: IdentityOperation, _ operations: [IdentityOperation]) -> Bool {
            guard signIn.takesNumber, case .reached(let user, isNew: true) = signIn.outcome else { return false }
            return operations.contains { $0.kind == .leave && $0.user != user }
        }

        /// Whether every kind of operation was carried out.
        var hasEverything: Bool {
            recycled > 0
                && [
                    .signIn, .refresh, .add, .remove, .merge, .delete, .replaceNumber, .leave, .addPasskey,
                    .removePasskey, .useCode,
                ].allSatisfy { done[$0] != nil }
                && byPasskey > 0
        }

        var description: String {
            let kinds = done.map { "\($0.value) \($0.key.rawValue)" }.sorted().joined(separator: ", ")
            return "\(interleavings) interleavings: \(kinds), \(byPasskey) of the sign-ins by passkeys, "
                + "\(moved) numbers moved, \(recycled) recycled, \(refused) refused, \(unknown) without answer, \(findings.count) findings"
        }

        static func += (total: inout Total, other: Total) {
            total.interleavings += other.interleavings
            total.done.merge(other.done, uniquingKeysWith: +)
            total.moved += other.moved
            total.recycled += other.recycled
            total.byPasskey += other.byPasskey
            total.refused += other.refused
            total.unknown += other.unknown
            total.findings += other.findings
        }
    }
}
