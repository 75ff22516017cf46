import Delivery

/// The delivery status of a message as Twilio reports it, once it is final.
struct DeliveryReport: Sendable, Equatable {
    /// The final statuses. Those before them, or late after them, add no information.
    enum Status: String, Sendable {
        case delivered, undelivered, failed
    }

    /// The greatest number of fields in a form; Twilio sends eleven at most.
    static let fieldCountMax = 32
    /// The error numbers that have labels of their own (integration guide 1.3).
    private static let knownCodes: Set<Int> = Set(30_001...30_008).union([
        21_408, 21_610, 21_612, 21_614, 21_635, 30_034, 30_450, 30_453, 63_016,
    ])

    let messageID: String
    let status: Status
    /// `sms` or `whatsapp`.
    let channel: String
    /// The phone number as the report states it, without the channel.
    let number: String
    /// The error number; `nil` if there is none, or if it is not a number.
    let errorCode: Int?
    /// `none`, a known number, or `other`.
    let errorLabel: String
    /// Whether the message did not reach the phone.
    var isUndelivered: Bool { status != .delivered }

    /// - Returns: `nil` for a report that does not state a final status.
    init?(_ fields: [(String, String)]) {
        func field(_ name: String) -> String? { fields.first { $0.0 == name }?.1 }
        guard let id = field("MessageSid"), let status = field("MessageStatus").flatMap(Status.init(rawValue:)),
            let to = field("To")
        else { return nil }
        messageID = id
        self.status = status
        channel = to.hasPrefix("whatsapp:") ? "whatsapp" : "sms"
        number = String(to.trimmingPrefix("whatsapp:"))
        let code = field("ErrorCode").flatMap { $0.isEmpty ? nil : $0 }
        errorCode = code.flatMap { Int($0) }
        let known = errorCode.flatMap { Self.knownCodes.contains($0) ? "\($0)" : nil }
        errorLabel = code == nil ? "none" : known ?? "other"
    }
}
