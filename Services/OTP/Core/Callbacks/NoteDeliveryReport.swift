import CoreMetrics
import Delivery
import InternalAPI
import Logging
import Policies
import ServiceCalls
import ServiceKit
import Synchronization

/// The account and URL by which Twilio's callbacks are verified.
struct TwilioCallbacks: Sendable {
    let account: TwilioAccount
    /// The URL that Twilio was given.
    let url: String
}

/// Notes the delivery status that Twilio reports of a message, if the report is Twilio's.
///
/// It updates a metric and the operator's trace. After a message that did not arrive, the number's next messages begin with the
/// fallback channels, for a day and inside the budgets. A report has no other effect, so that a forged or replayed one neither
/// signs a client in nor blocks a user.
final class NoteDeliveryReport: Sendable {
    /// The number of messages whose final status is remembered, so that a repeat is not counted again.
    static let memoryMax = 4_096

    private let callbacks: TwilioCallbacks
    private let rules: CodeRules
    private let secrets: CodeSecrets
    private let trace: TraceBook?
    private let store: any ChallengeStore
    private let now: @Sendable () -> Int64
    private let logger: Logger
    /// The size is doubled, because the table may forget half of its entries at once.
    private let known = Mutex(RecentTable<String, Bool>(countMax: NoteDeliveryReport.memoryMax * 2))

    /// - Parameters:
    ///   - rules: the rules by which a phone number is read.
    ///   - trace: the operator's trace; `nil` if there is none.
    ///   - now: Unix time in seconds.
    init(
        _ callbacks: TwilioCallbacks, rules: CodeRules, secrets: CodeSecrets, trace: TraceBook?,
        store: any ChallengeStore, now: @escaping @Sendable () -> Int64, logger: Logger
    ) {
        self.store = store
        self.now = now
        self.logger = logger
        self.callbacks = callbacks
        self.rules = rules
        self.secrets = secrets
        self.trace = trace
    }

    func callAsFunction(_ callback: TwilioCallback) async -> TwilioCallbackAnswer {
        guard let fields = FormText.decode(callback.body, countMax: DeliveryReport.fieldCountMax), !fields.isEmpty
        else {
            return TwilioCallbackAnswer(.malformed)
        }
        let url = callback.query.map { "\(callbacks.url)?\($0)" } ?? callbacks.url
        let isSigned = TwilioSignature.isValid(
            callback.signature, url: url, fields: fields, tokens: callbacks.account.tokens)
        let accounts = fields.filter { $0.0 == "AccountSid" }.map(\.1)
        guard isSigned, accounts == [callbacks.account.sid] else { return TwilioCallbackAnswer(.forged) }
        // A report without consequence is accepted too, because Twilio would otherwise repeat it.
        if let report = DeliveryReport(fields), isNew(report) { await note(report) }
        return TwilioCallbackAnswer(.noted)
    }

    private func note(_ report: DeliveryReport) async {
        let recipient = rules.phone(report.number, region: nil).map { Recipient.phone($0) }
        Counter(
            label: "auth_otp_delivery_total",
            dimensions: [
                ("provider", "twilio-messaging"), ("channel", report.channel),
                ("country", recipient?.countryLabel ?? "none"),
                ("status", report.status.rawValue), ("error_code", report.errorLabel),
            ]
        ).increment()
        guard let recipient else { return }
        trace?.note(
            .callback(
                messageID: report.messageID, status: report.status.rawValue,
                code: report.errorCode.map(String.init) ?? ""),
            of: secrets.tag(recipient))
        if report.isUndelivered { await noteUndelivered(report, secrets.tag(recipient)) }
    }

    private func noteUndelivered(_ report: DeliveryReport, _ recipient: RecipientTag) async {
        logger.warning(
            "otp.delivery.failed",
            metadata: [
                "provider": "twilio-messaging", "channel": "\(report.channel)", "status": "\(report.status.rawValue)",
                "code": "\(report.errorCode.map(String.init) ?? "none")",
                "message.id": "\(report.messageID.prefix(64))",
            ])
        guard let channel = PhoneChannel(rawValue: report.channel) else { return }
        do throws(ChallengeStoreFailure) {
            try await store.noteUndelivered(recipient, by: channel, now: now())
        } catch {
            logger.warning("otp.delivery.unnoted", metadata: ["cause": "\(error)"])
        }
    }

    /// Whether the message's final status is new, and remembers it.
    func isNew(_ report: DeliveryReport) -> Bool {
        known.withLock { known in
            guard known[report.messageID] == nil else { return false }
            known[report.messageID] = true
            return true
        }
    }
}
