import AccessTokens
import AsyncHTTPClient
import Configuration
import Delivery
import Hummingbird
import InternalAPI
import OutgoingConnections
import Policies
import ServiceCalls
import ServiceHTTP
package import ServiceKit

/// latchkey-fakes: the providers that Latchkey sends by, on this machine, in their wire formats.
///
/// It is for development and tests. It keeps everything in memory and delivers nothing to anyone.
package enum Fakes {
    package static let name = "fakes"
    package static let defaultPort = 8026

    /// Runs the process until it is told to stop.
    package static func run() async {
        await runProcess(
            name, "latchkey-fakes play Twilio, Resend, Apple and a mail server in development.",
            defaultPort: defaultPort
        ) { try plan($0) }
    }

    /// Builds the process from its settings.
    ///
    /// `FAKES_SMTP_LISTEN` (host:port; 127.0.0.1:2525), `FAKES_CERTIFICATE_DIR` (the folder in which its certificate is written for
    /// `SMTP_CA_FILE`; without it the mail server offers no TLS), `FAKES_WEBHOOK_URL` and the secret `resend_webhook_secret` (the
    /// webhook for the status of mails), the secret `twilio_auth_token` (the key of callbacks with the status of messages),
    /// `APPLE_TEAM_ID`, `APPLE_KEY_ID` and the secret `apple_key` (the deployment that Apple knows),
    /// `INBOX_URL` with the secret `assertion_otp_inbox` (the inbox that shows messages and calls).
    package static func plan(_ context: ProcessContext) throws -> ProcessPlan {
        let settings = context.settings
        guard settings.environment != .production else {
            throw SettingsError(
                "LATCHKEY_ENV", "production has no fakes, because they send nothing. Use development or uat.")
        }
        let client = makeHTTPClient()
        let (mails, script) = (MailStore(), Script())
        let resend = ResendFake(
            mails: mails, script: script, events: try events(settings, client), now: UnixTime.seconds)
        let router = Router(context: BasicRequestContext.self)
        resend.add(to: router)
        let messages = PhoneMessages(inbox: try inbox(settings, client))
        let verify = TwilioVerifyFake(messages: messages, script: script, now: UnixTime.seconds)
        let messaging = TwilioMessagingFake(
            messages: messages, script: script, callbacks: try callbacks(settings, client), now: UnixTime.seconds)
        verify.add(to: router)
        try IdentityFake(
            script: script, client: try appleClient(settings), policy: PolicyTokens(context.policy.identityProviders),
            now: UnixTime.seconds
        ).add(to: router)
        messaging.add(to: router)
        FakeControl(
            mails: mails, script: script, resend: resend, messages: messages, verify: verify, messaging: messaging
        ).add(to: router)
        let smtp = SMTPFake(
            address: try smtpAddress(settings), mails: mails, script: script,
            certificates: settings.reader.string(forKey: "fakes.certificate.dir"), now: UnixTime.seconds,
            logger: context.logger)
        return ProcessPlan(services: [
            OutgoingCalls(client: client), smtp,
            try boundedApplication(router, address: settings.listen, logger: context.logger),
        ])
    }

    private static func smtpAddress(_ settings: ProcessSettings) throws -> ListenAddress {
        try settings.address("FAKES_SMTP_LISTEN", example: "127.0.0.1:2525")
            ?? ListenAddress(host: "127.0.0.1", port: 2525)
    }

    /// Creates the sender to the development inbox, which shows messages to phones. The fakes send to it as otp-service does.
    private static func inbox(_ settings: ProcessSettings, _ client: HTTPClient) throws -> InboxSender? {
        guard settings.reader.string(forKey: "inbox.url") != nil,
            let keys = try settings.secrets.optionalKeyRing("assertion_otp_inbox")
        else { return nil }
        return InboxSender(
            transport: HTTPServiceTransport(
                service: "inbox", baseURLs: try settings.serviceURLs("INBOX_URL"),
                caller: .otp, keys: keys, client: client, authorities: try settings.internalAuthorities()))
    }

    /// The deployment's key at Apple, which user-service reads from the same settings.
    private static func appleClient(_ settings: ProcessSettings) throws -> AppleServerFake.Client? {
        guard let pem = try settings.secrets.optionalText("apple_key"),
            let team = settings.variable("APPLE_TEAM_ID"), let keyID = settings.variable("APPLE_KEY_ID")
        else { return nil }
        let key = try SigningKey(keyID: keyID, algorithm: .ES256, privateKeyPEM: pem.value)
        return AppleServerFake.Client(teamID: team, key: key.verificationKey)
    }

    private static func callbacks(_ settings: ProcessSettings, _ client: HTTPClient) throws -> TwilioCallbacks? {
        guard let text = try settings.secrets.optionalText("twilio_auth_token"),
            let token = text.value.split(whereSeparator: \.isNewline).first
        else { return nil }
        return TwilioCallbacks(token: String(token), exchange: HTTPProviderExchange(client: client))
    }

    private static func events(_ settings: ProcessSettings, _ client: HTTPClient) throws -> ResendEvents? {
        guard let url = settings.reader.string(forKey: "fakes.webhook.url"),
            let secret = try settings.secrets.password("resend_webhook_secret")
        else { return nil }
        return ResendEvents(
            url: url, signature: try WebhookSignature(secrets: secret.value),
            exchange: HTTPProviderExchange(client: client), now: UnixTime.seconds)
    }
}
