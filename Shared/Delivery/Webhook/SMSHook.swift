import FoundationEssentials

/// The body of Supabase Auth's "send SMS hook", so that existing receivers work unchanged.
struct SMSHook: Encodable {
    struct Metadata: Encodable {
        let uuid: String
        let time: String
        let name = "send-sms"
        let ipAddress: String

        enum CodingKeys: String, CodingKey {
            case uuid, time, name
            case ipAddress = "ip_address"
        }
    }

    struct User: Encodable {
        let phone: String
    }

    struct SMS: Encodable {
        let otp: String
        let phone: String
        /// The channel; `nil` for `sms`, which receivers assume.
        let channel: String?
        let locale: String?
    }

    let metadata: Metadata
    let user: User
    let sms: SMS

    /// - Parameters:
    ///     - code: The message's code.
    ///     - now: Unix time in seconds.
    init(_ message: Message, code: String, now: Int64) {
        // Digits only, as receivers of that hook expect.
        let phone = String(message.recipient.trimmingPrefix("+"))
        let time = Date(timeIntervalSince1970: Double(now)).formatted(.iso8601)
        metadata = Metadata(uuid: message.id, time: time, ipAddress: message.clientAddress)
        user = User(phone: phone)
        sms = SMS(
            otp: code, phone: phone, channel: message.channel == "sms" ? nil : message.channel, locale: message.locale)
    }
}
