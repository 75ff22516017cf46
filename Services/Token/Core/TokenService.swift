internal import AccessTokens
internal import CryptoPrimitives
internal import Policies
internal import RedisClient
internal import SQLiteStore
package import ServiceKit

/// token-service: issues and rotates tokens, publishes the keys, revokes.
package enum TokenService {
    /// Runs the process until it is told to stop.
    package static func run() async {
        await runProcess("token", defaultPort: 8082) { try await plan($0) }
    }

    /// Builds the process.
    ///
    /// Secrets: `token_storage_key`, `grant_user_token`, `assertion_gateway_token`, `assertion_user_token`,
    /// `assertion_control_token`, optionally `oauth_clients`, under HS256 `jwt_hs256`, which is read again on SIGHUP.
    /// Files: `tokens.sqlite` in `LATCHKEY_DATA_DIR`.
    package static func plan(_ context: ProcessContext) async throws -> ProcessPlan {
        let settings = context.settings
        let storageRing = try settings.secrets.keyRing("token_storage_key")
        let database = try SQLiteDatabase.open(
            path: try settings.databasePath("tokens.sqlite"), migrations: Schema.migrations, logger: context.logger,
            beginEpoch: { try NewEpoch.begin($0, now: UnixTime.seconds(), in: $1) })
        let keys = try await signingKeys(context, database, storageRing)
        let redis = RedisClient(try redisConfiguration(settings), logger: context.logger)
        let memory = RedisMemoryWatch(redis: redis)
        let parts = TokenParts(
            policy: context.policy, database: database, keys: keys, storageRing: storageRing,
            grantKeys: try settings.secrets.keyRing("grant_user_token"),
            feed: RedisRevocationFeed(redis: redis, milliseconds: { UnixTime.milliseconds() }),
            limiter: RedisRefreshLimit(redis: redis, memory: memory, local: LocalRefreshLimit()),
            clients: try OAuthClients(
                settings.secrets.optionalKeyRing("oauth_clients", keyCountMax: OAuthClients.countMax)),
            clientFailures: FailureLimit(limitsLocalAddresses: settings.limitsLocalAddresses),
            now: { UnixTime.seconds() }, logger: context.logger)
        let secretReload = SecretReload(logger: context.logger) { try await reloadSecrets(context, keys) }
        let server = try serviceApplication(context) { routes in
            parts.add(to: &routes)
            KeyRoutes(rotation: parts.keyRotation).add(to: &routes)
        }
        return ProcessPlan(
            services: [
                database, redis, memory, parts.publisher, KeyWatch(keys: keys, logger: context.logger),
                KeyTimer(
                    keys: keys, feed: parts.publisher.feed, holder: Hex.encode(SecureRandom.bytes(8)), now: parts.now,
                    logger: context.logger), secretReload,
                Sweeper(
                    database: database, sweeps: ExpiredRows.sweeps(context.policy),
                    holder: Hex.encode(SecureRandom.bytes(8)), now: parts.now, logger: context.logger), server,
            ],
            readiness: [
                ReadinessCheck("redis") { redis.isConnected },
                ReadinessCheck("database") { await isAnswering(database) },
            ])
    }

    private static func signingKeys(
        _ context: ProcessContext, _ database: SQLiteDatabase, _ storageRing: KeyRing
    ) async throws -> SigningKeys {
        do {
            return try await SigningKeys(
                table: SigningKeyTable(database: database), rule: KeyRule(context.policy), storageRing: storageRing,
                secretRing: try tokenSecrets(context), now: UnixTime.seconds())
        } catch let error as KeyError {
            throw SettingsError("signing keys (tokens.sqlite, secret jwt_hs256)", error.description)
        }
    }

    /// `jwt_hs256`, if a profile signs with it.
    private static func tokenSecrets(_ context: ProcessContext) throws -> KeyRing? {
        let usesSecrets = context.policy.profiles.contains { $0.algorithm == SignatureAlgorithm.HS256.rawValue }
        return usesSecrets ? try context.settings.secrets.keyRing("jwt_hs256") : nil
    }

    private static func reloadSecrets(_ context: ProcessContext, _ keys: SigningKeys) async throws {
        if let ring = try tokenSecrets(context) { try await keys.replaceSecrets(ring) }
    }

    private static func redisConfiguration(_ settings: ProcessSettings) throws -> RedisConfiguration {
        var configuration = try settings.redis()
        // Until we are back after a fault, nobody can sign out, and gateways wait for the list.
        configuration.backoff.longest = RevocationLimits.reconnectDelayMax
        return configuration
    }

    private static func isAnswering(_ database: SQLiteDatabase) async -> Bool {
        do {
            _ = try await database.foreignVersion()
            return true
        } catch { return false }
    }
}
