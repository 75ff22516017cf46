import AsyncHTTPClient
import Configuration
import Delivery
import InternalAPI
import Policies
import ServiceCalls
import ServiceKit

/// Settings that otp-service alone has.
struct OTPSettings {
    /// `OTP_SENDER`: `inbox` (default outside production, refused in it) or `webhook`.
    enum Sender: String, CaseIterable { case inbox, webhook }

    let sender: Sender
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
        hookURL = settings.reader.string(forKey: "sms.hook.url")
        hookSecret = sender == .webhook ? try settings.secrets.password("sms_hook_secret") : nil
        try checkHook(in: settings.environment)
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
        case .inbox: MeteredSender(try context.inboxSender(client: client))
        case .webhook: MeteredSender(try webhookSender(client: client, now: now))
        }
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

extension ProcessContext {
    /// Brings messages into the development inbox.
    func inboxSender(client: HTTPClient) throws -> InboxSender {
        let transport = HTTPServiceTransport(
            service: "inbox", baseURLs: try settings.serviceURLs("inbox.url", default: "http://127.0.0.1:8025"),
            caller: .otp, keys: try settings.secrets.keyRing("assertion_otp_inbox"), client: client)
        return InboxSender(transport: transport)
    }
}
