import AccessTokens
import TestSupport

/// The cost of a durable refresh through the gateway, with few and with many sessions in the database.
struct TokensBench: Sendable {
    /// Processes whose CPU a rotation is charged with.
    private static let charged = ["gateway", "token", "redis", "postgres"]
    /// Rotations in a second with HS256, the load generator on the same two cores.
    private static let boundPerSecond = 5000.0
    /// CPU µs of a rotation over all charged processes, without an asymmetric signature of its access token.
    private static let boundMicroseconds = 300.0
    private static let boundMilliseconds = 25.0
    /// How much worse any figure may be with many sessions than with few.
    private static let boundRatio = 1.25
    static let boundBytes = 350.0
    /// How much more CPU a refresh may need on PostgreSQL than on SQLite, over all processes.
    private static let boundPostgreSQL = 1.5
    static let againstBounds = ["rate": 1.08, "cpu.total": 1.08]
    /// Sessions of the runs that all others are compared with.
    static let fewCount = 1000

    let algorithm: SignatureAlgorithm
    let rounds: Int
    /// The number of rotations in one round.
    let rotationCount: Int
    let connectionCount: Int
    /// Sessions in the database of the second stack; 0 leaves that out.
    let manyCount: Int
    /// Whether two builds are compared on PostgreSQL, each with a server of its own.
    var isOnPostgreSQL = false

    private var name: String { "tokens.\(algorithm.rawValue)" }

    /// - Parameter report: gets the figures.
    func run(_ report: ([Figure]) throws -> Void) async throws {
        try await filled("few", Self.fewCount) { few, _ in
            let signature = Figure("signature", rounds: try SignatureCost.signing(algorithm), .microseconds)
            guard manyCount > 0 else {
                // The first one warms caches and connections up, and does not count.
                _ = try await few.refresh(rotationCount)
                var figures: [[Figure]] = []
                for _ in 0..<rounds { figures.append(try await bounded(few, signature)) }
                return try report((Rounds.spread(figures) + [signature]).under("\(name).few"))
            }
            try await filled("many", manyCount) { many, database in
                let pairs = try await Pairs.run(rounds) { _ in
                    try await round(many)
                } theirs: { _ in
                    try await bounded(few, signature)
                }
                let bytes = try await database.bytes() / Double(manyCount)
                try report(
                    (Rounds.spread(pairs.theirs) + [signature]).under("\(name).few")
                        + Rounds.spread(pairs.ours).under("\(name).many")
                        + ratios(pairs).under("\(name).ratio")
                        + [Figure("\(name).file.session", bytes, .bytes, bound: .atMost(Self.boundBytes))])
            }
        }
    }

    private func round(_ stack: RefreshingStack) async throws -> [Figure] {
        try await stack.round(rotationCount, charged: Self.charged)
    }

    /// A round with few sessions; an asymmetric signature may come on top of the bound.
    private func bounded(_ few: RefreshingStack, _ signature: Figure) async throws -> [Figure] {
        let figures = try await few.round(
            rotationCount, charged: Self.charged,
            atMost: Self.boundMicroseconds + (algorithm.isSymmetric ? 0 : signature.value),
            rateAtLeast: algorithm.isSymmetric ? Self.boundPerSecond : nil)
        let p99 = Figure("p99", figures.value("p99"), .milliseconds, bound: .atMost(Self.boundMilliseconds))
        return figures.filter { $0.name != p99.name } + [p99]
    }

    /// How much worse many are than few; unlike other pairs by the median, since there may be fewer.
    private func ratios(_ pairs: Pairs) -> [Figure] {
        ["rate": Figure.Unit.perSecond, "cpu.total": .microseconds, "p50": .milliseconds, "p99": .milliseconds].map {
            let (many, few) = (Rounds.values($0, pairs.ours), Rounds.values($0, pairs.theirs))
            return Figure($0, rounds: Pairs.compared($1, many, few), .count, bound: .atMost(Self.boundRatio))
        }
    }

    /// Measures the cost of a refresh of this build relative to another: a stack of each, in turn, each with few sessions
    /// that have signed in, since the files of two builds may differ.
    func run(against other: Build, _ bounds: [String: Double]) async throws -> [Figure] {
        try await side(of: .own) { ours in
            try await side(of: other) { theirs in
                try await compared(ours, theirs).worse(bounds).under("against.\(name).few")
            }
        }
    }

    private func side(of build: Build, _ body: (RefreshingStack) async throws -> [Figure]) async throws -> [Figure] {
        try await ScratchFolder.run("tokens") { folder in
            let policy = try RefreshPolicy(algorithm, of: build, in: folder)
            return try await SignInBench.withServer(isOnPostgreSQL) { database in
                try await StackUnderLoad.run(
                    name: "bench-tokens", build: build, environment: policy.environment, database: database
                ) {
                    let sessions = try await RefreshingStack.signIn(
                        0..<Self.fewCount, connections: connectionCount, to: $0)
                    return try await RefreshingStack.with($0, sessions, connections: connectionCount, body)
                }
            }
        }
    }

    private func compared(_ ours: RefreshingStack, _ theirs: RefreshingStack) async throws -> Pairs {
        try await Pairs.run(rounds) { _ in
            try await round(ours)
        } theirs: { _ in
            try await round(theirs)
        }
    }

    /// Measures the cost of a refresh on PostgreSQL relative to SQLite, and with many sessions relative to few: a stack of
    /// each, in turn.
    ///
    /// - Parameter report: gets the figures.
    func runOnPostgreSQL(_ report: ([Figure]) throws -> Void) async throws {
        try await onPostgreSQL("few", Self.fewCount) { few, _ in
            try await filled("sqlite", Self.fewCount) { sqlite, _ in
                try report(figures(try await compared(few, sqlite), "postgres", atMost: Self.boundPostgreSQL))
            }
            guard manyCount > 0 else { return }
            try await onPostgreSQL("many", manyCount) { many, database in
                let bytes = try await database.bytes() / Double(manyCount)
                try report([Figure("postgres.\(name).session", bytes, .bytes)])
                try report(figures(try await compared(many, few), "postgres.many", atMost: Self.boundRatio))
            }
        }
    }

    private func figures(_ pairs: Pairs, _ prefix: String, atMost: Double) -> [Figure] {
        Rounds.spread(pairs.ours).under("\(prefix).\(name)")
            + pairs.worse(["cpu.total": atMost]).under("\(prefix).ratio.\(name)")
    }

    private func onPostgreSQL(
        _ name: String, _ sessions: Int, _ body: (RefreshingStack, SessionDatabase) async throws -> Void
    ) async throws {
        try await withPostgreSQLServer(settings: SignInBench.serverSettings) { server in
            try await filled("postgres-\(name)", sessions, database: StackDatabase(on: server), body)
        }
    }

    /// Runs `body` with a stack whose database has so many sessions, and their clients.
    private func filled(
        _ name: String, _ sessions: Int, database: StackDatabase? = nil,
        _ body: (RefreshingStack, SessionDatabase) async throws -> Void
    ) async throws {
        try await ScratchFolder.run("tokens") { folder in
            let policy = try RefreshPolicy(algorithm, in: folder)
            try await StackUnderLoad.run(name: "bench-\(name)", environment: policy.environment, database: database) {
                let file = try SessionDatabase(of: $0.stack, policy: try policy.policy)
                let opened = try await file.fill(0..<sessions)
                try await RefreshingStack.with($0, opened, connections: connectionCount) { try await body($0, file) }
            }
        }
    }
}
