import AsyncHTTPClient
import CryptoPrimitives
import Delivery
import InternalAPI
import Logging
import Policies
import RedisClient
import ServiceCalls
import ServiceHTTP
package import ServiceKit
import ServiceLifecycle

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
        try check(context)
        for caution in try cautions(context) {
            context.logger.warning("otp.caution", metadata: ["caution": "\(caution)"])
        }
        let settings = context.settings
        let redis = RedisClient(try settings.redis(), logger: context.logger)
        let client = makeHTTPClient(connectionsMax: SendLoad.connectionsMax)
        let memory = RedisMemoryWatch(redis: redis)
        let own = try OTPSettings(context)
        let spend = own.costs ? context.policy.spend : nil
        let (dialects, store) = try terms(context, redis, spend)
        let line = try own.makeLine(context, client: client)
        let reports = try own.approvalReports(client: client, logger: context.logger)
        let trace = TraceBook(
            redis: redis, isShort: { memory.isShort }, now: { UnixTime.seconds() }, logger: context.logger)
        let book = SpendBook(redis: redis)
        let routes = try OTPRoutes(
            dialects: dialects, store: store, mail: try mail(context, redis, client),
            codeKeys: settings.secrets.keyRing("otp_hmac_key"),
            attestationKeys: settings.secrets.keyRing("attestation_otp_user"), hasRoom: { !memory.isNearlyFull },
            line: line, twilio: try own.twilioTerms(client: client, reports),
            trace: .init(book: trace, redis: redis, script: store.scripts.readTrace),
            spending: spend.map { ($0, book) }, logger: context.logger)
        let sweep = NumberSweep(store: store, now: { UnixTime.seconds() }, logger: context.logger)
        let reviews = ReviewWatch(store: store, now: { UnixTime.seconds() }, logger: context.logger)
        let server = try serviceApplication(context) { routes.add(to: &$0) }
        return ProcessPlan(
            services: [
                redis, memory, RedisEviction(redis: redis, in: settings.environment, logger: context.logger),
                OutgoingCalls(client: client), sweep, reviews, trace,
            ]
                + watch(spend, book, context.logger) + own.services(reports, context.logger) + [server],
            readiness: [
                ReadinessCheck("redis") { redis.isConnected },
                ReadinessCheck("redis functions") { await redis.has(CodeFunctions.library) },
            ])
    }

    /// Refuses what in policy and settings keeps otp-service from starting. `latchkeyctl policy check` calls it too.
    package static func check(_ context: ProcessContext) throws {
        let (policy, environment) = (context.policy, context.settings.environment)
        _ = try context.messageCatalog()
        _ = try PhoneChannels(context)
        guard policy.sendsMail, try context.mailSender() != .none else { return }
        guard try policy.passwords == nil || baseURL(context) != nil else {
            throw SettingsError(
                publicURL, "is needed for the links of mails about passwords, or publicURL in the policy")
        }
        guard let email = policy.email, environment == .production else { return }
        guard try email.linkURL != nil || context.publicURL() != nil else {
            throw SettingsError(publicURL, "is needed for the links of mails, or publicURL in the policy")
        }
    }

    /// Warnings for the operator that stop no start. `latchkeyctl policy check` prints them too.
    ///
    /// - Throws: as `check`.
    package static func cautions(_ context: ProcessContext) throws -> [String] { try PhoneChannels(context).cautions }

    private static func watch(_ spend: SpendPolicy?, _ book: SpendBook, _ logger: Logger) -> [any Service] {
        guard let spend else { return [] }
        return [SpendWatch(policy: spend, book: book, now: { UnixTime.seconds() }, logger: logger)]
    }

    /// The dialects in which codes can be asked for, each with a store of its rules, and a store of the policy's own; none
    /// where no codes go to phones.
    private static func terms(
        _ context: ProcessContext, _ redis: RedisClient, _ spend: SpendPolicy?
    ) throws -> (dialects: [OTPRoutes.Terms], shared: RedisChallengeStore) {
        let (policy, settings) = (context.policy, context.settings)
        func store(_ otp: OTPPolicy) -> RedisChallengeStore {
            RedisChallengeStore(
                redis: redis,
                scripts: CodeScripts(
                    otp, among: policy.codePolicies, spend: spend, isClosed: policy.isClosedToPhones))
        }
        let catalog = try context.messageCatalog()
        let dialects = policy.codeDialects.map { dialect in
            let rules = CodeRules(
                of: dialect, in: policy, catalog: catalog, environment: settings.environment,
                localExemption: localExemption(settings), spend: spend.map { SpendRules(policy: $0) })
            return OTPRoutes.Terms(rules: rules, store: store(dialect.otp))
        }
        return (dialects, store(policy.otp))
    }

    /// What mails need; nil where none goes out.
    private static func mail(
        _ context: ProcessContext, _ redis: RedisClient, _ client: HTTPClient
    ) throws -> OTPRoutes.MailTerms? {
        let (policy, settings) = (context.policy, context.settings)
        guard policy.sendsMail, let sender = try MailSettings(context).makeSender(context, client: client)
        else { return nil }
        let baseURL = try baseURL(context)
        let catalog = try context.messageCatalog()
        return OTPRoutes.MailTerms(
            codes: try policy.email.map { try mailCodes($0, context, redis, catalog) },
            notices: NoticeLetter(appName: policy.messages.appName, catalog: catalog, baseURL: baseURL),
            sender: sender, bars: AddressBars(redis: redis, now: { UnixTime.seconds() }),
            webhooks: try MailSettings.webhooks(settings))
    }

    private static let publicURL = "LATCHKEY_PUBLIC_URL"

    /// Where the gateway's pages are: `publicURL`, or where the links of sign-in mails lead.
    private static func baseURL(_ context: ProcessContext) throws -> String? {
        try context.publicURL()?.text ?? context.policy.email?.linkURL.flatMap { PublicURL($0)?.origin }
    }

    private static func mailCodes(
        _ email: EmailPolicy, _ context: ProcessContext, _ redis: RedisClient, _ catalog: MessageCatalog
    ) throws -> OTPRoutes.MailCodeTerms {
        let (policy, settings) = (context.policy, context.settings)
        let linkURL = try email.linkURL ?? context.publicURL().map { $0.text + EmailPolicy.linkPath }
        return OTPRoutes.MailCodeTerms(
            rules: CodeRules(
                otp: email.codes, environment: settings.environment,
                localExemption: localExemption(settings)),
            store: RedisChallengeStore(redis: redis, scripts: CodeScripts(email.codes, among: policy.codePolicies)),
            letter: SignInLetter(
                appName: policy.messages.appName, catalog: catalog, linkURL: linkURL,
                lifetimeSeconds: email.codes.lifetimeSeconds))
    }

    /// Tests on one machine are not held up by limits; in uat only those by address cannot tell testers apart.
    private static func localExemption(_ settings: ProcessSettings) -> LimitExemption {
        if settings.limitsLocalAddresses { return .none }
        return settings.environment == .development ? .all : .byAddress
    }
}

extension Policy {
    /// All rules by which codes are judged: what is counted is remembered as long as any of them needs it.
    fileprivate var codePolicies: [OTPPolicy] { [otp] + codeDialects.map(\.otp) + (email.map { [$0.codes] } ?? []) }

    /// The dialects in which codes are asked for.
    fileprivate var codeDialects: [Dialect] { sendsCodes ? dialects.filter { ChallengePlace.isIn($0.name) } : [] }
}
