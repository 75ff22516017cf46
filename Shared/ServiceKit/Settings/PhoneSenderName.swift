import Configuration
package import Policies

/// `OTP_SENDER`: what brings codes to phones.
package enum PhoneSenderName: String, Sendable, CaseIterable {
    case inbox, webhook
    case twilioVerify = "twilio-verify"
    case twilioVerifyManaged = "twilio-verify-managed"
    case twilioMessaging = "twilio-messaging"

    /// Whether it is one of Twilio's.
    package var isTwilio: Bool { usesVerify || self == .twilioMessaging }
    /// Whether it sends through a Verify Service.
    package var usesVerify: Bool { self == .twilioVerify || self == .twilioVerifyManaged }

    /// Whether it can do a channel of the policy.
    ///
    /// - Parameter hasWhatsApp: whether Twilio's messaging has its settings for WhatsApp.
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
    /// Names in the order in which they are tried, separated by commas; `inbox` by default outside production, and refused in
    /// it, where `webhook` is the default.
    ///
    /// - Throws: `SettingsError`.
    package func phoneSenders() throws -> [PhoneSenderName] {
        let fallback = environment == .production ? PhoneSenderName.webhook : .inbox
        let text = reader.string(forKey: "otp.sender", default: fallback.rawValue)
        var senders: [PhoneSenderName] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let name = part.filter { $0 != " " }
            guard let sender = PhoneSenderName(rawValue: name) else {
                let allowed = PhoneSenderName.allCases.map(\.rawValue).joined(separator: ", ")
                throw SettingsError("OTP_SENDER", "'\(name)' is not one of: \(allowed)")
            }
            guard !senders.contains(sender) else {
                throw SettingsError("OTP_SENDER", "names \(name) twice; allowed: each once, in order")
            }
            senders.append(sender)
        }
        guard !senders.contains(.inbox) || environment != .production else {
            throw SettingsError(
                "OTP_SENDER",
                "production sends codes to people, not to the inbox; allowed: webhook, twilio-verify, "
                    + "twilio-verify-managed, twilio-messaging")
        }
        guard !senders.contains(.twilioVerifyManaged) || senders.count == 1 else {
            throw SettingsError(
                "OTP_SENDER",
                "twilio-verify-managed makes codes of its own, which no other sender knows; allowed: it alone")
        }
        return senders
    }
}
