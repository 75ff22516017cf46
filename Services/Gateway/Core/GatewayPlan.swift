import AccessTokens
import CryptoPrimitives
import EdgeHTTP
import FoundationEssentials
import InternalAPI
import Logging
import NIOPosix
import Policies
import RedisClient
import ServiceCalls
package import ServiceKit
import ServiceLifecycle

/// Builds the gateway: the edge's parts, and the services that keep them up to date.
package enum Gateway {
    /// Runs the process until it is told to stop.
    package static func run() async {
        await runProcess(
            "gateway",
            "gateway is the one process that clients reach: it serves sign-in, and passes requests to your API.",
            defaultPort: 8080, mayListenNowhere: true, socketThreads: .oneForEachCore
        ) { try await plan($0) }
    }

    package static func plan(_ context: ProcessContext) async throws -> ProcessPlan {
        let (listening, keeper) = try SettingsReport.both(
            { try listeners(context) }, { try requireSettings(context) }
        ).0
        let group = MultiThreadedEventLoopGroup.singleton
        let shares = try memoryShares(context)
        let pools = try await EventLoopPools.make(
            on: group, budget: MemoryBudget(bytesMax: shares.connections, logger: context.logger))
        let (services, clockCheck) = try backends(context, client: UpstreamClient(loops: pools))
        let keys = try keySetRefresher(context, token: services.token)
        let replica = RevocationReplica()
        let redis = try context.settings.redis()
        let lookup = RevocationLookup(redis, group: group, logger: context.logger)
        let memory = RedisMemoryWatch(redis: lookup.redis)
        let metrics = EdgeMetrics()
        let edge = EdgeGuard(
            keys: keys, cache: VerifiedTokenCache(bytesMax: shares.tokenCache), replica: replica, metrics: metrics)
        let identity = try identitySigner(context)
        let proxies = try FrontProxies(context.policy) { context.settings.variable($0) }
        let limiter = EdgeLimiter(source: RedisAllowance(redis: lookup.redis, memory: memory))
        let limits = EdgeLimits(
            limiter: limiter, auth: context.policy.edge.authLimit,
            limitsLocalAddresses: context.settings.limitsLocalAddresses)
        let published = PublishedKeys(
            keys: keys, identity: identity?.published,
            ageSecondsMax: Int(clamping: context.policy.signing.jwksMaxAgeSeconds))
        StartWarnings(context, speaksTLS: listening.tls != nil, proxies: proxies).log()
        let draining = DrainFlag()
        let health = HealthPath(context.policy, draining: draining)
        let router = EdgeRouter(
            table: RouteTable(
                SpokenDialect.all(
                    of: context.policy, texts: try context.messageCatalog(),
                    sendsMail: try context.mailSender() != .none, address: try context.publicURL()),
                app: try AppUpstreams.routes(context)),
            gate: EdgeGate(access: edge, lookup: lookup, limits: limits, metrics: metrics),
            useCases: UseCases(
                services, access: edge, keys: published,
                asksGuestList: context.policy.accounts.newUsers.phone == .invited),
            identity: identity, crossOrigin: context.policy.crossOrigin.map(CrossOrigin.init),
            pages: WebPages(
                context.policy, publicURL: try context.publicURL(), in: context.settings.environment),
            secureLines: secureLines(context.policy.edge), plain: try plainRule(listening, keeper, context),
            health: health, trustedProxies: proxies.trusted, bodyBytesMax: context.policy.edge.bodyBytesMax)
        let feed = RevocationFeedReader(
            replica: replica, configuration: redis,
            keysChanged: { keys.noteChange(now: MonotonicTime.nanoseconds()) },
            removalTime: { context.wallClock.secondsForRemovals() }, logger: context.logger)
        let secretReload = SecretReload(logger: context.logger) {
            await keeper?.look(isAsked: true)
            if let secrets = try context.tokenSecrets() { try keys.replaceSecrets(secrets) }
        }
        let server = HTTPServer(
            plain: listening.plain,
            tls: listening.tls.flatMap { tls in keeper.map { TLSListener(tls, certificates: $0.certificates) } },
            group: group, pools: pools, router: router,
            limits: serverLimits(context, proxies, health, listening.tls == nil ? nil : shares.tlsConnectionsMax),
            observer: EdgeObserver(
                log: AccessLog(logger: context.logger, oneIn: context.policy.edge.accessLogOneIn, router: router),
                refusals: RefusalLog(logger: context.logger)),
            isReady: { keys.isReady && replica.isReady }, draining: draining, logger: context.logger)
        return ProcessPlan(
            services: [
                lookup.redis, memory,
                RedisEviction(redis: lookup.redis, in: context.settings.environment, logger: context.logger), keys,
                feed, RevocationGauges(replica: replica), limiter, secretReload, clockCheck,
            ] + (keeper.map { [$0] } ?? []) + [server],
            readiness: [
                ReadinessCheck("keys") { keys.isReady }, ReadinessCheck("revocations") { replica.isReady },
                ReadinessCheck("redis functions") { await !lookup.redis.lacks(GatewayFunctions.library) },
            ])
    }

    /// Refuses a policy or settings that keep the gateway from starting. `latchkeyctl policy check` calls it too.
    package static func check(_ context: ProcessContext) throws {
        try SettingsReport.requireAll([
            {
                let listing = PathListing(of: context.policy)
                guard listing.clashes.isEmpty else { throw PolicyError(findings: listing.clashes) }
            },
            { _ = try context.messageCatalog() }, { _ = try context.mailSender() }, { _ = try context.phoneSenders() },
            { try SettingsReport.requireNone(context.policy.siteProblems(publicURL: context.publicURL())) },
            {
                let problem = try context.policy.webSignInProblem(publicURL: context.publicURL())
                try SettingsReport.requireNone(problem.map { [$0] } ?? [])
            },
            { _ = try FrontProxies(context.policy) { context.settings.variable($0) } },
            { _ = try AppUpstreams.routes(context) }, { _ = try CertificateKeeper.pins(context.policy.edge.tls) },
            { _ = try memoryShares(context) },
        ])
    }

    /// Refuses everything else in settings and secrets that keeps the gateway from starting.
    private static func requireSettings(_ context: ProcessContext) throws {
        let backends = usualURLs.keys.sorted().flatMap { name in
            [{ _ = try endpoints(name, context) }, { _ = try keys(name, context) }] as [() throws -> Void]
        }
        try SettingsReport.requireAll(
            [{ try check(context) }] + backends + [
                { _ = try context.settings.redis() }, { _ = try context.tokenSecrets() },
                { _ = try identitySigner(context) },
            ])
    }

    /// Where it listens, and the certificates of TLS.
    private static func listeners(_ context: ProcessContext) throws -> (EdgeListening, CertificateKeeper?) {
        let listening = try EdgeListening(context.settings)
        let keeper = try listening.tls.map { _ in
            try CertificateKeeper(
                listening.folder, policy: context.policy.edge.tls, in: context.settings.environment,
                logger: context.logger)
        }
        return (listening, keeper)
    }

    /// Divides the memory that the process is given. Throws if it is too little for the policy's connections.
    private static func memoryShares(_ context: ProcessContext) throws -> MemoryShares {
        let limit = try MemoryLimit.find(setting: context.settings.variable(MemoryLimit.Source.setting.rawValue))
        let shares = MemoryShares(of: limit.bytes)
        let wanted = context.policy.edge.connectionsMax
        guard wanted <= shares.connectionsMax else {
            throw SettingsError(
                "edge.connectionsMax",
                "\(wanted) connections need more than \(limit.megabytes) MB of memory (\(limit.source.rawValue)). Use at most "
                    + "\(shares.connectionsMax) in the policy, or raise LATCHKEY_MEMORY_MB.")
        }
        return shares
    }

    private static func backends(
        _ context: ProcessContext, client: UpstreamClient
    ) throws -> (BackendServices, ClockCheck) {
        let transports = try ["otp", "token", "user"].map { name in
            GatewayTransport(
                group: UpstreamGroup(name: name, endpoints: try endpoints(name, context), logger: context.logger),
                signer: AssertionSigner(caller: .gateway, service: name, keys: try keys(name, context)),
                client: client, clocks: context.clocks)
        }
        let clients = transports.map { ServiceClient(service: $0.group.name, transport: $0) }
        let limit = try context.phoneSenders().contains(.twilioVerifyManaged) ? TimeLimit.ofProvidersCodes : nil
        let otp = limit.map { clients[0].waiting($0, for: OTPOperations.verify.path) } ?? clients[0]
        return (BackendServices(otp: otp, token: clients[1], user: clients[2]), ClockCheck(transports))
    }

    /// Where the services are unless their variables say otherwise.
    private static let usualURLs = [
        "otp": "http://127.0.0.1:8081", "token": "http://127.0.0.1:8082", "user": "http://127.0.0.1:8083",
    ]

    private static func endpoints(_ name: String, _ context: ProcessContext) throws -> [UpstreamEndpoint] {
        let urls = try context.settings.serviceURLs("\(name).url", default: usualURLs[name] ?? "")
        return try UpstreamEndpoint.read(urls, setting: "\(name.uppercased())_URL", overTLS: false)
    }

    private static func keys(_ name: String, _ context: ProcessContext) throws -> KeyRing {
        try context.settings.secrets.keyRing("assertion_gateway_\(name)")
    }

    private static func keySetRefresher(_ context: ProcessContext, token: ServiceClient) throws -> KeySetRefresher {
        let policy = context.policy
        return KeySetRefresher(
            token: token, secrets: try context.tokenSecrets(),
            rule: KeySetRule(ageMaxSeconds: policy.signing.jwksMaxAgeSeconds), logger: context.logger
        ) { published, secrets in
            let keys = try VerificationKeySet(published, secrets: secrets)
            return AccessTokenVerifier(
                issuer: policy.issuer, audience: policy.audience, leewaySeconds: policy.signing.leewaySeconds,
                keys: keys)
        }
    }

    /// Creates the signer of identity proofs if a route needs them.
    private static func identitySigner(_ context: ProcessContext) throws -> IdentitySigner? {
        guard context.policy.routes.contains(where: { $0.identityAudience != nil }) else { return nil }
        return try IdentitySigner(
            issuer: context.policy.issuer, keys: context.settings.secrets.keyRing("identity_ed25519"))
    }

    /// Reads the policy's limits.
    ///
    /// - Parameter fitting: how many connections fit the memory if they speak TLS, or `nil`. The slots are bounded by it, so that
    ///   they run short before the memory does, and idle connections give theirs back.
    private static func serverLimits(
        _ context: ProcessContext, _ proxies: FrontProxies, _ health: HealthPath?, _ fitting: Int?
    ) -> ServerLimits {
        let wanted = context.policy.edge.connectionsMax
        let max = min(wanted, fitting ?? wanted)
        if max < wanted {
            context.logger.notice(
                "edge.connections.fewer",
                metadata: ["policy": .stringConvertible(wanted), "fitting.memory": .stringConvertible(max)])
        }
        return ServerLimits(context.policy.edge, connectionsMax: max, proxies: proxies, health: health)
    }

    /// Creates the rule for requests that come without TLS; `nil` if they are served.
    private static func plainRule(
        _ listening: EdgeListening, _ keeper: CertificateKeeper?, _ context: ProcessContext
    ) throws -> PlainRule? {
        guard listening.plainUse == .redirect || listening.challengeURL != nil else { return nil }
        let challenges = try listening.challengeURL.map { url in
            UpstreamGroup(
                name: "acme",
                endpoints: try UpstreamEndpoint.read(
                    [url], setting: EdgeListening.challengeVariable, overTLS: false), logger: context.logger)
        }
        return PlainRule(
            use: listening.plainUse, port: listening.publicPort,
            covers: { host in keeper?.certificates.covers(host: host) ?? false }, challenges: challenges)
    }

    /// Returns the header lines of every response over https.
    private static func secureLines(_ edge: EdgePolicy) -> [UInt8] {
        edge.hstsSeconds > 0 ? Array("Strict-Transport-Security: max-age=\(edge.hstsSeconds)\r\n".utf8) : []
    }
}

extension ServerLimits {
    init(_ policy: EdgePolicy, connectionsMax: Int, proxies: FrontProxies, health: HealthPath?) {
        self.init(
            head: .init(bytesMax: policy.headerBytesMax, fieldsMax: policy.headerCountMax),
            connectionsMax: connectionsMax, connectionsPerAddressMax: policy.connectionsPerAddressMax,
            sharedPeers: proxies.trusted, expectsProxyHeader: proxies.announceClients,
            headSeconds: policy.headerTimeoutSeconds,
            bodySeconds: policy.bodyIdleTimeoutSeconds, idleSeconds: policy.idleTimeoutSeconds,
            bytesPerSecondMin: policy.bytesPerSecondMin, healthPath: health?.path ?? [])
    }
}
