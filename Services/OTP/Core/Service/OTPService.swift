internal import CryptoPrimitives
internal import Delivery
internal import InternalAPI
internal import Policies
internal import RedisClient
package import ServiceKit
internal import ServiceLifecycle

/// otp-service: makes, sends and checks one-time codes.
package enum OTPService {
    /// Where it listens unless `LATCHKEY_LISTEN` says otherwise.
    package static let defaultPort = 8081

    /// Runs the process until it is told to stop.
    package static func run() async {
        await runProcess("otp", defaultPort: defaultPort) { try plan($0) }
    }

    /// Builds the process from its settings.
    package static func plan(_ context: ProcessContext) throws -> ProcessPlan {
        let settings = context.settings
        let redis = RedisClient(try settings.redis(), logger: context.logger)
        let client = makeHTTPClient()
        let memory = RedisMemoryWatch(redis: redis)
        let store = RedisChallengeStore(redis: redis, scripts: CodeScripts(context.policy.otp))
        let sender = try OTPSettings(settings).makeSender(context, client: client) { UnixTime.seconds() }
        let routes = try OTPRoutes(
            rules: CodeRules(context.policy, localExemption: localExemption(settings)),
            codeKeys: settings.secrets.keyRing("otp_hmac_key"),
            attestationKeys: settings.secrets.keyRing("attestation_otp_user"),
            store: store, hasRoom: { !memory.isNearlyFull }, sender: sender, logger: context.logger)
        let sweep = NumberSweep(store: store, clock: { UnixTime.seconds() }, logger: context.logger)
        let server = try serviceApplication(context) { routes.add(to: &$0) }
        return ProcessPlan(
            services: [redis, memory, OutgoingCalls(client: client), sweep, server],
            readiness: [ReadinessCheck("redis") { redis.isConnected }])
    }

    /// Tests on one machine are not held up by limits; in uat only those by address cannot tell testers apart.
    private static func localExemption(_ settings: ProcessSettings) -> LimitExemption {
        if settings.limitsLocalAddresses { return .none }
        return settings.environment == .development ? .all : .byAddress
    }
}
