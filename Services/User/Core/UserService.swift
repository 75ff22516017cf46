import AccessTokens
import AsyncHTTPClient
import CryptoPrimitives
import InternalAPI
import OutgoingConnections
import Policies
import RedisClient
import ServiceCalls
import ServiceHTTP
package import ServiceKit
import ServiceLifecycle
import Storage
import UserEvents

/// user-service, which stores users and their identities.
package enum UserService {
    package static let name = "user"
    package static let defaultPort = 8083

    private static let now: @Sendable () -> Int64 = { UnixTime.seconds() }

    /// Runs the process until it receives a signal to stop.
    ///
    /// - Parameter storage: The engine in which it stores its data.
    package static func run(storage: StorageSource<UserStorage>) async {
        await runProcess(
            name, "user-service keeps users, their passwords and their rights.", defaultPort: defaultPort
        ) { context in
            try requireSettings(context, storage)
            return try await .exportingSpans(context) { try await plan($0, storage: try await storage.opened($0)) }
        }
    }

    /// Builds the process from its settings.
    ///
    /// Secrets: `attestation_otp_user`, `grant_user_token`, `assertion_gateway_user`, `assertion_user_token`,
    /// `assertion_user_otp`, `assertion_control_user`, `user_storage_key`, and `jwt_hs256` if a profile of the policy signs
    /// with HS256 (read again on SIGHUP). Its own settings: `TOKEN_URL`, `OTP_URL` (base URLs of token- and otp-service,
    /// comma-separated; default http://127.0.0.1:8082 and http://127.0.0.1:8081), `USER_HOOK_URL` and the secret
    /// `user_hook_secret` (see `UserHook`; default no events), `REDIS_URL`,
    /// `REDIS_USER` and the secret `redis_user` (Redis contains the audit records of otp-service, the counts of guesses at
    /// passwords, and notes about sign-ins in a browser), `PASSWORD_THREADS` (see `HashingThreads`), `LATCHKEY_DECISIONS_DIR`
    /// (a folder for the list of security decisions, see `DecisionLog`; default none), `APPLE_URL` (the base URL of Apple's
    /// server, for tests; default https://appleid.apple.com), `APPLE_TEAM_ID`, `APPLE_KEY_ID` and the secret `apple_key` (all or
    /// none, see `AppleClientSecret`; default none), `OIDC_KEYS_URL` (a stand-in for the OpenID Connect providers and the phone
    /// tokens of the policy, for tests; default none), `supabase_keys` (optional, see `AdminKeys`), and for each provider with which people sign in in a browser the secret
    /// `oidc_` and its name.
    package static func plan(_ context: ProcessContext, storage: UserStorage) async throws -> ProcessPlan {
        try check(context)
        // The keys of providers have connections of their own, which exchanges of codes with the same host cannot use up.
        let (client, keyClient) = (OutgoingCalls(client: makeHTTPClient()), OutgoingCalls(client: makeHTTPClient()))
        do { return try plan(context, storage, client, keyClient) } catch {
            // An HTTP client that is released without a shutdown crashes the process before it can log the error.
            for calls in [client, keyClient] { try await calls.client.shutdown() }
            throw error
        }
    }

    /// Refuses a policy or settings with which user-service does not start. `latchkeyctl policy check` calls it too.
    package static func check(_ context: ProcessContext) throws {
        try SettingsReport.requireAll([
            { try IdentityProviders.check(context) }, { _ = try AppleClientSecret(context.settings) },
            {
                if let passwords = context.policy.passwords { try HashingThreads.check(context.settings, passwords) }
            },
        ])
    }

    /// Refuses everything in policy, settings and secrets that keeps user-service from starting. `latchkeyctl doctor` calls it too.
    package static func requireSettings(_ context: ProcessContext, _ storage: StorageSource<UserStorage>) throws {
        let (settings, secrets) = (context.settings, context.settings.secrets)
        try SettingsReport.requireAll([
            { try check(context) }, { try WebProviders.requireSecrets(context) },
            { try IdentityProviders.requireAuthority(context) },
            { try storage.check(settings) }, { _ = try settings.redis() },
            { _ = try DecisionLog.folder(settings) }, { _ = try secrets.keyRing("user_storage_key") },
            { _ = try AdminKeys(context) }, { _ = try secrets.keyRing("attestation_otp_user") },
            { _ = try secrets.keyRing("grant_user_token") },
            { _ = try context.tokenSecrets() },
            { _ = try settings.serviceURLs("TOKEN_URL") },
            { _ = try settings.serviceURLs("OTP_URL") }, { _ = try settings.internalAuthorities() },
            { _ = try ServiceCertificate(settings) },
            { _ = try secrets.keyRing("assertion_user_token") }, { _ = try secrets.keyRing("assertion_user_otp") },
            { _ = try secrets.keyRing("assertion_gateway_user") },
            { _ = try secrets.keyRing("assertion_control_user") }, { try UserHook.check(settings) },
        ])
    }

    private static func plan(
        _ context: ProcessContext, _ storage: UserStorage, _ client: OutgoingCalls, _ keyClient: OutgoingCalls
    ) throws -> ProcessPlan {
        let settings = context.settings
        let authorities = try settings.internalAuthorities()
        let upkeep: [any Service] = authorities.map { [$0.upkeep(logger: context.logger)] } ?? []
        let toToken = try transport("token", context, client, authorities)
        let toOTP = try transport("otp", context, client, authorities)
        let tokenService = ServiceClient(service: "token", transport: toToken)
        let otpService = ServiceClient(service: "otp", transport: toOTP)
        let keys = try UserKeys(settings)
        let seal = OutboxSeal(ring: keys.storage)
        let courier = OutboxCourier(
            store: storage.outbox, tokenService: tokenService, otpService: otpService, seal: seal,
            apple: try IdentityProviders.appleServer(context.settings, client: client.client, now: now), now: now,
            logger: context.logger)
        let holder = Hex.encode(SecureRandom.bytes(8))
        let workers = OutboxMessage.Lane.allCases.map {
            OutboxWorker(
                lane: $0, store: storage.outbox, courier: courier, holder: holder, now: now,
                logger: context.logger)
        }
        let removal = RemovalJob(
            store: storage.removals,
            messages: RemovalMessages(userIDPrefix: context.policy.userIDPrefix, seal: seal),
            givenUp: GivenUpIdentities(tags: CallTags(ring: keys.storage)),
            engine: storage.engine, holder: holder, now: { context.wallClock.secondsForRemovals() },
            logger: context.logger)
        let inactive = InactiveAccounts(context.policy, storage, courier)
        // A clock that was wrong when the process began makes no step, but differs from the clocks of the other services.
        let timeForRemovals: @Sendable () -> Int64? = {
            context.clocks.problem == nil ? context.wallClock.secondsForRemovals() : nil
        }
        let pending = PendingChangeJob(
            store: storage.users, queries: storage.queries,
            rules: PendingChange.rules(
                context.policy, keys, seal, tokenService: tokenService,
                inactivity: InactivityRemoval(inactive, context.policy, storage, courier, keys, now: now)),
            now: timeForRemovals, logger: context.logger)
        let decisions = try DecisionLog(context, storage, holder: holder, now: now)
        UserCounters.start(context.policy, hasDecisions: decisions != nil)
        let redis = RedisClient(try settings.redis(), logger: context.logger)
        let (memory, redisUpkeep) = (RedisMemoryWatch(redis: redis), RedisUpkeep(redis, context))
        let mover = AuditMover(
            review: context.policy.anomalies == .off
                ? nil : ReviewLockout(store: storage.users, keys: keys, now: now, logger: context.logger),
            stream: RedisAuditStream(redis: redis), store: storage.audit, holder: holder, now: now,
            logger: context.logger)
        let secrets = SharedSecrets(try context.tokenSecrets())
        let tokenKeys = keyCache(context, tokenService: tokenService, secrets: secrets)
        let secretReload = SecretReload(logger: context.logger) {
            secrets.replace(try context.tokenSecrets())
            await tokenKeys.expire()
        }
        let hashing = try context.policy.passwords.map { try HashingThreads(settings, $0) }
        let check = hashing.map { passwordCheck($0, context, keys, redis, memory) }
        let guessMover = check.map { Self.guessMover($0.limits, storage, holder, context) }
        let signInTimes = SignInTimes(logger: context.logger, write: storage.users.noteUses)
        let restored = RestoredIdentities(
            queries: storage.queries, store: storage.users, seal: IdentitySeal(ring: keys.storage), now: now,
            logger: context.logger)
        let refusedTokens = RefusedTokenAudit(store: storage.users, now: now, logger: context.logger)
        let providers = try IdentityProviders(context, client: keyClient.client)
        let web = WebSignIn(
            providers: try WebProviders.make(context, of: providers.byName, client: client.client),
            redirects: context.policy.webRedirects, seal: WebSignInSeal(ring: keys.storage),
            notes: WebSignInNotes(redis: redis, hasRoom: { !memory.isNearlyFull }))
        var bearers = BearerAuthentication(policy: context.policy, keys: tokenKeys, now: now)
        bearers.adminKeys = try AdminKeys(context)
        let wiring = UserWiring(
            policy: context.policy, storage: storage, keys: keys,
            bearers: bearers, courier: courier,
            check: check,
            proofLock: ProofLock(
                redis: redis, tags: GuessTags(ring: keys.storage), hasRoom: { !memory.isNearlyFull }),
            signInTimes: signInTimes,
            providers: providers, web: web,
            previous: HTTPProviderExchange(client: client.client, answerBytesMax: PreviousAnswer.bytesMax),
            refusedTokens: refusedTokens,
            passkeys: try PasskeyRules(context, keys),
            clientFailures: FailureLimit(limitsLocalAddresses: settings.limitsLocalAddresses),
            state: context.state, now: now, logger: context.logger)
        let hook = try UserHook(
            context, client: client.client, queue: storage.events,
            bodies: UserEventBodies(context.policy, queries: storage.queries, logger: context.logger).callAsFunction)
        let server = try serviceApplication(context) { routes in
            wiring.add(to: &routes)
            EventRoutes(hook: hook, users: storage.users, now: now).add(to: &routes)
        }
        let inactivity = InactivityJob(
            accounts: inactive, leases: storage.leases, holder: holder, now: timeForRemovals, logger: context.logger)
        let optional: [(any Service)?] = [decisions, hook?.service, inactivity]
        return ProcessPlan(
            services: [
                storage.engine, redis, memory,
                ServerRankWatch(redis: redis, key: "db:user", exchange: storage.engine.exchangeServerRank),
                client, keyClient,
                ClockCheck([toToken, toOTP]),
            ] + upkeep + redisUpkeep.services + (hashing.map { [signInTimes, $0] } ?? []) + workers
                + (guessMover.map { [$0] } ?? [])
                + (context.policy.tokenProviders.isEmpty && context.policy.passkeys == nil ? [] : [refusedTokens])
                + [
                    removal, pending, mover, restored, storage.sweeper, wiring.counter, secretReload,
                    UserGauges(queries: storage.queries, logger: context.logger),
                ] + optional.compactMap { $0 } + server,
            readiness: [
                ReadinessCheck("database", problem: { await storage.engine.problem() }),
                ReadinessCheck("restored identities") { await restored.isDone() },
            ]
                // Without Redis only sign-ins by password and in a browser fail, and proofs of signed-in users, so Redis itself is not
                // part of the readiness.
                + [
                    ReadinessCheck("redis functions") { await !redis.lacks(GuessFunctions.library) },
                    redisUpkeep.readiness,
                ] + [hook?.readiness].compactMap { $0 })
    }

    /// Creates the job that moves the audit records of guesses at passwords.
    private static func guessMover(
        _ limits: GuessLimits, _ storage: UserStorage, _ holder: String, _ context: ProcessContext
    ) -> AuditMover {
        AuditMover(
            leaseName: "audit_mover login", stream: limits.auditStream(now: now), store: storage.audit, holder: holder,
            now: now, logger: context.logger)
    }

    private static func passwordCheck(
        _ hashing: HashingThreads, _ context: ProcessContext, _ keys: UserKeys, _ redis: RedisClient,
        _ memory: RedisMemoryWatch
    ) -> CheckPassword {
        CheckPassword(
            hasher: hashing.hasher,
            limits: GuessLimits(
                redis: redis, scripts: GuessScripts(hashing.policy.attempts), policy: hashing.policy,
                tags: GuessTags(ring: keys.storage), limitsLocalAddresses: context.settings.limitsLocalAddresses,
                hasRoom: { !memory.isNearlyFull }))
    }

    private static func transport(
        _ service: String, _ context: ProcessContext, _ client: OutgoingCalls, _ authorities: InternalAuthorities?
    ) throws -> HTTPServiceTransport {
        HTTPServiceTransport(
            service: service, baseURLs: try context.settings.serviceURLs("\(service.uppercased())_URL"),
            caller: .user, keys: try context.settings.secrets.keyRing("assertion_user_\(service)"),
            client: client.client, authorities: authorities, clocks: context.clocks)
    }

    private static func keyCache(
        _ context: ProcessContext, tokenService: ServiceClient, secrets: SharedSecrets
    ) -> TokenKeyCache<VerificationKeySet> {
        let published = PublishedKeys(tokenService: tokenService, secrets: { secrets.ring })
        return TokenKeyCache(
            rule: TokenKeyRule(keySet: KeySetRule(ageMaxSeconds: context.policy.signing.jwksMaxAgeSeconds)),
            logger: context.logger,
            fetch: published.fetch)
    }
}
