import Configuration
import Delivery
import Policies
import Release
import ServiceCalls
import ServiceKit

/// The settings of Twilio's senders.
struct TwilioSettings {
    /// The secret's name. It contains the auth token, and during a rotation a second line with the old one.
    static let secret = "twilio_auth_token"
    /// The number that messages by WhatsApp come from.
    static let whatsAppFrom = "TWILIO_WHATSAPP_FROM"
    /// The gateway's route for the status of messages.
    static let callbackPath = "/webhooks/twilio/status"

    let account: TwilioAccount
    /// The URL for Twilio's reports about messages; `nil` if Twilio is not asked to send them.
    let callbackURL: String?
    private let settings: ProcessSettings

    init(_ context: ProcessContext, senders: [PhoneSenderName]) throws {
        settings = context.settings
        let sid = try Self.sid("TWILIO_ACCOUNT_SID", "AC", settings)
        guard let sid else { throw Self.missing("TWILIO_ACCOUNT_SID", "a Twilio sender") }
        account = try Self.account(sid, settings)
        let api = try Self.url("TWILIO_API_URL", default: TwilioMessagingSender.defaultURL, settings)
        let publicURL = try context.publicURL()
        // Twilio could not reach a loopback address.
        let isOutOfReach = publicURL.map { $0.isLoopback && !api.isLoopback } ?? true
        callbackURL = isOutOfReach ? nil : publicURL.map { $0.text + Self.callbackPath }
        if senders.contains(where: \.usesVerify) { _ = try verifications(CheckedOnly()) }
        if senders.contains(.twilioMessaging) { _ = try messagingOrigin() }
    }

    /// Reads the token again.
    func reload() throws {
        guard let text = try settings.secrets.optionalText(Self.secret) else { throw Self.missingSecret }
        do throws(TwilioAccount.Problem) { try account.replaceTokens(text.value) } catch {
            throw SettingsError("secret \(Self.secret)", error.description)
        }
    }

    func makeSender(
        _ name: PhoneSenderName, _ policy: Policy, _ exchange: any ProviderExchange
    ) throws -> any MessageSender {
        if name.usesVerify {
            return TwilioVerifySender(
                try verifications(exchange), template: try Self.sid("TWILIO_VERIFY_TEMPLATE_SID", "HJ", settings),
                makesCodes: name == .twilioVerifyManaged)
        }
        let (origin, senders, whatsApp) = try messagingOrigin()
        return TwilioMessagingSender(
            url: try Self.url("TWILIO_API_URL", default: TwilioMessagingSender.defaultURL, settings).text,
            account: account, from: origin, senders: senders, whatsApp: whatsApp, callbackURL: callbackURL,
            validSeconds: (policy.dialects.map(\.otp.lifetimeSeconds) + [policy.otp.lifetimeSeconds]).max() ?? 300,
            release: Release.version, exchange: exchange)
    }

    /// Returns the Service's verifications.
    func verifications(_ exchange: any ProviderExchange) throws -> TwilioVerifications {
        guard let service = try Self.sid("TWILIO_VERIFY_SID", "VA", settings) else {
            throw Self.missing("TWILIO_VERIFY_SID", "OTP_SENDER=twilio-verify and twilio-verify-managed")
        }
        return TwilioVerifications(
            url: try Self.url("TWILIO_VERIFY_URL", default: TwilioVerifySender.defaultURL, settings).text,
            account: account, service: service, release: Release.version, exchange: exchange)
    }

    private typealias Messaging = (
        origin: TwilioMessagingSender.Origin?, senders: TwilioSenders, whatsApp: TwilioMessagingSender.WhatsApp?
    )

    private func messagingOrigin() throws -> Messaging {
        let service = try Self.sid("TWILIO_MESSAGING_SID", "MG", settings)
        let senders = try senders()
        guard service == nil || senders.standard == nil else {
            throw SettingsError(
                "TWILIO_FROM",
                "'\(senders.standard ?? "")' has no calling code, and TWILIO_MESSAGING_SID is the sender for all "
                    + "others; remove one of the two, or write such as 44=ACME")
        }
        let whatsApp = try whatsApp()
        guard service != nil || !senders.isEmpty || whatsApp != nil else {
            throw Self.missing("TWILIO_MESSAGING_SID", "OTP_SENDER=twilio-messaging; or TWILIO_FROM")
        }
        guard service != nil || senders.isEmpty || senders.standard != nil else {
            throw SettingsError(
                "TWILIO_FROM", "has no sender for the numbers of other calling codes; add one without a calling code")
        }
        return (service.map { .service($0) } ?? senders.standard.map { .number($0) }, senders, whatsApp)
    }

    private func senders() throws -> TwilioSenders {
        guard let text = Self.text("TWILIO_FROM", settings) else { return TwilioSenders(standard: nil) }
        do throws(TwilioSenders.Problem) { return try TwilioSenders(parsing: text) } catch {
            throw SettingsError("TWILIO_FROM", error.description)
        }
    }

    private func whatsApp() throws -> TwilioMessagingSender.WhatsApp? {
        let from = Self.text(Self.whatsAppFrom, settings)
        let content = try Self.sid("TWILIO_WHATSAPP_CONTENT_SID", "HX", settings)
        switch (from, content) {
        case (nil, nil): return nil
        case (let from?, let content?):
            guard TwilioSenders.isE164(from) else {
                throw SettingsError(Self.whatsAppFrom, "'\(from)' is no number; allowed: such as +15005550006")
            }
            return TwilioMessagingSender.WhatsApp(from: from, contentSID: content)
        case (nil, _): throw Self.missing(Self.whatsAppFrom, "TWILIO_WHATSAPP_CONTENT_SID")
        case (_, nil): throw Self.missing("TWILIO_WHATSAPP_CONTENT_SID", Self.whatsAppFrom)
        }
    }

    private static let missingSecret = SettingsError("secret \(secret)", "is needed with a Twilio sender")

    private static func account(_ sid: String, _ settings: ProcessSettings) throws -> TwilioAccount {
        guard let text = try settings.secrets.optionalText(secret) else { throw missingSecret }
        do throws(TwilioAccount.Problem) { return try TwilioAccount(sid: sid, tokens: text.value) } catch {
            throw SettingsError("secret \(secret)", error.description)
        }
    }

    private static func missing(_ name: String, _ reason: String) -> SettingsError {
        SettingsError(name, "is needed with \(reason)")
    }

    /// Returns a variable's text, or `nil` if it is empty, because compose sets unset variables to an empty text.
    private static func text(_ name: String, _ settings: ProcessSettings) -> String? {
        settings.variable(name).flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func sid(_ name: String, _ kind: String, _ settings: ProcessSettings) throws -> String? {
        guard let text = text(name, settings) else { return nil }
        guard TwilioSID.isSID(text, kind) else {
            throw SettingsError(name, "'\(text)' is not what Twilio calls one; allowed: \(kind) and 32 hex digits")
        }
        return text
    }

    private static func url(
        _ name: String, default fallback: String, _ settings: ProcessSettings
    ) throws -> PublicURL {
        let text = text(name, settings) ?? fallback
        guard let url = PublicURL(text), text.hasPrefix("https://") || settings.environment != .production else {
            throw SettingsError(name, "'\(text)' is not allowed; allowed: https://…")
        }
        return url
    }
}

/// An exchange that sends nothing, for settings that are only checked.
private struct CheckedOnly: ProviderExchange {
    struct Off: Error {}

    func send(_ request: ProviderRequest, within limit: Duration) async throws -> ProviderAnswer { throw Off() }
}
