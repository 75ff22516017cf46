import EdgeHTTP
import Logging
import Policies
import ServiceKit
import Tracing

/// The parts of the edge that last from the start of the process to its end, and from which the rules of each policy are made.
struct EdgeParts: Sendable {
    let services: BackendServices
    let access: EdgeGuard
    let lookup: RevocationLookup
    let limiter: EdgeLimiter
    let libraries = ClientLibraryCounts()
    /// The open WebSockets and live responses.
    let long: LongConnections
    /// The texts of the pages that people see.
    let texts: MessageCatalog
    /// The rule for requests without TLS; `nil` if they are served.
    let plain: PlainRule?
    let draining: DrainFlag
    /// The console; `nil` if the policy has none.
    let console: ConsoleRoute?
    /// How many connections fit the memory if they speak TLS; `nil` if the gateway does not.
    let tlsConnectionsMax: Int?

    /// Makes the rules of a policy.
    func rules(_ context: ProcessContext, _ upstreams: AppUpstreams) throws -> EdgeRules {
        let proxies = try FrontProxies(context.policy) { context.settings.variable($0) }
        let health = HealthPath(context.policy, draining: draining)
        StartWarnings(context, speaksTLS: tlsConnectionsMax != nil, proxies: proxies).log()
        return EdgeRules(
            router: try router(context, upstreams, proxies, health), limits: limits(context, proxies, health),
            accessLogOneIn: context.policy.edge.accessLogOneIn,
            traceOneIn: InstrumentationSystem.tracer is NoOpTracer ? 0 : context.policy.tracing.oneIn)
    }

    private func router(
        _ context: ProcessContext, _ upstreams: AppUpstreams, _ proxies: FrontProxies, _ health: HealthPath?
    ) throws -> EdgeRouter {
        let (policy, settings) = (context.policy, context.settings)
        let identity = try GatewayWiring.identitySigner(context)
        let spoken = SpokenDialect.all(
            of: policy, texts: texts, sendsMail: try context.mailSender() != .none, address: try context.publicURL())
        return EdgeRouter(
            table: RouteTable(spoken, app: (console.map { [$0.route] } ?? []) + (try upstreams.routes(policy))),
            gate: EdgeGate(
                access: access, lookup: lookup,
                limits: EdgeLimits(
                    limiter: limiter, auth: policy.edge.authLimit,
                    limitsLocalAddresses: settings.limitsLocalAddresses, administrators: policy.admin.limit),
                metrics: access.metrics, libraries: libraries, long: long, admin: policy.admin),
            useCases: UseCases(
                services, access: access,
                keys: PublishedKeys(
                    keys: access.keys, identity: identity?.published,
                    ageSecondsMax: Int(clamping: policy.signing.jwksMaxAgeSeconds)),
                asksGuestList: policy.accounts.newUsers.phone == .invited, process: context),
            identity: identity, crossOrigin: policy.crossOrigin.map { Self.crossOrigin($0, spoken) },
            pages: WebPages(policy, publicURL: try context.publicURL(), in: settings.environment),
            secureLines: Self.secureLines(policy.edge), plain: plain, health: health, console: console,
            trustedProxies: proxies.trusted,
            claimHeaderNames: OwnFieldNames(policy.claimHeaderNames), bodyBytesMax: policy.edge.bodyBytesMax)
    }

    /// The headers of the policy and of its dialects.
    private static func crossOrigin(_ policy: CrossOriginPolicy, _ spoken: [SpokenDialect]) -> CrossOrigin {
        CrossOrigin(
            policy, exposing: spoken.flatMap(\.dialect.exposedHeaders),
            allowing: spoken.flatMap(\.dialect.allowedHeaders))
    }

    /// Returns the header lines of every response over https.
    private static func secureLines(_ edge: EdgePolicy) -> [UInt8] {
        edge.hstsSeconds > 0 ? Array("Strict-Transport-Security: max-age=\(edge.hstsSeconds)\r\n".utf8) : []
    }

    /// Reads the policy's limits. The slots are bounded by the connections that fit the memory, so that they run short before the
    /// memory does, and idle connections give theirs back.
    private func limits(_ context: ProcessContext, _ proxies: FrontProxies, _ health: HealthPath?) -> ServerLimits {
        let wanted = context.policy.edge.connectionsMax
        let max = min(wanted, tlsConnectionsMax ?? wanted)
        if max < wanted {
            context.logger.notice(
                "edge.connections.fewer",
                metadata: ["policy": .stringConvertible(wanted), "fitting.memory": .stringConvertible(max)])
        }
        return ServerLimits(context.policy.edge, connectionsMax: max, proxies: proxies, health: health)
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
