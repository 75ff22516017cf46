import TestSupport

extension SignInBench {
    package static let againstBounds = ["signin.rate": 1.08, "signin.cpu.total": 1.08]

    /// Measures the cost of a sign-in of this build relative to another: a stack of each, in turn.
    ///
    /// - Parameter count: pairs, over which the sign-ins of each build are spread.
    package func run(
        against other: Build, pairs count: Int, _ bounds: Comparison.Bounds = againstBounds
    ) async throws -> [Figure] {
        try await StackUnderLoad.run(name: "bench-signin") { ours in
            try await StackUnderLoad.run(name: "bench-signin", build: other) { theirs in
                try await pairs(count, ours, theirs).figures(bounds)
            }
        }
    }

    /// How much a sign-in may cost, by mail and by a token of Apple's, in parts of one by phone.
    private static let boundsRatio: [SignInWay: Double] = [.email: 1.25, .apple: 1.2]

    /// Measures the cost of a sign-in in another way relative to one by phone: both on one stack, in turn.
    package func run(by way: SignInWay, pairs count: Int) async throws -> [Figure] {
        let ratio = Self.boundsRatio[way, default: 1]
        return try await StackUnderLoad.run(name: "bench-signin") { stack in
            try await pairs(count, stack, by: way, stack).figures(["signin.rate": ratio, "signin.cpu.total": ratio])
        }
    }

    /// How much more CPU a sign-in may need on PostgreSQL than on SQLite, over all processes.
    package static let boundPostgreSQL = 1.6
    /// A server of some size; what keeps a commit is as by default.
    static let serverSettings = ["shared_buffers = 512MB", "max_wal_size = 4GB"]

    /// Measures the cost of a sign-in on PostgreSQL relative to SQLite: a stack of each, in turn.
    package func runOnPostgreSQL(pairs count: Int) async throws -> [Figure] {
        try await withPostgreSQLServer(settings: Self.serverSettings) { server in
            try await StackUnderLoad.run(name: "bench-postgres", database: StackDatabase(on: server)) { ours in
                try await StackUnderLoad.run(name: "bench-sqlite") { theirs in
                    try await pairs(count, ours, theirs)
                        .figures(["signin.cpu.total": Self.boundPostgreSQL], named: "postgres.ratio")
                }
            }
        }
    }

    /// Measures the cost of a sign-in on one stack relative to one by phone on another, or the same: both in turn.
    ///
    /// - Parameter count: pairs, over which the sign-ins of each are spread.
    func pairs(
        _ count: Int, _ ours: StackUnderLoad, by way: SignInWay = .phone, _ theirs: StackUnderLoad
    ) async throws -> Comparison {
        let round = SignInBench(
            count: max(self.count / count, 1), warmUpCount: 0, connectionCount: connectionCount)
        return Comparison(
            try await Pairs.run(count) { turn in
                try await round.ofBuild(ours, turn, by: way)
            } theirs: { turn in
                try await round.ofBuild(theirs, turn)
            })
    }

    /// Without what only tells how the machine was: the load, a signature, and others.
    private func ofBuild(
        _ stack: StackUnderLoad, _ turn: Int, by way: SignInWay = .phone
    ) async throws -> [Figure] {
        try await run(on: stack, by: way, firstIndex: turn * count)
            .filter { $0.unit != .cores && !$0.name.contains("signature") && !$0.name.hasSuffix("load-generator") }
    }
}
