import AsyncHTTPClient
import Curl
import Delivery
import OutgoingConnections
import Policies
import Release
import ServiceCalls
import ServiceKit

/// The settings of the mail sender.
struct MailSettings {
    private let sender: MailSenderName
    private let settings: ProcessSettings
    /// The host where clients reach the deployment; `nil` if it is not known.
    private let publicHost: String?

    init(_ context: ProcessContext) throws {
        settings = context.settings
        sender = try context.mailSender()
        publicHost = try context.publicURL()?.host
    }

    /// Creates the sender of mails; `nil` if the deployment has none.
    func makeSender(_ context: ProcessContext, client: HTTPClient) throws -> MeteredSender? {
        switch sender {
        case .inbox: MeteredSender(try context.inboxSender(client: client))
        case .resend: MeteredSender(BoundedSender(try resend(client: client)))
        case .smtp: MeteredSender(BoundedSender(try smtp()))
        case .none: nil
        }
    }

    /// Refuses settings by which no mail goes out.
    func check(_ context: ProcessContext) throws {
        let common = { _ = try Self.webhooks(settings) }
        switch sender {
        case .inbox: try SettingsReport.requireAll([common, { try context.checkInbox() }])
        case .resend:
            try SettingsReport.requireAll([
                common, { _ = try settings.providerURL("RESEND_URL") }, { _ = try resendKey() }, { _ = try from() },
                { _ = try settings.ownAuthorities() },
            ])
        case .smtp:
            try SettingsReport.requireAll([
                common, { _ = try host() }, { _ = try port() }, { _ = try security() }, { _ = try trust() },
                { _ = try credentials() }, { _ = try helo(try from()) },
            ])
        case .none: try common()
        }
    }

    /// Returns the keys of Resend's webhooks, or `nil` without the secret `resend_webhook_secret`.
    static func webhooks(_ settings: ProcessSettings) throws -> WebhookSignature? {
        guard let secret = try settings.secrets.password("resend_webhook_secret") else { return nil }
        do throws(WebhookSignature.Problem) { return try WebhookSignature(secrets: secret.value) } catch {
            throw SettingsError("secret resend_webhook_secret", error.description)
        }
    }

    private func resend(client: HTTPClient) throws -> ResendSender {
        ResendSender(
            url: try settings.providerURL("RESEND_URL").text, from: try from(), key: try resendKey(),
            release: Release.version,
            exchange: HTTPProviderExchange(client: client, authorities: try settings.ownAuthorities()))
    }

    /// Returns requests that show whether the provider can be reached.
    func probes() throws -> [ProviderProbe] {
        guard sender == .resend else { return [] }
        // A key that can only send is answered with 401 here, so this shows no credentials.
        return [
            ProviderProbe(
                "resend", url: try settings.providerURL("RESEND_URL").text, place: "RESEND_URL",
                authorities: try settings.ownAuthorities()
            ).atOrigin()
        ]
    }

    /// Returns the mail server; `nil` unless mails are sent by SMTP.
    func server() throws -> (host: String, port: Int)? {
        guard sender == .smtp else { return nil }
        return (host: try host(), port: try port())
    }

    private func resendKey() throws -> String {
        guard let key = try settings.secrets.password("resend_api_key") else {
            throw SettingsError.missing(
                "secret resend_api_key", because: "MAIL_SENDER=resend needs your account",
                use: "a file of that name with an API key that Resend shows in its dashboard, re_…")
        }
        return key.value
    }

    private func smtp() throws -> SMTPSender {
        let from = try from()
        let server = try smtpServer(helo: try helo(from))
        do throws(CurlLibrary.Missing) {
            return try SMTPSender(server, from: from) { UnixTime.seconds() }
        } catch {
            throw SettingsError("MAIL_SENDER", "smtp needs the library libcurl4. Run apt-get install libcurl4.")
        }
    }

    /// Returns the name by which the process introduces itself to the mail server.
    private func helo(_ from: MailFrom) throws(SettingsError) -> String {
        guard let text = settings.variable("SMTP_HELO") else {
            return SMTPServer.helo(publicHost: publicHost, from: from)
        }
        guard SMTPServer.isHelo(text) else {
            throw SettingsError.invalid(
                "SMTP_HELO", text, use: "a host name such as auth.example.com, or an IP address in brackets")
        }
        return text
    }

    private func smtpServer(helo: String) throws -> SMTPServer {
        SMTPServer(
            host: try host(), port: try port(), security: try security(), credentials: try credentials(), helo: helo,
            trust: try trust())
    }

    private func host() throws(SettingsError) -> String {
        guard let host = settings.variable("SMTP_HOST") else {
            throw SettingsError.missing(
                "SMTP_HOST", because: "MAIL_SENDER=smtp sends mails by it",
                use: "your mail server, such as smtp.example.com")
        }
        guard Self.isHost(host) else {
            throw SettingsError.invalid(
                "SMTP_HOST", host, use: "a host name or an IP address, without a port, which is SMTP_PORT")
        }
        return host
    }

    private func port() throws(SettingsError) -> Int { try settings.integer("SMTP_PORT") ?? 0 }

    private func security() throws(SettingsError) -> SMTPServer.Security {
        let security: SMTPServer.Security? = try settings.choice("SMTP_SECURITY")
        guard let security, security != .none || settings.environment != .production else {
            throw SettingsError(
                "SMTP_SECURITY", "none would send mails of production in the clear. Use starttls or tls.")
        }
        return security
    }

    /// The authorities of `SMTP_CA_FILE` alone, or else those of the system and of `LATCHKEY_CA_FILE`.
    private func trust() throws(SettingsError) -> SMTPServer.Trust {
        if let file = settings.variable("SMTP_CA_FILE") {
            try FileAccess.requireReadable(file, setting: "SMTP_CA_FILE")
            return .only(file: file)
        }
        guard let own = try settings.ownAuthorities() else { return .system }
        return .systemAnd(try own.withSystem())
    }

    private func credentials() throws -> SMTPServer.Credentials? {
        guard let user = settings.variable("SMTP_USER") else { return nil }
        guard let password = try settings.secrets.password("smtp_password") else {
            throw SettingsError.missing(
                "secret smtp_password", because: "SMTP_USER signs in at the mail server",
                use: "a file of that name with the password, or unset SMTP_USER")
        }
        return SMTPServer.Credentials(user: user, password: password.value)
    }

    private func from() throws(SettingsError) -> MailFrom {
        let use = "Name <address> with a name of at most 128 characters, or an address"
        guard let text = settings.variable("MAIL_FROM") else {
            throw SettingsError.missing(
                "MAIL_FROM", because: "mails need a sender with MAIL_SENDER=\(sender.rawValue)", use: use)
        }
        guard let from = MailFrom(text) else { throw SettingsError.invalid("MAIL_FROM", text, use: use) }
        return from
    }

    private static func isHost(_ text: String) -> Bool {
        (1...253).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
                    || ".-:".contains(Character($0))
            }
    }
}
