import CoreMetrics
import Delivery
import InternalAPI
import ServiceKit
import Synchronization

/// By what callbacks are believed.
struct TwilioCallbackTerms: Sendable {
    let account: TwilioAccount
    /// As Twilio was given it.
    let url: String
}

/// Takes Twilio's word on what became of a message, if it is Twilio's.
///
/// It moves a metric and the operator's trace, and nothing else: whatever somebody could forge or repeat lets nobody in and
/// bars nobody.
final class NoteMessageFate: Sendable {
    /// Messages whose end is remembered, so that a repeat is not counted again.
    static let memoryMax = 4_096

    private let terms: TwilioCallbackTerms
    private let rules: CodeRules
    private let secrets: CodeSecrets
    private let trace: TraceBook?
    /// Half of the table is always there: so it holds twice as many.
    private let known = Mutex(RecentTable<String, Bool>(countMax: NoteMessageFate.memoryMax * 2))

    /// - Parameters:
    ///   - rules: by which a number is known.
    ///   - trace: where an operator looks for it; nil: nowhere.
    init(_ terms: TwilioCallbackTerms, rules: CodeRules, secrets: CodeSecrets, trace: TraceBook?) {
        self.terms = terms
        self.rules = rules
        self.secrets = secrets
        self.trace = trace
    }

    func callAsFunction(_ callback: TwilioCallback) -> TwilioCallbackAnswer {
        guard let fields = FormText.decode(callback.body, countMax: MessageFate.fieldCountMax), !fields.isEmpty else {
            return TwilioCallbackAnswer(.malformed)
        }
        let url = callback.query.map { "\(terms.url)?\($0)" } ?? terms.url
        let isSigned = TwilioSignature.isValid(
            callback.signature, url: url, fields: fields, tokens: terms.account.tokens)
        let accounts = fields.filter { $0.0 == "AccountSid" }.map(\.1)
        guard isSigned, accounts == [terms.account.sid] else { return TwilioCallbackAnswer(.forged) }
        // What concerns us not is taken all the same, or it would be told again and again.
        if let fate = MessageFate(fields), isNew(fate) { note(fate) }
        return TwilioCallbackAnswer(.noted)
    }

    private func note(_ fate: MessageFate) {
        let recipient = rules.phone(fate.number, region: nil).map { Recipient.phone($0) }
        Counter(
            label: "auth_otp_delivery_total",
            dimensions: [
                ("provider", "twilio-messaging"), ("channel", fate.channel),
                ("country", recipient?.countryLabel ?? "none"),
                ("status", fate.status.rawValue), ("error_code", fate.errorLabel),
            ]
        ).increment()
        guard let recipient else { return }
        trace?.note(
            .callback(
                messageID: fate.messageID, status: fate.status.rawValue,
                code: fate.errorCode.map(String.init) ?? ""),
            of: secrets.tag(recipient))
    }

    /// Whether the message's end has not been told yet, which it is with this.
    func isNew(_ fate: MessageFate) -> Bool {
        known.withLock { known in
            guard known[fate.messageID] == nil else { return false }
            known[fate.messageID] = true
            return true
        }
    }
}
