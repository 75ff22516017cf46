package import Policies
import SettingNames

/// `OTP_SENDER`: how codes are sent to phones.
package enum PhoneSenderName: String, Sendable, CaseIterable {
    case inbox, webhook
    case twilioVerify = "twilio-verify"
    case twilioVerifyManaged = "twilio-verify-managed"
    case twilioMessaging = "twilio-messaging"

    /// Whether the sender is one of Twilio's.
    package var isTwilio: Bool { usesVerify || self == .twilioMessaging }
    /// Whether the sender uses a Verify Service.
    package var usesVerify: Bool { self == .twilioVerify || self == .twilioVerifyManaged }

    /// Whether the sender supports a channel of the policy.
    ///
    /// - Parameter hasWhatsApp: Whether Twilio's messaging has its settings for WhatsApp.
    package func canDo(_ channel: PhoneChannel, hasWhatsApp: Bool) -> Bool {
        guard self == .twilioMessaging else { return true }
        return switch channel {
        case .sms: true
        case .call: false
        case .whatsapp: hasWhatsApp
        }
    }
}

extension ProcessSettings {
    /// Reads the senders in the order in which they are tried, and refuses `inbox` in production.
    ///
    /// - Throws: `SettingsError`.
    package func phoneSenders() throws(SettingsError) -> [PhoneSenderName] {
        let text = text("OTP_SENDER") ?? ""
        var senders: [PhoneSenderName] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let name = part.filter { $0 != " " }
            guard let sender = PhoneSenderName(rawValue: name) else {
                let allowed = PhoneSenderName.allCases.map(\.rawValue)
                throw SettingsError.invalid(
                    "OTP_SENDER", name, use: allowed.joined(separator: ", ") + ", several separated by commas",
                    meant: Spelling.nearest(to: name, among: allowed))
            }
            guard !senders.contains(sender) else {
                throw SettingsError(
                    "OTP_SENDER", "contains \(name) twice. Name each sender once, in the order in which they are tried."
                )
            }
            senders.append(sender)
        }
        guard !senders.contains(.inbox) || environment != .production else {
            throw SettingsError(
                "OTP_SENDER",
                "inbox is not for production, which sends codes to people. Use webhook, twilio-verify, "
                    + "twilio-verify-managed or twilio-messaging.")
        }
        guard !senders.contains(.twilioVerifyManaged) || senders.count == 1 else {
            throw SettingsError(
                "OTP_SENDER",
                "twilio-verify-managed makes its own codes, which no other sender knows. Name it without others.")
        }
        return senders
    }
}
