import AsyncHTTPClient
import Configuration
import Delivery
import InternalAPI
import Logging
import Policies
import ServiceCalls
import ServiceKit
import ServiceLifecycle

/// The settings that only otp-service has.
struct OTPSettings {
    /// `OTP_SENDER`: the senders in the order in which they are tried; empty if no codes are sent to phones.
    let senders: [PhoneSenderName]
    /// Whether messages to phones cost anything, since the inbox is free.
    var costs: Bool { !senders.allSatisfy { $0 == .inbox } }
    /// `SMS_HOOK_URL`: the URL of the hook; https, in development http too.
    let hookURL: String?
    /// The secret `sms_hook_secret`: `v1,whsec_<base64>`, several separated by `|`.
    let hookSecret: Secret<String>?
    /// The settings of Twilio; `nil` if no sender is Twilio's.
    let twilio: TwilioSettings?

    init(_ context: ProcessContext) throws {
        let settings = context.settings
        guard settings.variable("TWILIO_AUTH_TOKEN")?.isEmpty ?? true else {
            throw SettingsError(
                "TWILIO_AUTH_TOKEN", "secrets are no variables; allowed: the secret file \(TwilioSettings.secret)")
        }
        senders = try context.phoneSenders()
        hookURL = settings.reader.string(forKey: "sms.hook.url")
        hookSecret = senders.contains(.webhook) ? try settings.secrets.password("sms_hook_secret") : nil
        twilio = senders.contains(where: \.isTwilio) ? try TwilioSettings(context, senders: senders) : nil
        try checkHook(in: settings.environment)
    }

    private func checkHook(in environment: DeploymentEnvironment) throws {
        guard senders.contains(.webhook) else { return }
        let schemes = environment == .production ? ["https://"] : ["https://", "http://"]
        guard let hookURL, schemes.contains(where: { hookURL.hasPrefix($0) && hookURL.utf8.count > $0.utf8.count })
        else {
            throw SettingsError(
                "SMS_HOOK_URL", "is needed with OTP_SENDER=webhook; allowed: \(schemes.joined(separator: ", "))…")
        }
    }

    /// Creates the senders of the settings, for the channels of the policy. Both are empty if no codes are sent to phones.
    func makeLine(_ context: ProcessContext, client: HTTPClient) throws -> SenderLine {
        let made = try senders.map { MeteredSender(try make($0, context, client)) }
        guard !senders.isEmpty else { return SenderLine([], channels: []) }
        let channels = try PhoneChannels(context)
        return SenderLine(made, channels: channels.served, fallback: channels.fallback)
    }

    /// Creates Twilio's parts besides its senders.
    func twilioParts(client: HTTPClient, _ reports: ApprovalReports?) throws -> TwilioParts {
        var parts = TwilioParts()
        guard let twilio else { return parts }
        if senders.contains(where: \.usesVerify) {
            parts.verifications = try twilio.verifications(HTTPProviderExchange(client: client))
        }
        if senders.contains(.twilioVerifyManaged) { parts.checker = parts.verifications }
        if senders.contains(.twilioMessaging) {
            parts.callbacks = twilio.callbackURL.map { TwilioCallbacks(account: twilio.account, url: $0) }
        }
        if let reports { parts.approved = { reports.note($0) } }
        return parts
    }

    /// Creates the reports of right codes to Twilio Verify; `nil` if it sends no codes.
    func approvalReports(client: HTTPClient, logger: Logger) throws -> ApprovalReports? {
        guard senders.contains(.twilioVerify), let twilio else { return nil }
        return ApprovalReports(try twilio.verifications(HTTPProviderExchange(client: client)), logger: logger)
    }

    /// Returns the services that run besides the server for the senders.
    func services(_ reports: ApprovalReports?, _ logger: Logger) -> [any Service] {
        let reload = twilio.map { twilio in SecretReload(logger: logger) { try twilio.reload() } }
        let all: [(any Service)?] = [reports, reload]
        return all.compactMap { $0 }
    }

    private func make(
        _ name: PhoneSenderName, _ context: ProcessContext, _ client: HTTPClient
    ) throws -> any MessageSender {
        switch name {
        case .inbox: return try context.inboxSender(client: client)
        case .webhook: return try webhookSender(client: client)
        case .twilioVerify, .twilioVerifyManaged, .twilioMessaging:
            guard let twilio else { throw SettingsError("OTP_SENDER", "\(name.rawValue) has no settings") }
            return try twilio.makeSender(name, context.policy, HTTPProviderExchange(client: client))
        }
    }

    private func webhookSender(client: HTTPClient) throws -> WebhookSender {
        guard let hookURL, let hookSecret else {
            throw SettingsError("secret sms_hook_secret", "is needed with OTP_SENDER=webhook")
        }
        do throws(WebhookSignature.Problem) {
            let signature = try WebhookSignature(secrets: hookSecret.value)
            return WebhookSender(
                url: hookURL, signature: signature, exchange: HTTPProviderExchange(client: client),
                now: { UnixTime.seconds() })
        } catch {
            throw SettingsError("secret sms_hook_secret", error.description)
        }
    }
}

extension ProcessContext {
    /// Creates the sender to the development inbox.
    func inboxSender(client: HTTPClient) throws -> InboxSender {
        let transport = HTTPServiceTransport(
            service: "inbox", baseURLs: try settings.serviceURLs("inbox.url", default: "http://127.0.0.1:8025"),
            caller: .otp, keys: try settings.secrets.keyRing("assertion_otp_inbox"), client: client)
        return InboxSender(transport: transport)
    }
}
