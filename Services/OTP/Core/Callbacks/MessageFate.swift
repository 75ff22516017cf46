import Delivery

/// The delivery status of a message as Twilio reports it, once it is final.
struct MessageFate: Sendable, Equatable {
    /// Statuses that nothing follows; what comes before them, or late after them, says nothing new.
    enum Status: String, Sendable {
        case delivered, undelivered, failed
    }

    /// Fields of a form; Twilio sends eleven at most.
    static let fieldCountMax = 32
    /// Error numbers that are labels of their own (integration guide 1.3).
    private static let knownCodes: Set<Int> = Set(30_001...30_008).union([
        21_408, 21_610, 21_612, 21_614, 21_635, 30_034, 30_450, 30_453, 63_016,
    ])

    let messageID: String
    let status: Status
    /// `sms` or `whatsapp`.
    let channel: String
    /// As it stands there, without the channel.
    let number: String
    /// Nil: none, or none that is a number.
    let errorCode: Int?
    /// `none`, a known number, or `other`.
    let errorLabel: String
    /// Whether the message did not reach the phone.
    var isUndelivered: Bool { status != .delivered }

    /// - Returns: nil for what is no message's end.
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
