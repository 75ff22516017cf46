import EdgeHTTP
import FoundationEssentials
import Logging
import NIOPosix
import OutgoingConnections
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
        ) { try await .exportingSpans($0) { try await plan($0) } }
    }

    package static func plan(_ context: ProcessContext) async throws -> ProcessPlan {
        let (listening, keeper) = try SettingsReport.both(
            { try listeners(context) }, { try requireSettings(context) }
        ).0
        let group = MultiThreadedEventLoopGroup.singleton
        let shares = try memoryShares(context)
        let pools = try await EventLoopPools.make(
            on: group, budget: MemoryBudget(bytesMax: shares.connections, logger: context.logger))
        let wiring = try GatewayWiring(context, listening, keeper, pools, shares)
        let acme = try keeper.flatMap { try ACMEKeeper(context, listening, $0) }
        let secretReload = SecretReload(logger: context.logger) {
            await keeper?.look(isAsked: true)
            if let secrets = try context.tokenSecrets() { try wiring.keys.replaceSecrets(secrets) }
        }
        let server = HTTPServer(
            plain: listening.plain,
            tls: listening.tls.flatMap { tls in keeper.map { TLSListener(tls, certificates: $0.certificates) } },
            group: group, pools: pools, rules: wiring.rules,
            observer: EdgeObserver(
                log: AccessLog(logger: context.logger), refusals: RefusalLog(logger: context.logger),
                proxies: UntrustedProxyWatch(logger: context.logger)),
            isReady: { wiring.keys.isReady && wiring.replica.isReady }, draining: wiring.parts.draining,
            logger: context.logger)
        let policyReload = PolicyReload(
            context, parts: wiring.parts, upstreams: wiring.upstreams, keeper: keeper, server: server)
        let redis = wiring.lookup.redis
        let redisUpkeep = RedisUpkeep(redis, context)
        let upkeep: [any Service] =
            (wiring.authorities.map { [$0.upkeep(logger: context.logger)] } ?? []) + (acme.map { [$0] } ?? [])
        return ProcessPlan(
            services: [
                redis, wiring.memory, wiring.keys, wiring.feed, RevocationGauges(replica: wiring.replica),
                LongConnectionWatch(connections: wiring.parts.long), wiring.limiter, secretReload, wiring.clockCheck,
                SecretReload(logger: context.logger, of: "policy") {
                    // After the policy is read, which may name another directory now.
                    defer { acme?.orderNow() }
                    try await policyReload.run()
                },
            ] + upkeep + redisUpkeep.services + (keeper.map { [$0] } ?? []) + [server],
            readiness: [
                ReadinessCheck("keys", problem: { wiring.keys.problem }),
                ReadinessCheck("revocations", problem: { wiring.replica.isReady ? nil : redis.problem ?? "" }),
                ReadinessCheck("redis functions") { await !redis.lacks(GatewayFunctions.library) },
                redisUpkeep.readiness,
            ] + (acme.map { acme in [ReadinessCheck("certificate", problem: { acme.problem })] } ?? []))
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
            {
                try SettingsReport.requireNone(
                    context.policy.passkeyProblems(
                        publicURL: context.publicURL(), in: context.settings.environment))
            },
            { _ = try FrontProxies(context.policy) { context.settings.variable($0) } },
            { _ = try AppUpstreams(context).routes(context.policy) },
            { _ = try CertificateKeeper.pins(context.policy.edge.tls) },
            { _ = try memoryShares(context) },
        ])
    }

    /// Refuses everything else in settings and secrets that keeps the gateway from starting.
    package static func requireSettings(_ context: ProcessContext) throws {
        let backends = GatewayWiring.services.flatMap { name in
            [{ _ = try GatewayWiring.endpoints(name, context) }, { _ = try GatewayWiring.keys(name, context) }]
                as [() throws -> Void]
        }
        try SettingsReport.requireAll(
            [{ try check(context) }] + backends + [
                { _ = try context.settings.redis() }, { _ = try context.tokenSecrets() },
                { _ = try GatewayWiring.identitySigner(context) },
                { _ = try ConsoleRoute(context, keys: GatewayWiring.keys("user", context)) },
                { _ = try context.settings.internalAuthorities() },
            ])
    }

    /// Where it listens, and the certificates of TLS.
    private static func listeners(_ context: ProcessContext) throws -> (EdgeListening, CertificateKeeper?) {
        let listening = try EdgeListening(context.settings)
        if listening.tls == nil, context.settings.environment == .production, context.policy.edge.tls.acme != nil {
            throw SettingsError.missing(
                "LATCHKEY_TLS_LISTEN", because: "the policy has edge.tls.acme", use: "the address for https")
        }
        let keeper = try listening.tls.map { _ in
            let (acme, edge) = (try ACMEFolder(context), context.policy.edge)
            return try CertificateKeeper(
                acme?.path ?? listening.folder, policy: edge.tls, http2: edge.http2, orders: acme != nil,
                in: context.settings.environment, logger: context.logger)
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
}
