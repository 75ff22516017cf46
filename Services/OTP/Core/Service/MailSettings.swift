import AsyncHTTPClient
import Configuration
import Delivery
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

    /// Returns the keys of Resend's webhooks, or `nil` without the secret `resend_webhook_secret`.
    static func webhooks(_ settings: ProcessSettings) throws -> WebhookSignature? {
        guard let secret = try settings.secrets.password("resend_webhook_secret") else { return nil }
        do throws(WebhookSignature.Problem) { return try WebhookSignature(secrets: secret.value) } catch {
            throw SettingsError("secret resend_webhook_secret", error.description)
        }
    }

    private func resend(client: HTTPClient) throws -> ResendSender {
        let url = settings.reader.string(forKey: "resend.url", default: ResendSender.defaultURL)
        guard let base = PublicURL(url), base.text.hasPrefix("https://") || settings.environment != .production else {
            throw SettingsError("RESEND_URL", "'\(url)' is not allowed; allowed: https://…")
        }
        guard let key = try settings.secrets.password("resend_api_key") else {
            throw SettingsError("secret resend_api_key", "is needed with MAIL_SENDER=resend")
        }
        return ResendSender(
            url: base.text, from: try from(), key: key.value, release: Release.version,
            exchange: HTTPProviderExchange(client: client))
    }

    private func smtp() throws -> SMTPSender {
        let from = try from()
        let server = try smtpServer(helo: try helo(from))
        do throws(DeliveryFailure) {
            return try SMTPSender(server, from: from) { UnixTime.seconds() }
        } catch {
            throw SettingsError("MAIL_SENDER", "smtp needs Debian's libcurl4; apt-get install libcurl4")
        }
    }

    /// Returns the name by which the process introduces itself to the mail server.
    private func helo(_ from: MailFrom) throws -> String {
        guard let text = text("smtp.helo") else {
            return SMTPServer.helo(publicHost: publicHost, from: from)
        }
        guard SMTPServer.isHelo(text) else {
            throw SettingsError(
                "SMTP_HELO", "'\(text)' is not a host name; use such as auth.example.com, or an IP address in brackets")
        }
        return text
    }

    private func smtpServer(helo: String) throws -> SMTPServer {
        guard let host = text("smtp.host"), Self.isHost(host) else {
            throw SettingsError("SMTP_HOST", "the mail server's name is needed with MAIL_SENDER=smtp")
        }
        let port = settings.reader.int(forKey: "smtp.port", default: 587)
        guard (1...65_535).contains(port) else {
            throw SettingsError("SMTP_PORT", "'\(port)' is not a port; allowed: 1 to 65535")
        }
        let security = try settings.choice("smtp.security", default: SMTPServer.Security.starttls)
        guard security != .none || settings.environment != .production else {
            throw SettingsError("SMTP_SECURITY", "mail does not leave production in the clear; allowed: starttls, tls")
        }
        let roots = text("smtp.ca.file")
        if let roots { try FileAccess.requireReadable(roots, setting: "SMTP_CA_FILE") }
        return SMTPServer(
            host: host, port: port, security: security, credentials: try credentials(), helo: helo,
            rootsFile: roots)
    }

    private func credentials() throws -> SMTPServer.Credentials? {
        guard let user = text("smtp.user") else { return nil }
        guard let password = try settings.secrets.password("smtp_password") else {
            throw SettingsError("secret smtp_password", "is needed with SMTP_USER")
        }
        return SMTPServer.Credentials(user: user, password: password.value)
    }

    private func from() throws -> MailFrom {
        let text = settings.reader.string(forKey: "mail.from", default: "")
        guard let from = MailFrom(text) else {
            throw SettingsError(
                "MAIL_FROM",
                "'\(text)' is not a sender of mails; use Name <address> with a name of at most 128 characters, or an address"
            )
        }
        return from
    }

    /// Returns a variable's text, or `nil` if it is empty, because compose sets unset variables to an empty text.
    private func text(_ key: ConfigKey) -> String? {
        settings.reader.string(forKey: key).flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func isHost(_ text: String) -> Bool {
        (1...253).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
                    || ".-:".contains(Character($0))
            }
    }
}
