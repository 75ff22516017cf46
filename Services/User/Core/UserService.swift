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

    /// Runs the process until it is told to stop.
    package static func run() async {
        await runProcess(name, defaultPort: defaultPort) { try await plan($0) }
    }

    /// Builds the process out of its settings.
    ///
    /// Secrets: `attestation_otp_user`, `grant_user_token`, `assertion_gateway_user`, `assertion_user_token`,
    /// `assertion_user_otp`, `assertion_control_user`, `user_storage_key`, and `jwt_hs256` where a profile of the policy signs
    /// with HS256 (read again on SIGHUP). Settings of its own: `TOKEN_URL`, `OTP_URL` (base URLs of token- and otp-service,
    /// comma-separated; default http://127.0.0.1:8082 and http://127.0.0.1:8081), `REDIS_URL`,
    /// `REDIS_USER` and the secret `redis_user` (the audit records of otp-service come from there).
    package static func plan(_ context: ProcessContext) async throws -> ProcessPlan {
        let database = try SQLiteDatabase.open(
            path: try context.settings.databasePath("users.sqlite"), migrations: UserSchema.migrations,
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
        let tokenService = try serviceClient("token", default: "http://127.0.0.1:8082", settings, client)
        let otpService = try serviceClient("otp", default: "http://127.0.0.1:8081", settings, client)
        let seal = OutboxSeal(ring: try settings.secrets.keyRing("user_storage_key"))
        let outbox = SQLiteOutboxStore(database: database)
        let courier = OutboxCourier(
            store: outbox, tokenService: tokenService, otpService: otpService, seal: seal, clock: .system,
            logger: context.logger)
        let holder = Hex.encode(SecureRandom.bytes(8))
        let workers = OutboxMessage.Lane.allCases.map {
            OutboxWorker(
                lane: $0, store: outbox, courier: courier, holder: holder, clock: .system, logger: context.logger)
        }
        let removal = RemovalJob(
            store: SQLiteRemovalStore(database: database),
            messages: RemovalMessages(userIDPrefix: context.policy.userIDPrefix, seal: seal),
            emptyLog: { database.emptyLogSoon() }, holder: holder, clock: .system, logger: context.logger)
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
        let routes = try routes(
            context, store: SQLiteUserStore(database: database), courier: courier, tokenService: tokenService,
            keys: keys)
        let server = try serviceApplication(context) { routes.add(to: &$0) }
        let sweeper = Sweeper(
            database: database, sweeps: ExpiredRows.sweeps(context.policy), holder: Hex.encode(SecureRandom.bytes(8)),
            now: { WallClock.system.seconds }, logger: context.logger)
        return ProcessPlan(
            services: [database, redis, client] + workers + [removal, mover, sweeper, secretReload, server],
            readiness: [isReadable(database)])
    }

    private static func serviceClient(
        _ service: String, default fallback: String, _ settings: ProcessSettings, _ client: OutgoingCalls
    ) throws -> ServiceClient {
        ServiceClient(
            service: service,
            transport: HTTPServiceTransport(
                service: service, baseURLs: try settings.serviceURLs("\(service).url", default: fallback),
                caller: .user,
                keys: try settings.secrets.keyRing("assertion_user_\(service)"), client: client.client))
    }

    private static func routes(
        _ context: ProcessContext, store: SQLiteUserStore, courier: OutboxCourier, tokenService: ServiceClient,
        keys: TokenKeyCache
    ) throws -> UserRoutes {
        let (policy, secrets) = (context.policy, context.settings.secrets)
        let prefix = policy.userIDPrefix
        let attributes = AttributeRules(declared: policy.attributes)
        let deleteAccount = DeleteAccount(
            store: store, courier: courier, userIDPrefix: prefix, graceDays: policy.deletion.graceDays, clock: .system)
        return UserRoutes(
            authentication: authentication(context, keys: keys),
            resolve: ResolveAttestation(
                store: store, rule: SignInRule(onScheduledDeletion: policy.deletion.onSignIn), userIDPrefix: prefix,
                attributes: attributes,
                attestationKeys: try secrets.keyRing("attestation_otp_user"),
                grantKeys: try secrets.keyRing("grant_user_token"), clock: .system, random: SecureRandom.bytes),
            readProfile: ReadProfile(store: store, userIDPrefix: prefix, attributes: attributes),
            updateProfile: UpdateProfile(
                store: store, userIDPrefix: prefix, attributes: attributes, clock: .system),
            deleteAccount: deleteAccount,
            support: SupportRoutes(
                lookUp: LookUpUsers(
                    store: store, tokenService: tokenService, userIDPrefix: prefix, attributes: attributes,
                    defaultRegion: policy.defaultRegion, clock: .system, logger: context.logger),
                changeUser: ChangeUser(
                    store: store, courier: courier, userIDPrefix: prefix, attributes: attributes, clock: .system),
                deleteAccount: deleteAccount,
                restoreAccount: RestoreAccount(store: store, userIDPrefix: prefix, clock: .system),
                listRemoved: ListRemoved(store: SQLiteRemovalStore(database: store.database), userIDPrefix: prefix)))
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
