internal import AccessTokens
internal import AsyncHTTPClient
internal import CryptoPrimitives
internal import InternalAPI
internal import Policies
internal import RedisClient
internal import SQLiteStore
package import ServiceKit

/// user-service: who people are.
package enum UserService {
    package static let name = "user"
    package static let defaultPort = 8083

    /// Builds the process out of its settings.
    ///
    /// Secrets: `attestation_otp_user`, `grant_user_token`, `assertion_gateway_user`, `assertion_user_token`,
    /// `assertion_control_user`, and `jwt_hs256` where a profile of the policy signs with HS256 (read again on SIGHUP). Settings of its own:
    /// `TOKEN_URL` (base URLs of token-service, comma-separated; default http://127.0.0.1:8082), `REDIS_URL`,
    /// `REDIS_USER` and the secret `redis_user` (the audit records of otp-service come from there).
    package static func plan(_ context: ProcessContext) async throws -> ProcessPlan {
        let database = try SQLiteDatabase.open(
            path: "\(context.settings.dataDirectory)/users.sqlite", migrations: UserSchema.migrations,
            logger: context.logger,
            beginEpoch: { try NewEpoch.begin($0, now: WallClock.system.seconds, in: $1) })
        let client = OutgoingCalls(client: makeHTTPClient())
        do { return try plan(context, database: database, client: client) } catch {
            // An HTTP client that is dropped without this takes the process down before it can say what is wrong.
            try await client.client.shutdown()
            throw error
        }
    }

    private static func plan(
        _ context: ProcessContext, database: SQLiteDatabase, client: OutgoingCalls
    ) throws -> ProcessPlan {
        let settings = context.settings
        let tokenService = ServiceClient(
            service: "token",
            transport: HTTPServiceTransport(
                service: "token",
                baseURLs: try settings.serviceURLs("token.url", default: "http://127.0.0.1:8082"), caller: .user,
                keys: try settings.secrets.keyRing("assertion_user_token"), client: client.client))
        let outbox = SQLiteOutboxStore(database: database)
        let courier = OutboxCourier(store: outbox, tokenService: tokenService, clock: .system, logger: context.logger)
        let holder = Hex.encode(SecureRandom.bytes(8))
        let worker = OutboxWorker(
            store: outbox, courier: courier, holder: holder, clock: .system, logger: context.logger)
        let redis = RedisClient(try settings.redis(), logger: context.logger)
        let mover = AuditMover(
            stream: RedisAuditStream(redis: redis), database: database, holder: holder, clock: .system,
            logger: context.logger)
        let secrets = SharedSecrets(try tokenSecrets(context))
        let keys = keyCache(context, tokenService: tokenService, secrets: secrets)
        let secretReload = SecretReload(logger: context.logger) {
            secrets.replace(try tokenSecrets(context))
            await keys.expire()
        }
        let routes = try routes(context, store: SQLiteUserStore(database: database), courier: courier, keys: keys)
        let server = try serviceApplication(context, callers: [.gateway, .control], routes: routes.add)
        let sweeper = Sweeper(
            database: database, sweeps: ExpiredRows.sweeps(context.policy), holder: Hex.encode(SecureRandom.bytes(8)),
            now: { WallClock.system.seconds }, logger: context.logger)
        return ProcessPlan(
            services: [database, redis, client, worker, mover, sweeper, secretReload, server],
            readiness: [isReadable(database)])
    }

    private static func routes(
        _ context: ProcessContext, store: SQLiteUserStore, courier: OutboxCourier, keys: TokenKeyCache
    ) throws -> UserRoutes {
        let (policy, secrets) = (context.policy, context.settings.secrets)
        let prefix = policy.userIDPrefix
        return UserRoutes(
            authentication: authentication(context, keys: keys),
            resolve: ResolveAttestation(
                store: store, rule: SignInRule(onScheduledDeletion: policy.deletion.onSignIn), userIDPrefix: prefix,
                attestationKeys: try secrets.keyRing("attestation_otp_user"),
                grantKeys: try secrets.keyRing("grant_user_token"), clock: .system, random: SecureRandom.bytes),
            readProfile: ReadProfile(store: store, userIDPrefix: prefix),
            updateProfile: UpdateProfile(store: store, userIDPrefix: prefix, clock: .system),
            deleteAccount: DeleteAccount(
                store: store, courier: courier, userIDPrefix: prefix, graceDays: policy.deletion.graceDays,
                clock: .system),
            changeUser: ChangeUser(store: store, courier: courier, userIDPrefix: prefix, clock: .system))
    }

    private static func authentication(_ context: ProcessContext, keys: TokenKeyCache) -> BearerAuthentication {
        let policy = context.policy
        return BearerAuthentication(
            issuer: policy.issuer, audience: policy.audience, leewaySeconds: policy.signing.leewaySeconds,
            userIDPrefix: policy.userIDPrefix, keys: keys, clock: .system)
    }

    private static func keyCache(
        _ context: ProcessContext, tokenService: ServiceClient, secrets: SharedSecrets
    ) -> TokenKeyCache {
        let published = PublishedKeys(tokenService: tokenService, secrets: { secrets.ring })
        return TokenKeyCache(
            ageMax: .seconds(context.policy.signing.jwksMaxAgeSeconds), logger: context.logger, fetch: published.fetch)
    }

    /// `jwt_hs256`, if a profile signs with it.
    private static func tokenSecrets(_ context: ProcessContext) throws -> KeyRing? {
        let usesSecrets = context.policy.profiles.contains { $0.algorithm == SignatureAlgorithm.HS256.rawValue }
        return usesSecrets ? try context.settings.secrets.keyRing("jwt_hs256") : nil
    }

    private static func isReadable(_ database: SQLiteDatabase) -> ReadinessCheck {
        ReadinessCheck("users.sqlite") {
            do { return try await database.read { _ in true } } catch { return false }
        }
    }
}
