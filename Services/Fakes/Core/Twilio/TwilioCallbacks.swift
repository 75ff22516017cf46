import Delivery
import FoundationEssentials
import ServiceCalls

/// Reports the status of messages, signed as Twilio signs (integration guide 1.3).
struct TwilioCallbacks: Sendable {
    /// The report about a message.
    struct Wish: Codable, Sendable {
        /// The id of the message, `SM…`.
        var sid: String
        /// The status, such as `delivered`.
        var status: String
        var errorCode: Int?
    }

    private static let limit: Duration = .seconds(5)

    let token: String
    let exchange: any ProviderExchange

    /// - Returns: the status of the response, or `nil` if there was none.
    func tell(
        _ wish: Wish, of item: PhoneMessages.Item, account: String, at url: String
    ) async -> Int? {
        let prefix = item.channel == "whatsapp" ? "whatsapp:" : ""
        var fields = [
            ("MessageSid", wish.sid), ("SmsSid", wish.sid), ("MessageStatus", wish.status), ("SmsStatus", wish.status),
            ("To", prefix + item.to), ("From", item.fields["From"] ?? "+15005550006"), ("AccountSid", account),
            ("ApiVersion", "2010-04-01"),
        ]
        if let code = wish.errorCode { fields.append(("ErrorCode", "\(code)")) }
        let request = ProviderRequest(
            url: url,
            headers: [
                "Content-Type": FormText.mediaType,
                "X-Twilio-Signature": TwilioSignature.sign(url: url, fields: fields, token: token),
            ], body: Array(FormText.encode(fields).utf8))
        do { return try await exchange.send(request, within: Self.limit).status } catch { return nil }
    }
}
