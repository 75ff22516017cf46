import Policies

/// `MAIL_SENDER`: how mail is sent. otp-service uses it; if it is `none`, the gateway has no sign-in by mail.
package enum MailSenderName: String, Sendable {
    case inbox, resend, smtp, none
}

extension ProcessSettings {
    /// Reads `MAIL_SENDER`, and refuses `inbox` in production.
    package func mailSender() throws -> MailSenderName {
        let sender: MailSenderName? = try choice("MAIL_SENDER")
        guard let sender, sender != .inbox || environment != .production else {
            throw SettingsError(
                "MAIL_SENDER", "inbox is not for production, which sends mail to people. Use resend, smtp or none.")
        }
        return sender
    }
}
