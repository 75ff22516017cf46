import TestSupport

extension TokensBench {
    /// How much more CPU a refresh may need on PostgreSQL than on SQLite, over all processes.
    package static let boundPostgreSQL = 1.5

    /// Measures the cost of a refresh on PostgreSQL relative to SQLite, and with many sessions relative to few: a stack of each, in
    /// turn.
    ///
    /// - Parameter report: gets the figures.
    package func runOnPostgreSQL(_ report: ([Figure]) throws -> Void) async throws {
        try await ScratchFolder.run("tokens") { folder in
            let policy = try RefreshPolicyFile(algorithm: algorithm, in: folder)
            try await onPostgreSQL("few", Self.fewCount, policy) { few, _ in
                try await FilledStack.run(
                    name: "bench-sqlite", sessions: Self.fewCount, connections: connectionCount, policy: policy
                ) { sqlite in
                    try report(try await compared(few, sqlite, named: "postgres", bound: Self.boundPostgreSQL))
                }
                guard manyCount > 0 else { return }
                try await onPostgreSQL("many", manyCount, policy) { many, database in
                    let bytes = try await many.file.sessionBytes(of: database) / Double(manyCount)
                    try report([Figure("postgres.\(name).session", bytes, .bytes)])
                    try report(try await compared(many, few, named: "postgres.many", bound: Self.boundRatio))
                }
            }
        }
    }

    private func onPostgreSQL(
        _ name: String, _ sessions: Int, _ policy: RefreshPolicyFile,
        _ body: (FilledStack, StackDatabase) async throws -> Void
    ) async throws {
        try await withPostgreSQLServer(settings: SignInBench.serverSettings) { server in
            let database = StackDatabase(on: server)
            try await FilledStack.run(
                name: "bench-postgres-\(name)", sessions: sessions, connections: connectionCount, policy: policy,
                database: database
            ) { try await body($0, database) }
        }
    }

    private func compared(
        _ ours: FilledStack, _ theirs: FilledStack, named prefix: String, bound: Double
    ) async throws -> [Figure] {
        let pairs = try await Pairs.run(rounds) { _ in
            costs(try await ours.round(rotations: rotationCount))
        } theirs: { _ in
            costs(try await theirs.round(rotations: rotationCount))
        }
        let ofOurs = (pairs.ours.first ?? []).map { figure in
            Figure(
                "\(prefix).\(figure.name)",
                Spread(pairs.ours.compactMap { $0.first { $0.name == figure.name }?.value })?.median ?? 0, figure.unit)
        }
        return ofOurs + Comparison(pairs).figures(["\(name).cpu.total": bound], named: "\(prefix).ratio")
    }

    private func costs(_ round: RefreshRound) -> [Figure] {
        [
            Figure("\(name).rate", round.perSecond, .perSecond),
            Figure("\(name).cpu.total", round.total(Self.chargedOnPostgreSQL), .microseconds),
            Figure("\(name).p50", round.percentile(50), .milliseconds),
            Figure("\(name).p99", round.percentile(99), .milliseconds),
        ]
            + Self.chargedOnPostgreSQL.map {
                Figure("\(name).cpu.\($0)", round.microseconds[$0] ?? 0, .microseconds)
            }
    }
}
