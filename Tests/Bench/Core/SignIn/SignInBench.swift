import AccessTokens
import TestSupport

/// The cost of a sign-in through the gateway by as many different users: one code requested and verified, or a token of Apple's.
struct SignInBench: Sendable {
    /// Processes whose CPU a sign-in is charged with.
    private static let charged = ["gateway", "otp", "token", "user", "redis", "postgres"]
    /// CPU µs of a sign-in over all of them, without the signature of its access token.
    private static let boundMicroseconds = 1200.0
    static let againstBounds = ["rate": 1.08, "cpu.total": 1.08]
    /// How much a sign-in may cost, by mail and by a token of Apple's, in parts of one by phone.
    private static let boundsRatio: [SignInWay: Double] = [.email: 1.25, .apple: 1.2]
    /// How much more CPU a sign-in may need on PostgreSQL than on SQLite, over all processes.
    private static let boundPostgreSQL = 1.6

    let count: Int
    let connectionCount: Int
    /// Whether two builds are compared on PostgreSQL, each with a server of its own.
    var isOnPostgreSQL = false
    /// Sign-ins before the counted ones.
    var warmUpCount: Int { count / 20 }

    func run() async throws -> [Figure] {
        try await StackUnderLoad.run(name: "bench-signin") { load in
            _ = try await load.signIn(0..<warmUpCount, connections: connectionCount)
            // The signature of an access token may come on top of the bound.
            let signature = Figure("signature.RS256", rounds: try SignatureCost.signing(.RS256), .microseconds)
            let figures = try await round(
                warmUpCount..<warmUpCount + count, load, atMost: Self.boundMicroseconds + signature.value)
            return (figures + [signature]).under("signin")
        }
    }

    /// Measures the cost of a sign-in of this build relative to another: a stack of each, in turn.
    func run(against other: Build, pairs count: Int, _ bounds: [String: Double]) async throws -> [Figure] {
        try await Self.withServer(isOnPostgreSQL) { database in
            try await StackUnderLoad.run(name: "bench-signin", database: database) { ours in
                try await Self.withServer(isOnPostgreSQL) { database in
                    try await StackUnderLoad.run(name: "bench-signin", build: other, database: database) { theirs in
                        try await pairs(count, ours, theirs).worse(bounds).under("against.signin")
                    }
                }
            }
        }
    }

    /// Runs `body` with a database of a new server, or without one.
    static func withServer<Value: Sendable>(
        _ isOnPostgreSQL: Bool, _ body: (StackDatabase?) async throws -> Value
    ) async throws -> Value {
        guard isOnPostgreSQL else { return try await body(nil) }
        return try await withPostgreSQLServer(settings: serverSettings) { try await body(StackDatabase(on: $0)) }
    }

    /// Measures the cost of a sign-in in another way relative to one by phone: both on one stack, in turn.
    func run(by way: SignInWay, pairs count: Int) async throws -> [Figure] {
        let ratio = Self.boundsRatio[way, default: 1]
        return try await StackUnderLoad.run(name: "bench-signin") { stack in
            try await pairs(count, stack, by: way, stack).worse(["rate": ratio, "cpu.total": ratio])
                .under("against.signin")
        }
    }

    /// Measures the cost of a sign-in on PostgreSQL relative to SQLite: a stack of each, in turn.
    func runOnPostgreSQL(pairs count: Int) async throws -> [Figure] {
        try await withPostgreSQLServer(settings: Self.serverSettings) { server in
            try await StackUnderLoad.run(name: "bench-postgres", database: StackDatabase(on: server)) { ours in
                try await StackUnderLoad.run(name: "bench-sqlite") { theirs in
                    try await pairs(count, ours, theirs).worse(["cpu.total": Self.boundPostgreSQL])
                        .under("postgres.ratio.signin")
                }
            }
        }
    }

    /// A server of some size; what keeps a commit is as by default.
    static let serverSettings = ["shared_buffers = 512MB", "max_wal_size = 4GB"]

    /// Measures the cost of a sign-in on one stack relative to one by phone on another, or the same: both in turn.
    ///
    /// - Parameter count: pairs, over which the sign-ins of each are spread.
    func pairs(
        _ count: Int, _ ours: StackUnderLoad, by way: SignInWay = .phone, _ theirs: StackUnderLoad
    ) async throws -> Pairs {
        let size = max(self.count / count, 1)
        return try await Pairs.run(count) { turn in
            try await round(turn * size..<(turn + 1) * size, ours, by: way)
        } theirs: { turn in
            try await round(turn * size..<(turn + 1) * size, theirs)
        }
    }

    /// Signs in users who are new to the stack.
    private func round(
        _ indices: Range<Int>, _ load: StackUnderLoad, by way: SignInWay = .phone, atMost: Double? = nil
    ) async throws -> [Figure] {
        try await round(indices.count, load, atMost: atMost) {
            try await load.signIn(indices, by: way, connections: connectionCount).values
        }
    }

    /// Measures so many sign-ins.
    func round(
        _ count: Int, _ load: StackUnderLoad, atMost: Double? = nil,
        _ signIns: () async throws -> [SignInClient.Latencies]
    ) async throws -> [Figure] {
        let before = try Clocks(load.stack)
        let latencies = try await signIns()
        let costs = try Clocks(load.stack).costs(of: count, since: before, charged: Self.charged, atMost: atMost)
        try load.hooks.checkNoneRefused()
        let requests = latencies.compactMap(\.requestMilliseconds)
        return costs + (requests.isEmpty ? [] : Figure.percentiles(requests).under("request"))
            + Figure.percentiles(latencies.map(\.verifyMilliseconds)).under("verify")
    }
}
