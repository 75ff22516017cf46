import InternalAPI
import Logging
import NIOCore
import RedisClient

/// Asks Redis about one token when the replica cannot answer.
struct RevocationLookup: Sendable {
    /// How long a request waits for Redis before it gets a 503.
    static let timeout: Duration = .milliseconds(100)
    /// The longest pause between two attempts to connect to Redis. It is a large part of the time in which everything must work
    /// again.
    static let reconnectDelayMax: Duration = .milliseconds(100)

    private static let function = GatewayFunctions.library.function(GatewayFunctions.lookup)

    let redis: RedisClient

    /// - Parameter configuration: where Redis is; the time limits are this type's own.
    init(_ configuration: RedisConfiguration, group: any EventLoopGroup, logger: Logger) {
        var configuration = configuration
        configuration.commandTimeout = Self.timeout
        configuration.backoff.longest = Self.reconnectDelayMax
        redis = RedisClient(configuration, group: group, logger: logger)
    }

    /// Returns whether a token is live.
    ///
    /// - Returns: `.unknown` if Redis cannot be asked or its list is incomplete; the client then gets a 503, never a 401.
    func answer(for token: TokenIdentity) async -> RevocationReplica.Answer {
        do throws(RedisError) {
            let keys = [
                RevocationFeed.generation, RevocationFeed.session(token.sessionID), RevocationFeed.key(token.keyID),
                RevocationFeed.version(token.sessionID),
            ]
            let reply = try await redis.call(Self.function, keys: keys, arguments: [])
            return Self.judge(reply, token)
        } catch {
            return .unknown
        }
    }

    static func judge(_ reply: RedisValue, _ token: TokenIdentity) -> RevocationReplica.Answer {
        guard let parts = reply.arrayValue, parts.count == 5, let runID = parts[0].text, let mark = parts[1].text,
            let reason = parts[2].text, let isKeyRevoked = parts[3].integerValue, let version = parts[4].text
        else { return .unknown }
        // A revocation that is found applies even while the rest of the list is being rebuilt.
        if !reason.isEmpty { return .revoked(RevocationReason(rawValue: reason) ?? .admin) }
        if isKeyRevoked != 0 { return .revoked(.admin) }
        if let floor = Int64(version), token.version < floor { return .revoked(.rights) }
        return RevocationFeed.isComplete(mark: mark, runID: runID) ? .live : .unknown
    }
}
