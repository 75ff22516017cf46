import Configuration
import Policies

/// `MAIL_SENDER`: how mail is sent. otp-service uses it; if it is `none`, the gateway has no sign-in by mail.
package enum MailSenderName: String, Sendable, CaseIterable {
    case inbox, resend, smtp, none
}

extension ProcessSettings {
    /// Reads `MAIL_SENDER`. Outside production the default is `inbox`; in production `inbox` is refused and the default is
    /// `none`.
    package func mailSender() throws -> MailSenderName {
        let sender = try choice("mail.sender", default: environment == .production ? MailSenderName.none : .inbox)
        guard sender != .inbox || environment != .production else {
            throw SettingsError(
                "MAIL_SENDER", "inbox is not for production, which sends mail to people. Use resend, smtp or none.")
        }
        return sender
    }
}
