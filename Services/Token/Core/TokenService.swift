import AccessTokens
import AsyncHTTPClient
import CryptoPrimitives
import InternalAPI
import Policies
import RedisClient
import ServiceCalls
import ServiceHTTP
package import ServiceKit
import ServiceLifecycle
import Storage
import UserEvents

/// token-service: issues and rotates tokens, publishes the keys, revokes.
package enum TokenService {
    /// Runs the process until it is told to stop.
    ///
    /// - Parameter storage: The engine in which it stores its data.
    package static func run(storage: StorageSource<TokenStorage>) async {
        await runProcess(
            "token", "token-service issues and rotates tokens, publishes their keys and revokes sessions.",
            defaultPort: 8082
        ) { context in
            try requireSettings(context, storage)
            return try await .exportingSpans(context) { try await plan($0, storage: try await storage.opened($0)) }
        }
    }

    /// Builds the process.
    ///
    /// Secrets: `token_storage_key`, `grant_user_token`, `assertion_gateway_token`, `assertion_user_token`,
    /// `assertion_control_token`, optionally `oauth_clients`, under HS256 `jwt_hs256`, which is read again on SIGHUP. With
    /// `USER_HOOK_URL`, the secret `user_hook_secret` (see `UserHook`).
    package static func plan(_ context: ProcessContext, storage: TokenStorage) async throws -> ProcessPlan {
        guard UserHook.isSet(context.settings) else { return try await plan(context, storage, nil) }
        let calls = OutgoingCalls(client: makeHTTPClient())
        do { return try await plan(context, storage, calls) } catch {
            // An HTTP client that is released without a shutdown crashes the process before it can log the error.
            try await calls.client.shutdown()
            throw error
        }
    }

    /// - Parameter calls: The client for the hook; `nil` if none is set.
    private static func plan(
        _ context: ProcessContext, _ storage: TokenStorage, _ calls: OutgoingCalls?
    ) async throws -> ProcessPlan {
        let settings = context.settings
        let storageRing = try settings.secrets.keyRing("token_storage_key")
        let keys = try await signingKeys(context, storage.keys, storageRing)
        TokenCounters.start(context.policy)
        let redis = RedisClient(try redisConfiguration(settings), logger: context.logger)
        let (memory, upkeep) = (RedisMemoryWatch(redis: redis), RedisUpkeep(redis, context))
        let wiring = TokenWiring(
            policy: context.policy, storage: storage, keys: keys, storageRing: storageRing,
            grantKeys: try settings.secrets.keyRing("grant_user_token"),
            feed: RedisRevocationFeed(
                redis: redis, milliseconds: { UnixTime.milliseconds() },
                mayRemove: { context.wallClock.secondsForRemovals() != nil }),
            limiter: RedisRefreshLimit(redis: redis, memory: memory, local: LocalRefreshLimit()),
            clients: try OAuthClients(
                settings.secrets.optionalKeyRing("oauth_clients", keyCountMax: OAuthClients.countMax)),
            clientFailures: FailureLimit(limitsLocalAddresses: settings.limitsLocalAddresses),
            now: { UnixTime.seconds() }, logger: context.logger)
        let secretReload = SecretReload(logger: context.logger) { try await reloadSecrets(context, keys) }
        // No revocation can be published before that.
        let isReady = { @Sendable in redis.isConnected && redis.isSettled }
        let hook = try hook(context, storage, keys, calls)
        let counter = HourlyCounter(
            rows: storage.counts, totals: TokenCounters.ofCharts, now: wiring.now, logger: context.logger)
        let server = try serviceApplication(context, isReady: isReady) { routes in
            wiring.add(to: &routes)
            StateRoutes(context: context, keys: wiring.keyRotation, counter: counter).add(to: &routes)
            KeyRoutes(rotation: wiring.keyRotation, noteLookUp: wiring.noteLookUp).add(to: &routes)
            routes.serve(EventOperations.replay) { request, _ in
                try await wiring.noteLookUp("events")
                return try await UserHook.replay(request, on: hook)
            }
        }
        let optional: [(any Service)?] = [calls, hook?.service]
        return ProcessPlan(
            services: [
                storage.engine, redis, memory,
                ServerRankWatch(redis: redis, key: "db:token", exchange: storage.engine.exchangeServerRank),
                wiring.publisher,
                KeyWatch(keys: keys, logger: context.logger),
                KeyTimer(
                    keys: keys, leases: storage.leases, feed: wiring.publisher.feed,
                    holder: Hex.encode(SecureRandom.bytes(8)), now: { context.wallClock.secondsForRemovals() },
                    logger: context.logger),
                secretReload, storage.sweeper, counter,
                SessionGauge(store: storage.sessions, now: wiring.now, logger: context.logger),
            ] + upkeep.services + optional.compactMap { $0 } + server,
            readiness: [
                ReadinessCheck("redis", problem: { redis.problem }),
                ReadinessCheck("redis functions") { await redis.has(TokenFunctions.library) }, upkeep.readiness,
                ReadinessCheck("database", problem: { await storage.engine.problem() }),
            ] + [hook?.readiness].compactMap { $0 })
    }

    /// Refuses everything in settings and secrets that keeps token-service from starting. `latchkeyctl doctor` calls it too.
    package static func requireSettings(_ context: ProcessContext, _ storage: StorageSource<TokenStorage>) throws {
        let (settings, secrets) = (context.settings, context.settings.secrets)
        try SettingsReport.requireAll([
            { try storage.check(settings) }, { _ = try settings.redis() },
            { _ = try secrets.keyRing("token_storage_key") }, { _ = try secrets.keyRing("grant_user_token") },
            { _ = try secrets.keyRing("assertion_gateway_token") }, { _ = try secrets.keyRing("assertion_user_token") },
            { _ = try secrets.keyRing("assertion_control_token") }, { _ = try context.tokenSecrets() },
            { _ = try secrets.optionalKeyRing("oauth_clients", keyCountMax: OAuthClients.countMax) },
            { _ = try ServiceCertificate(settings) }, { try UserHook.check(settings) },
        ])
    }

    private static func hook(
        _ context: ProcessContext, _ storage: TokenStorage, _ keys: SigningKeys, _ calls: OutgoingCalls?
    ) throws -> UserHook? {
        guard let calls else { return nil }
        let tokens = SecurityEventTokens(context.policy, keys: keys, now: { UnixTime.seconds() })
        return try UserHook(
            context, client: calls.client, queue: storage.events,
            bodies: SessionEventBodies(
                userIDs: StoredUserID(prefix: context.policy.userIDPrefix), tokens: tokens
            ).callAsFunction)
    }

    private static func signingKeys(
        _ context: ProcessContext, _ store: any SigningKeyStore, _ storageRing: KeyRing
    ) async throws -> SigningKeys {
        do {
            return try await SigningKeys(
                store: store, rule: KeyRule(context.policy), storageRing: storageRing,
                secretRing: try context.tokenSecrets(), now: UnixTime.seconds())
        } catch let error as KeyError {
            throw SettingsError("signing keys (database, secret jwt_hs256)", error.description)
        }
    }

    private static func reloadSecrets(_ context: ProcessContext, _ keys: SigningKeys) async throws {
        if let ring = try context.tokenSecrets() { try await keys.replaceSecrets(ring) }
    }

    private static func redisConfiguration(_ settings: ProcessSettings) throws -> RedisConfiguration {
        var configuration = try settings.redis()
        // While Redis is away after a fault, users cannot sign out, and gateways wait for the list.
        configuration.backoff.longest = RevocationLimits.reconnectDelayMax
        return configuration
    }
}
