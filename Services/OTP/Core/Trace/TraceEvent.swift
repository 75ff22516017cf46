import InternalAPI

/// What may happen to a number or an address on the way to a code; no code, number or address is in it.
enum TraceEvent: Sendable, Equatable {
    /// - until: Unix seconds after which the rule no longer refuses.
    case refused(rule: LimitRule, until: Int64)
    /// A message was handed to a provider, or to nobody. outcome: `sent`, or why it was not, a provider's own number behind it.
    case tried(channel: String, sender: String, messageID: String, outcome: String)
    /// A provider told what became of a message.
    case callback(messageID: String, status: String, code: String)
    case guessed(OTPVerifyResult)
    /// The provider that makes codes did not say whether one is right; why.
    case undecided(String)

    /// The sender of what nobody was to send.
    static let nobody = "nobody"
    /// The outcome of a message that a provider took.
    static let sent = "sent"

    /// As it is kept: kind, the id of the client's request, then what the kind has.
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

/// The id that the gateway gave the client's request, for as long as it is worked at.
enum TracedRequest {
    @TaskLocal static var id: String?
}
