internal import AccessTokens
internal import CryptoPrimitives
internal import Policies
internal import RedisClient
internal import SQLiteStore
package import ServiceKit

/// token-service: issues and rotates tokens, publishes the keys, revokes.
package enum TokenService {
    /// Builds the process.
    ///
    /// Secrets: `token_storage_key`, `grant_user_token`, `assertion_gateway_token`, `assertion_user_token`, under HS256
    /// `jwt_hs256`. Files: `tokens.sqlite` in `LATCHKEY_DATA_DIR`.
    package static func plan(_ context: ProcessContext) async throws -> ProcessPlan {
        let settings = context.settings
        let storageRing = try settings.secrets.keyRing("token_storage_key")
        let database = try SQLiteDatabase.open(
            path: settings.dataDirectory + "/tokens.sqlite", migrations: Schema.migrations, logger: context.logger)
        let keys = try await signingKeys(context, database, storageRing)
        let redis = RedisClient(try redisConfiguration(settings), logger: context.logger)
        let parts = TokenParts(
            policy: context.policy, database: database, keys: keys, storageRing: storageRing,
            grantKeys: try settings.secrets.keyRing("grant_user_token"),
            feed: RedisRevocationFeed(redis: redis, milliseconds: { UnixTime.milliseconds() }),
            limiter: RedisRefreshLimit(redis: redis, local: LocalRefreshLimit()), now: { UnixTime.seconds() },
            logger: context.logger)
        let server = try serviceApplication(context, callers: [.gateway, .user], routes: parts.routes.add)
        return ProcessPlan(
            services: [
                database, redis, parts.publisher, KeyWatch(keys: keys, logger: context.logger),
                ExpiryService(store: parts.store, now: parts.now, logger: context.logger), server,
            ],
            readiness: [
                ReadinessCheck("redis") { redis.isConnected },
                ReadinessCheck("database") { await isAnswering(database) },
            ])
    }

    private static func signingKeys(
        _ context: ProcessContext, _ database: SQLiteDatabase, _ storageRing: KeyRing
    ) async throws -> SigningKeys {
        let algorithms = Set(context.policy.profiles.compactMap { SignatureAlgorithm(rawValue: $0.algorithm) })
        let usesSecrets = algorithms.contains(.HS256)
        return try await SigningKeys(
            table: SigningKeyTable(database: database), algorithms: algorithms, storageRing: storageRing,
            secretRing: usesSecrets ? try context.settings.secrets.keyRing("jwt_hs256") : nil, now: UnixTime.seconds())
    }

    private static func redisConfiguration(_ settings: ProcessSettings) throws -> RedisConfiguration {
        let redis = try settings.redis()
        return RedisConfiguration(
            host: redis.host, port: redis.port, username: redis.user, password: redis.password?.value)
    }

    private static func isAnswering(_ database: SQLiteDatabase) async -> Bool {
        do {
            _ = try await database.foreignVersion()
            return true
        } catch { return false }
    }
}
