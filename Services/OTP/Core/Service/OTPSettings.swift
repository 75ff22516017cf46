import AsyncHTTPClient
import Configuration
import Delivery
import InternalAPI
import Policies
import Release
import ServiceCalls
import ServiceKit

/// Settings that otp-service alone has.
struct OTPSettings {
    /// `OTP_SENDER`: `inbox` (default outside production, refused in it) or `webhook`.
    enum Sender: String, CaseIterable { case inbox, webhook }

    /// `MAIL_SENDER`: `inbox` (default outside production, refused in it), `resend`, or `none` (default in production:
    /// nobody signs in by mail).
    enum MailSender: String, CaseIterable { case inbox, resend, none }

    let sender: Sender
    let mailSender: MailSender
    /// `SMS_HOOK_URL`: where hooks go; https, in development http too.
    let hookURL: String?
    /// The secret `sms_hook_secret`: `v1,whsec_<base64>`, several separated by `|`.
    let hookSecret: Secret<String>?

    init(_ settings: ProcessSettings) throws {
        let fallback = settings.environment == .production ? Sender.webhook : .inbox
        let name = settings.reader.string(forKey: "otp.sender", default: fallback.rawValue)
        guard let sender = Sender(rawValue: name) else {
            throw SettingsError("OTP_SENDER", "'\(name)' is not one of: inbox, webhook")
        }
        guard sender != .inbox || settings.environment != .production else {
            throw SettingsError("OTP_SENDER", "production sends codes to people, not to the inbox; allowed: webhook")
        }
        self.sender = sender
        mailSender = try Self.mailSender(settings)
        hookURL = settings.reader.string(forKey: "sms.hook.url")
        hookSecret = sender == .webhook ? try settings.secrets.password("sms_hook_secret") : nil
        try checkHook(in: settings.environment)
    }

    private static func mailSender(_ settings: ProcessSettings) throws -> MailSender {
        let fallback = settings.environment == .production ? MailSender.none : .inbox
        let name = settings.reader.string(forKey: "mail.sender", default: fallback.rawValue)
        guard let sender = MailSender(rawValue: name) else {
            let allowed = MailSender.allCases.map(\.rawValue).joined(separator: ", ")
            throw SettingsError("MAIL_SENDER", "'\(name)' is not one of: \(allowed)")
        }
        guard sender != .inbox || settings.environment != .production else {
            throw SettingsError(
                "MAIL_SENDER", "production sends mail to people, not to the inbox; allowed: resend, none")
        }
        return sender
    }

    private func checkHook(in environment: DeploymentEnvironment) throws {
        guard sender == .webhook else { return }
        let schemes = environment == .production ? ["https://"] : ["https://", "http://"]
        guard let hookURL, schemes.contains(where: { hookURL.hasPrefix($0) && hookURL.utf8.count > $0.utf8.count })
        else {
            throw SettingsError(
                "SMS_HOOK_URL", "is needed with OTP_SENDER=webhook; allowed: \(schemes.joined(separator: ", "))…")
        }
    }

    /// The sender that the settings name, bounded in time.
    func makeSender(
        _ context: ProcessContext, client: HTTPClient, now: @escaping @Sendable () -> Int64
    ) throws
        -> MeteredSender
    {
        switch sender {
        case .inbox: MeteredSender(try inboxSender(context, client: client))
        case .webhook: MeteredSender(try webhookSender(client: client, now: now))
        }
    }

    /// What brings mail; nil: nobody signs in by mail.
    func makeMailSender(_ context: ProcessContext, client: HTTPClient) throws -> MeteredSender? {
        switch mailSender {
        case .inbox: MeteredSender(try inboxSender(context, client: client))
        case .resend: MeteredSender(BoundedSender(try resendSender(context.settings, client: client)))
        case .none: nil
        }
    }

    private func resendSender(_ settings: ProcessSettings, client: HTTPClient) throws -> ResendSender {
        let from = settings.reader.string(forKey: "mail.from", default: "")
        guard MailFrom.isValid(from) else {
            throw SettingsError(
                "MAIL_FROM", "'\(from)' is not what mails can come from; allowed: Name <address>, or an address")
        }
        let url = settings.reader.string(forKey: "resend.url", default: ResendSender.defaultURL)
        guard let base = PublicURL(url), base.text.hasPrefix("https://") || settings.environment != .production else {
            throw SettingsError("RESEND_URL", "'\(url)' is not allowed; allowed: https://…")
        }
        guard let key = try settings.secrets.password("resend_api_key") else {
            throw SettingsError("secret resend_api_key", "is needed with MAIL_SENDER=resend")
        }
        return ResendSender(
            url: base.text, from: from, key: key.value,
            release: Release.version, exchange: HTTPProviderExchange(client: client))
    }

    private func inboxSender(_ context: ProcessContext, client: HTTPClient) throws -> InboxSender {
        let transport = HTTPServiceTransport(
            service: "inbox",
            baseURLs: try context.settings.serviceURLs("inbox.url", default: "http://127.0.0.1:8025"), caller: .otp,
            keys: try context.settings.secrets.keyRing("assertion_otp_inbox"), client: client)
        return InboxSender(transport: transport)
    }

    private func webhookSender(client: HTTPClient, now: @escaping @Sendable () -> Int64) throws -> WebhookSender {
        guard let hookURL, let hookSecret else {
            throw SettingsError("secret sms_hook_secret", "is needed with OTP_SENDER=webhook")
        }
        do throws(WebhookSignature.Problem) {
            let signature = try WebhookSignature(secrets: hookSecret.value)
            return WebhookSender(
                url: hookURL, signature: signature, exchange: HTTPProviderExchange(client: client), now: now)
        } catch {
            throw SettingsError("secret sms_hook_secret", error.description)
        }
    }
}
