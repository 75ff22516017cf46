import Configuration
import Policies

/// `MAIL_SENDER`: how mail goes out. otp-service sends by it; the gateway has no sign-in by mail where it is `none`.
package enum MailSenderName: String, Sendable, CaseIterable {
    case inbox, resend, smtp, none
}

extension ProcessSettings {
    /// `inbox` by default outside production, and refused in it, where `none` is the default.
    package func mailSender() throws -> MailSenderName {
        let sender = try choice("mail.sender", default: environment == .production ? MailSenderName.none : .inbox)
        guard sender != .inbox || environment != .production else {
            throw SettingsError(
                "MAIL_SENDER", "inbox is not for production, which sends mail to people. Use resend, smtp or none.")
        }
        return sender
    }
}
