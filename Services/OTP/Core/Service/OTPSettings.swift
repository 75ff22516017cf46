import AsyncHTTPClient
import CryptoPrimitives
import Delivery
import InternalAPI
import Logging
import OutgoingConnections
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
    private let hook: HookSettings
    /// The settings of Twilio; `nil` if no sender is Twilio's.
    let twilio: TwilioSettings?
    /// Trusted by the senders in addition to the system's.
    private let authorities: OwnAuthorities?

    init(_ context: ProcessContext) throws {
        let settings = context.settings
        guard settings.variable("TWILIO_AUTH_TOKEN") == nil else {
            throw SettingsError(
                "TWILIO_AUTH_TOKEN",
                "is a secret, and secrets are not read from variables. Write it into the secret file "
                    + "\(TwilioSettings.secret), and unset this variable.")
        }
        let senders = try context.phoneSenders()
        self.senders = senders
        let hook = HookSettings(settings)
        var twilio: TwilioSettings?
        var authorities: OwnAuthorities?
        try SettingsReport.requireAll([
            { authorities = try settings.ownAuthorities() },
            { if senders.contains(.webhook) { try hook.check() } },
            {
                if senders.contains(where: \.isTwilio) { twilio = try TwilioSettings(context, senders: senders) }
            },
        ])
        self.hook = hook
        self.twilio = twilio
        self.authorities = authorities
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
            parts.verifications = try twilio.verifications(exchange(client))
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
        return ApprovalReports(try twilio.verifications(exchange(client)), logger: logger)
    }

    /// Returns the services that run besides the server for the senders.
    func services(_ reports: ApprovalReports?, _ logger: Logger) -> [any Service] {
        let reload = twilio.map { twilio in SecretReload(logger: logger) { try twilio.reload() } }
        let all: [(any Service)?] = [reports, reload]
        return all.compactMap { $0 }
    }

    /// Returns requests that show whether the providers can be reached.
    func probes() throws -> [ProviderProbe] {
        let webhook = try senders.contains(.webhook) ? [hook.probe(authorities)] : []
        return webhook + (twilio.map { [$0.probe(authorities)] } ?? [])
    }

    private func exchange(_ client: HTTPClient) -> HTTPProviderExchange {
        HTTPProviderExchange(client: client, authorities: authorities)
    }

    private func make(
        _ name: PhoneSenderName, _ context: ProcessContext, _ client: HTTPClient
    ) throws -> any MessageSender {
        switch name {
        case .inbox: return try context.inboxSender(client: client)
        case .webhook: return try hook.makeSender(exchange: exchange(client))
        case .twilioVerify, .twilioVerifyManaged, .twilioMessaging:
            guard let twilio else { throw SettingsError("OTP_SENDER", "\(name.rawValue) has no settings.") }
            return try twilio.makeSender(name, context.policy, exchange(client))
        }
    }
}

extension ProcessContext {
    /// Creates the sender to the development inbox.
    func inboxSender(client: HTTPClient) throws -> InboxSender {
        let transport = HTTPServiceTransport(
            service: "inbox", baseURLs: try settings.serviceURLs("INBOX_URL"), caller: .otp, keys: try inboxKeys(),
            client: client, authorities: try settings.internalAuthorities())
        return InboxSender(transport: transport)
    }

    /// Refuses settings by which no message gets into the inbox.
    func checkInbox() throws {
        try SettingsReport.requireAll([{ _ = try settings.serviceURLs("INBOX_URL") }, { _ = try inboxKeys() }])
    }

    private func inboxKeys() throws -> KeyRing { try settings.secrets.keyRing("assertion_otp_inbox") }
}
