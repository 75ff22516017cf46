import Delivery
import OutgoingConnections
import ServiceCalls
import ServiceKit

/// Settings of the sender `webhook`.
struct HookSettings {
    private let hook: WebhookSettings

    init(_ settings: ProcessSettings) {
        hook = WebhookSettings(
            settings, url: "SMS_HOOK_URL", secret: "sms_hook_secret", owner: "OTP_SENDER=webhook", content: "message")
    }

    /// Refuses settings by which no message gets to the hook.
    func check() throws { try SettingsReport.requireAll([{ _ = try hook.url() }, { _ = try hook.signature() }]) }

    func makeSender(exchange: HTTPProviderExchange) throws -> WebhookSender {
        WebhookSender(
            url: try hook.url(), signature: try hook.signature(), exchange: exchange,
            now: { UnixTime.seconds() })
    }

    /// Returns a request to the hook's server that posts no message.
    func probe(_ authorities: OwnAuthorities?) throws -> ProviderProbe {
        ProviderProbe("webhook", url: try hook.url(), place: "SMS_HOOK_URL", authorities: authorities).atOrigin()
    }
}
