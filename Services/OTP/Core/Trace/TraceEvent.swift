import InternalAPI

/// An event of a phone number or an email address on the way to a code. It contains no code, number or address.
enum TraceEvent: Sendable, Equatable {
    /// - until: Unix seconds after which the rule no longer refuses.
    case refused(rule: LimitRule, until: Int64)
    /// A message was sent to a provider, or not sent. outcome: `sent`, or the reason why not, followed by a provider's own error
    /// number.
    case tried(channel: String, sender: String, messageID: String, outcome: String)
    /// A provider reported the delivery status of a message.
    case callback(messageID: String, status: String, code: String)
    case guessed(OTPVerifyResult)
    /// The provider that makes codes did not report whether one is right, for this reason.
    case undecided(String)

    /// The sender of a message that was not to be sent.
    static let nobody = "nobody"
    /// The outcome of a message that a provider accepted.
    static let sent = "sent"

    /// Returns the stored form: kind, the id of the client's request, then the values of the kind.
    func words(requestID: String?) -> [String] {
        let id = requestID ?? ""
        return switch self {
        case .refused(let rule, let until): ["refused", id, rule.rawValue, "\(until)"]
        case .tried(let channel, let sender, let messageID, let outcome):
            ["tried", id, channel, sender, messageID, outcome]
        case .callback(let messageID, let status, let code): ["callback", id, messageID, status, code]
        case .guessed(let result): ["guessed", id, result.rawValue]
        case .undecided(let reason): ["undecided", id, reason]
        }
    }
}

/// The id that the gateway gave the client's request, while the request is handled.
enum TracedRequest {
    @TaskLocal static var id: String?
}
