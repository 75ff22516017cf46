import FoundationEssentials

/// The costs of operations, by the names of the figures that `deploy/bench` prints.
struct MeasuredCosts: Sendable {
    /// A cost that is not of one process.
    enum Cost: String, CaseIterable {
        /// CPU µs of the gateway for a request with a token.
        case request = "gateway.cpu.gateway"
        /// Megabytes of Redis for a million phone numbers and addresses.
        case redisMillion = "otp.memory.million"
        /// Bytes of a session on disk, with its indexes, after some refreshes.
        case session = "postgres.tokens.RS256.session"
        case signInRatio = "postgres.ratio.signin.cpu.total"
        /// Bytes of a user with a phone number on disk; computed from the tables.
        case user = "size.user"
        case redisCallsOfSignIn = "size.redis.signin"
        case redisCallsOfRefresh = "size.redis.refresh"
        case tripsOfSignIn = "size.trips.signin"
        case tripsOfRefresh = "size.trips.refresh"
        /// Megabytes that Redis may use by default.
        case redisDefault = "size.redis.default"
    }

    /// From runs on two busy cores of an AMD EPYC. Computed are the part of PostgreSQL and all that begins with "size.";
    /// benchmarks.md says how.
    static let ours = MeasuredCosts(values: [
        "signin.cpu.gateway": 573, "signin.cpu.otp": 683, "signin.cpu.token": 770, "signin.cpu.user": 500,
        "signin.cpu.redis": 307, "postgres.ratio.signin.cpu.total": 1.40,
        "postgres.tokens.RS256.cpu.gateway": 124, "postgres.tokens.RS256.cpu.token": 487,
        "postgres.tokens.RS256.cpu.redis": 28, "postgres.tokens.RS256.cpu.postgres": 200,
        "gateway.cpu.gateway": 28.7, "otp.memory.million": 100, "postgres.tokens.RS256.session": 578,
        "size.user": 450, "size.redis.signin": 10, "size.redis.refresh": 2, "size.trips.signin": 6,
        "size.trips.refresh": 1,
        "size.redis.default": 128,
    ])

    let values: [String: Double]

    subscript(cost: Cost) -> Double { values[cost.rawValue] ?? 0 }

    /// CPU µs of a sign-in with its two requests. It is measured on SQLite; what PostgreSQL adds counts as the server's.
    func signIn(_ process: String) -> Double {
        guard process == "postgres" else { return values["signin.cpu.\(process)"] ?? 0 }
        let total = ["gateway", "otp", "token", "user", "redis"].map(signIn).reduce(0, +)
        return total * max(0, self[.signInRatio] - 1)
    }

    /// CPU µs of a refresh on PostgreSQL.
    func refresh(_ process: String) -> Double { values["postgres.tokens.RS256.cpu.\(process)"] ?? 0 }

    /// Returns the costs with those of a file that `deploy/bench --json` has written in place of ours.
    func replaced(by lines: String) throws -> MeasuredCosts {
        let decoder = JSONDecoder()
        let records = try lines.split(separator: "\n").map {
            try decoder.decode(FigureRecord.self, from: Data($0.utf8))
        }
        return MeasuredCosts(values: values.merging(records.map { ($0.figure, $0.value) }) { $1 })
    }
}
