import Delivery
import OutgoingConnections
import Policies
import ServiceCalls
import ServiceKit

/// Settings of the sender `webhook`.
struct HookSettings {
    private static let secret = "sms_hook_secret"

    private let settings: ProcessSettings

    init(_ settings: ProcessSettings) { self.settings = settings }

    /// Refuses settings by which no message gets to the hook.
    func check() throws { try SettingsReport.requireAll([{ _ = try url() }, { _ = try signature() }]) }

    func makeSender(exchange: HTTPProviderExchange) throws -> WebhookSender {
        WebhookSender(
            url: try url(), signature: try signature(), exchange: exchange,
            now: { UnixTime.seconds() })
    }

    /// Returns a request to the hook's server that posts no message.
    func probe(_ authorities: OwnAuthorities?) throws -> ProviderProbe {
        ProviderProbe("webhook", url: try url(), place: "SMS_HOOK_URL", authorities: authorities).atOrigin()
    }

    /// `SMS_HOOK_URL`: where messages are posted; https, and outside production http too.
    private func url() throws(SettingsError) -> String {
        let name = "SMS_HOOK_URL"
        let schemes = settings.environment == .production ? ["https://"] : ["https://", "http://"]
        let use = "a URL that begins with \(schemes.joined(separator: " or "))"
        guard let url = settings.variable(name) else {
            throw SettingsError.missing(name, because: "OTP_SENDER=webhook posts each message to it", use: use)
        }
        guard schemes.contains(where: { url.hasPrefix($0) && url.utf8.count > $0.utf8.count }) else {
            throw SettingsError.invalid(name, url, use: use)
        }
        return url
    }

    /// The secret `sms_hook_secret`: `v1,whsec_<base64>`, several separated by `|`.
    private func signature() throws -> WebhookSignature {
        guard let secret = try settings.secrets.password(Self.secret) else {
            throw SettingsError.missing(
                "secret \(Self.secret)", because: "OTP_SENDER=webhook signs each message with it",
                use: "a file of that name with v1,whsec_ and 24 to 64 random bytes in Base64")
        }
        do throws(WebhookSignature.Problem) { return try WebhookSignature(secrets: secret.value) } catch {
            throw SettingsError("secret \(Self.secret)", error.description)
        }
    }
}
