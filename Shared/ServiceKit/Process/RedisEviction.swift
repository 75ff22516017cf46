import Logging
import Policies
import RedisClient
import ServiceLifecycle

/// Checks once, as soon as Redis replies, whether it may evict keys, since revocations and counters would be lost with them.
///
/// In production the process exits with a message; elsewhere this is a warning.
struct RedisEviction: Service {
    private static let pause: Duration = .milliseconds(500)

    private let redis: RedisClient
    private let environment: DeploymentEnvironment
    private let logger: Logger

    init(redis: RedisClient, in environment: DeploymentEnvironment, logger: Logger) {
        (self.redis, self.environment, self.logger) = (redis, environment, logger)
    }

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown {
                while try await !self.isJudged() { try await Task.sleep(for: Self.pause) }
            }
            try await gracefulShutdown()
        } catch is CancellationError {
            // The process stops before Redis has answered.
        }
    }

    private func isJudged() async throws -> Bool {
        let info: String?
        do throws(RedisError) { info = try await redis.send(["INFO", "memory"]).text } catch { return false }
        if let problem = info.flatMap(Self.problem) {
            guard environment != .production else { throw SettingsError("REDIS_URL", problem) }
            logger.warning("redis.evicts", metadata: ["problem": "\(problem)"])
        }
        return true
    }

    /// Returns the problem of a server with this reply to `INFO memory`, or `nil` if it evicts nothing.
    static func problem(info: String) -> String? {
        let name = "maxmemory_policy:"
        guard let line = info.split(whereSeparator: \.isNewline).first(where: { $0.hasPrefix(name) }) else {
            return nil
        }
        let policy = line.dropFirst(name.count)
        guard policy != "noeviction" else { return nil }
        return "the maxmemory-policy of this Redis is \(policy), by which revocations and counters can be lost. "
            + "Set maxmemory-policy noeviction."
    }
}
