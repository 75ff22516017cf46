import AsyncHTTPClient
import CryptoPrimitives
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
    /// The port that it listens on unless `LATCHKEY_LISTEN` states another.
    package static let defaultPort = 8081

    private static let now: @Sendable () -> Int64 = { UnixTime.seconds() }

    /// Runs the process until it is told to stop.
    package static func run() async {
        await runProcess(
            "otp", "otp-service makes, sends and checks one-time codes.", defaultPort: defaultPort
        ) { try await .exportingSpans($0) { try plan($0) } }
    }

    /// Builds the process from its settings.
    package static func plan(_ context: ProcessContext) throws -> ProcessPlan {
        try requireSettings(context)
        for caution in try cautions(context) {
            context.logger.warning("otp.caution", metadata: ["caution": "\(caution)"])
        }
        let (secrets, logger) = (context.settings.secrets, context.logger)
        let redis = RedisClient(try context.settings.redis(), logger: logger)
        let client = makeHTTPClient(connectionsMax: SendLoad.connectionsMax)
        let (memory, upkeep) = (RedisMemoryWatch(redis: redis), RedisUpkeep(redis, context))
        let own = try OTPSettings(context)
        let reports = try own.approvalReports(client: client, logger: logger)
        let trace = TraceBook(redis: redis, isShort: { memory.isShort }, now: now, logger: logger)
        let behind = SendsBehind()
        let attestationKeys = try secrets.keyRing("attestation_otp_user")
        OTPMetrics.start(context.policy)
        let wiring = try OTPWiring(
            context, own, redis: redis, client: client, reports: reports,
            CodeParts(
                secrets: CodeSecrets(keys: try secrets.keyRing("otp_hmac_key")),
                attestationKeys: attestationKeys, hasRoom: { !memory.isNearlyFull }, trace: trace,
                lockouts: context.policy.anomalies == .off ? nil : LockoutSeal(ring: attestationKeys),
                moment: AnswerMoment(redis: redis, sends: behind, logger: logger), logger: logger,
                now: now))
        let isReady = { @Sendable in redis.isConnected }
        let server = try serviceApplication(context, isReady: isReady) { routes in
            wiring.add(to: &routes)
            routes.serve(StateOperations.state) { _ in .answer(await context.state.report(context.policy)) }
        }
        return ProcessPlan(
            services: [
                redis, memory, OutgoingCalls(client: client),
                NumberSweep(
                    store: wiring.store, now: { context.wallClock.secondsForRemovals() }, logger: logger),
                ReviewWatch(store: wiring.store, now: now, logger: logger), trace, behind,
            ] + upkeep.services + watches(wiring.reportSpending, logger) + own.services(reports, logger) + server,
            readiness: [
                ReadinessCheck("redis", problem: { redis.problem }),
                ReadinessCheck("redis functions") { await redis.has(CodeFunctions.library) }, upkeep.readiness,
            ])
    }

    /// Refuses everything in policy, settings and secrets that keeps otp-service from starting. `latchkeyctl doctor` calls it too.
    package static func requireSettings(_ context: ProcessContext) throws {
        let secrets = context.settings.secrets
        try SettingsReport.requireAll([
            { try check(context) }, { _ = try OTPSettings(context) },
            { if try context.phoneSenders().contains(.inbox) { try context.checkInbox() } },
            { if context.policy.sendsMail { try MailSettings(context).check(context) } },
            { _ = try context.settings.redis() }, { _ = try secrets.keyRing("otp_hmac_key") },
            { _ = try secrets.keyRing("attestation_otp_user") }, { _ = try ServiceCertificate(context.settings) },
        ])
    }

    /// Refuses a policy or settings that keep otp-service from starting. `latchkeyctl policy check` calls it too.
    package static func check(_ context: ProcessContext) throws {
        try SettingsReport.requireAll([
            { _ = try context.messageCatalog() }, { _ = try PhoneChannels(context) }, { try checkLinks(context) },
        ])
    }

    /// Refuses mails whose links would lead nowhere.
    private static func checkLinks(_ context: ProcessContext) throws {
        let (policy, environment) = (context.policy, context.settings.environment)
        guard policy.sendsMail, try context.mailSender() != .none else { return }
        guard try policy.passwords == nil || context.pagesURL() != nil else {
            throw missingURL("mails about passwords contain links to the gateway")
        }
        guard let email = policy.email, environment == .production else { return }
        guard try email.linkURL != nil || context.publicURL() != nil else {
            throw missingURL("mails contain links to the gateway")
        }
    }

    private static func missingURL(_ reason: String) -> SettingsError {
        .missing(
            "LATCHKEY_PUBLIC_URL", because: reason,
            use: "the URL at which clients reach it, such as https://auth.example.com, or the policy's publicURL")
    }

    /// Returns warnings for the operator that do not stop a start. `latchkeyctl policy check` prints them too.
    ///
    /// - Throws: the errors of `check`.
    package static func cautions(_ context: ProcessContext) throws -> [String] {
        let writesTexts = try context.phoneSenders().contains(where: \.usesVerify)
        return try PhoneChannels(context).cautions + (writesTexts ? [verifyCaution] : [])
    }

    /// The texts of codes that are no sign-in say what the code is for, if they are Latchkey's.
    private static let verifyCaution =
        "OTP_SENDER: Twilio Verify writes the texts, so a code that adds a phone number to an account does not say so. Use "
        + "twilio-messaging, or have your app say it (deploy/docs/run/delivery.md)."

    private static func watches(_ report: ReportSpending?, _ logger: Logger) -> [any Service] {
        report.map { [SpendWatch(policy: $0.policy, book: $0.book, now: now, logger: logger)] } ?? []
    }
}
