import AccessTokens
import CryptoPrimitives
import EdgeHTTP
import FoundationEssentials
import InternalAPI
import Logging
import NIOPosix
import OutgoingConnections
import Policies
import RedisClient
import ServiceCalls
import ServiceKit

/// The gateway's parts, and the rules with which it starts.
struct GatewayWiring: Sendable {
    let parts: EdgeParts
    let upstreams: AppUpstreams
    let rules: EdgeRules
    let keys: KeySetRefresher
    let replica: RevocationReplica
    let lookup: RevocationLookup
    let memory: RedisMemoryWatch
    let limiter: EdgeLimiter
    let feed: RevocationFeedReader
    let clockCheck: ClockCheck
    /// The authorities of services at https addresses; `nil` if there are none.
    let authorities: InternalAuthorities?

    init(
        _ context: ProcessContext, _ listening: EdgeListening, _ keeper: CertificateKeeper?, _ pools: EventLoopPools,
        _ shares: MemoryShares
    ) throws {
        let settings = context.settings
        authorities = try settings.internalAuthorities()
        let (services, clockCheck) = try Self.backends(
            context, tls: authorities.map(UpstreamTLS.init), client: UpstreamClient(loops: pools))
        let keys = try Self.keySetRefresher(context, token: services.token)
        let replica = RevocationReplica()
        let redis = try settings.redis()
        let lookup = RevocationLookup(redis, group: MultiThreadedEventLoopGroup.singleton, logger: context.logger)
        let memory = RedisMemoryWatch(redis: lookup.redis)
        let limiter = EdgeLimiter(source: RedisAllowance(redis: lookup.redis, memory: memory))
        (self.keys, self.replica, self.lookup, self.memory) = (keys, replica, lookup, memory)
        (self.limiter, self.clockCheck) = (limiter, clockCheck)
        let long = LongConnections(replica: replica)
        feed = RevocationFeedReader(
            replica: replica, revoked: { long.didRevoke($0) }, configuration: redis,
            keysChanged: { keys.noteChange(now: MonotonicTime.nanoseconds()) },
            removalTime: { context.wallClock.secondsForRemovals() }, logger: context.logger)
        parts = EdgeParts(
            services: services,
            access: EdgeGuard(
                keys: keys, cache: VerifiedTokenCache(bytesMax: shares.tokenCache), replica: replica,
                metrics: EdgeMetrics()),
            lookup: lookup, limiter: limiter, long: long, texts: try context.messageCatalog(),
            plain: try Self.plainRule(listening, keeper, context), draining: DrainFlag(),
            console: try ConsoleRoute(context, keys: Self.keys("user", context)),
            tlsConnectionsMax: listening.tls == nil ? nil : shares.tlsConnectionsMax)
        upstreams = try AppUpstreams(context)
        rules = try parts.rules(context, upstreams)
    }

    private static func backends(
        _ context: ProcessContext, tls: UpstreamTLS?, client: UpstreamClient
    ) throws -> (BackendServices, ClockCheck) {
        let transports = try ["otp", "token", "user"].map { name in
            GatewayTransport(
                group: UpstreamGroup(
                    name: name, endpoints: try endpoints(name, context), tls: tls, logger: context.logger),
                signer: AssertionSigner(caller: .gateway, service: name, keys: try keys(name, context)),
                client: client, clocks: context.clocks)
        }
        let clients = transports.map { ServiceClient(service: $0.group.name, transport: $0) }
        let limit = try context.phoneSenders().contains(.twilioVerifyManaged) ? TimeLimit.ofProvidersCodes : nil
        let otp = limit.map { clients[0].waiting($0, for: OTPOperations.verify.path) } ?? clients[0]
        return (BackendServices(otp: otp, token: clients[1], user: clients[2]), ClockCheck(transports))
    }

    /// Creates the rule for requests that come without TLS; `nil` if they are served.
    private static func plainRule(
        _ listening: EdgeListening, _ keeper: CertificateKeeper?, _ context: ProcessContext
    ) throws -> PlainRule? {
        let board = keeper?.board
        guard listening.plainUse == .redirect || listening.challengeURL != nil || board != nil else { return nil }
        let challenges = try listening.challengeURL.map { url in
            UpstreamGroup(
                name: "acme",
                endpoints: try UpstreamEndpoint.read(
                    [url], setting: EdgeListening.challengeVariable, overTLS: false), logger: context.logger)
        }
        return PlainRule(
            use: listening.plainUse, port: listening.publicPort,
            covers: { host in keeper?.certificates.covers(host: host) ?? false }, challenges: challenges, board: board,
            lacksCertificate: { board != nil && keeper?.certificates.pairs.isEmpty == true })
    }
}

// MARK: - Settings and secrets

extension GatewayWiring {
    /// The services that the gateway calls.
    static let services = ["otp", "token", "user"]

    static func endpoints(_ name: String, _ context: ProcessContext) throws -> [UpstreamEndpoint] {
        let setting = name.uppercased() + "_URL"
        return try UpstreamEndpoint.read(context.settings.serviceURLs(setting), setting: setting, overTLS: true)
    }

    static func keys(_ name: String, _ context: ProcessContext) throws -> KeyRing {
        try context.settings.secrets.keyRing("assertion_gateway_\(name)")
    }

    private static func keySetRefresher(_ context: ProcessContext, token: ServiceClient) throws -> KeySetRefresher {
        let policy = context.policy
        let forms = Array(policy.tokenForms.values)
        return KeySetRefresher(
            token: token, secrets: try context.tokenSecrets(),
            rule: KeySetRule(ageMaxSeconds: policy.signing.jwksMaxAgeSeconds), logger: context.logger
        ) { published, secrets in
            let keys = try VerificationKeySet(published, secrets: secrets)
            return AccessTokenVerifier(policy, forms: forms, keys: keys)
        }
    }

    /// Creates the signer of identity proofs if a route needs them.
    static func identitySigner(_ context: ProcessContext) throws -> IdentitySigner? {
        guard context.policy.routes.contains(where: { $0.identityAudience != nil }) else { return nil }
        return try IdentitySigner(
            issuer: context.policy.issuer, keys: context.settings.secrets.keyRing("identity_ed25519"))
    }
}
