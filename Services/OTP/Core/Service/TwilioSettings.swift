import Delivery
import OutgoingConnections
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
    private let apiURL: String
    private let settings: ProcessSettings

    init(_ context: ProcessContext, senders: [PhoneSenderName]) throws {
        let settings = context.settings
        self.settings = settings
        let checks: [() throws -> Void] = [
            { if senders.contains(where: \.usesVerify) { try Self.checkVerify(settings) } },
            { if senders.contains(.twilioMessaging) { _ = try Self.messagingOrigin(settings) } },
        ]
        let ((account, api), _) = try SettingsReport.both(
            { try SettingsReport.both({ try Self.account(settings) }, { try settings.providerURL("TWILIO_API_URL") }) },
            { try SettingsReport.requireAll(checks) })
        self.account = account
        apiURL = api.text
        let publicURL = try context.publicURL()
        // Twilio could not reach a loopback address.
        let isOutOfReach = publicURL.map { $0.isLoopback && !api.isLoopback } ?? true
        callbackURL = isOutOfReach ? nil : publicURL.map { $0.text + Self.callbackPath }
    }

    /// Reads the token again.
    func reload() throws {
        guard let text = try settings.secrets.optionalText(Self.secret) else { throw Self.missingSecret }
        do throws(TwilioAccount.Problem) { try account.replaceTokens(text.value) } catch {
            throw SettingsError("secret \(Self.secret)", error.description)
        }
    }

    /// Returns a request for the account's own data.
    func probe(_ authorities: OwnAuthorities?) -> ProviderProbe {
        var probe = ProviderProbe(
            "twilio", url: "\(apiURL)/2010-04-01/Accounts/\(account.sid).json", place: "TWILIO_API_URL",
            authorities: authorities)
        probe.headers = ["Authorization": account.authorization, "Accept": "application/json"]
        probe.showsCredentials = true
        return probe
    }

    func makeSender(
        _ name: PhoneSenderName, _ policy: Policy, _ exchange: any ProviderExchange
    ) throws -> any MessageSender {
        if name.usesVerify {
            return TwilioVerifySender(
                try verifications(exchange), template: try Self.sid("TWILIO_VERIFY_TEMPLATE_SID", "HJ", settings),
                makesCodes: name == .twilioVerifyManaged)
        }
        let (origin, senders, whatsApp) = try Self.messagingOrigin(settings)
        return TwilioMessagingSender(
            url: try settings.providerURL("TWILIO_API_URL").text,
            account: account, from: origin, senders: senders, whatsApp: whatsApp, callbackURL: callbackURL,
            validSeconds: (policy.dialects.map(\.otp.lifetimeSeconds) + [policy.otp.lifetimeSeconds]).max() ?? 300,
            release: Release.version, exchange: exchange)
    }

    /// Returns the Service's verifications.
    func verifications(_ exchange: any ProviderExchange) throws -> TwilioVerifications {
        TwilioVerifications(
            url: try settings.providerURL("TWILIO_VERIFY_URL").text, account: account,
            service: try Self.verifyService(settings),
            release: Release.version, exchange: exchange)
    }

    private static func checkVerify(_ settings: ProcessSettings) throws {
        try SettingsReport.requireAll([
            { _ = try verifyService(settings) }, { _ = try settings.providerURL("TWILIO_VERIFY_URL") },
            { _ = try sid("TWILIO_VERIFY_TEMPLATE_SID", "HJ", settings) },
        ])
    }

    private static func verifyService(_ settings: ProcessSettings) throws(SettingsError) -> String {
        try sid("TWILIO_VERIFY_SID", "VA", needed: "OTP_SENDER sends by a Verify Service", settings)
    }

    private typealias Messaging = (
        origin: TwilioMessagingSender.Origin?, senders: TwilioSenders, whatsApp: TwilioMessagingSender.WhatsApp?
    )

    private static func messagingOrigin(_ settings: ProcessSettings) throws(SettingsError) -> Messaging {
        let service = try sid("TWILIO_MESSAGING_SID", "MG", settings)
        let senders = try senders(settings)
        guard service == nil || senders.standard == nil else {
            throw SettingsError(
                "TWILIO_FROM",
                "\"\(senders.standard ?? "")\" has no calling code, and TWILIO_MESSAGING_SID is the sender for all other "
                    + "numbers. Remove one of the two, or write a calling code, such as 44=ACME.")
        }
        let whatsApp = try whatsApp(settings)
        guard service != nil || !senders.isEmpty || whatsApp != nil else {
            throw SettingsError.missing(
                "TWILIO_MESSAGING_SID", because: "OTP_SENDER=twilio-messaging needs a sender",
                use: "MG and 32 hexadecimal digits, or set TWILIO_FROM instead")
        }
        guard service != nil || senders.isEmpty || senders.standard != nil else {
            throw SettingsError(
                "TWILIO_FROM",
                "has no sender for the phone numbers of other calling codes. Add one without a calling code.")
        }
        return (service.map { .service($0) } ?? senders.standard.map { .number($0) }, senders, whatsApp)
    }

    private static func senders(_ settings: ProcessSettings) throws(SettingsError) -> TwilioSenders {
        guard let text = settings.variable("TWILIO_FROM") else { return TwilioSenders(standard: nil) }
        do throws(TwilioSenders.Problem) { return try TwilioSenders(parsing: text) } catch {
            throw SettingsError("TWILIO_FROM", error.description)
        }
    }

    private static func whatsApp(
        _ settings: ProcessSettings
    ) throws(SettingsError) -> TwilioMessagingSender.WhatsApp? {
        let from = settings.variable(whatsAppFrom)
        let content = try sid("TWILIO_WHATSAPP_CONTENT_SID", "HX", settings)
        switch (from, content) {
        case (nil, nil): return nil
        case (let from?, let content?):
            guard TwilioSenders.isE164(from) else {
                throw SettingsError.invalid(whatsAppFrom, from, use: "a phone number such as +15005550006")
            }
            return TwilioMessagingSender.WhatsApp(from: from, contentSID: content)
        case (nil, _):
            throw SettingsError.missing(
                whatsAppFrom, because: "TWILIO_WHATSAPP_CONTENT_SID is set", use: "a phone number such as +15005550006")
        case (_, nil):
            throw SettingsError.missing(
                "TWILIO_WHATSAPP_CONTENT_SID", because: "\(whatsAppFrom) is set", use: "HX and 32 hexadecimal digits")
        }
    }

    private static let missingSecret = SettingsError.missing(
        "secret \(secret)", because: "OTP_SENDER has a sender of Twilio's",
        use: "a file of that name with the Auth Token that Twilio's Console shows")

    private static func account(_ settings: ProcessSettings) throws -> TwilioAccount {
        let (accountID, lines) = try SettingsReport.both({ try accountSID(settings) }, { try tokens(settings) })
        do throws(TwilioAccount.Problem) { return try TwilioAccount(sid: accountID, tokens: lines) } catch {
            throw SettingsError("secret \(secret)", error.description)
        }
    }

    private static func accountSID(_ settings: ProcessSettings) throws -> String {
        try sid("TWILIO_ACCOUNT_SID", "AC", needed: "OTP_SENDER has a sender of Twilio's", settings)
    }

    /// The lines of the secret.
    private static func tokens(_ settings: ProcessSettings) throws -> String {
        guard let text = try settings.secrets.optionalText(secret) else { throw missingSecret }
        return text.value
    }

    private static func sid(
        _ name: String, _ kind: String, needed reason: String, _ settings: ProcessSettings
    ) throws(SettingsError) -> String {
        guard let sid = try sid(name, kind, settings) else {
            throw SettingsError.missing(
                name, because: reason, use: "\(kind) and 32 hexadecimal digits, as Twilio's Console shows")
        }
        return sid
    }

    private static func sid(
        _ name: String, _ kind: String, _ settings: ProcessSettings
    ) throws(SettingsError) -> String? {
        guard let text = settings.variable(name) else { return nil }
        guard TwilioSID.isSID(text, kind) else {
            throw SettingsError.invalid(name, text, use: "\(kind) and 32 hexadecimal digits, as Twilio's Console shows")
        }
        return text
    }
}
