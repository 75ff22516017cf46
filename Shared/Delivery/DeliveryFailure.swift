package import OutgoingConnections
import ServiceCalls

/// Why a message was not delivered.
package struct DeliveryFailure: Error, Sendable, Equatable {
    /// The meaning of a failure for Latchkey, independent of the provider.
    package enum Reason: Sendable, Hashable {
        /// No response; whether the provider may have sent the message depends on the failure.
        case connection(ConnectionFailure)
        /// The provider failed, and may still have sent the message.
        case serverError
        /// The provider was overloaded or rate-limited us, in all attempts.
        case throttled
        /// The provider refused the message for a reason that is not in our tables; the operator has to look into it.
        case refused
        /// The address does not exist or accepts no mail: later mails will fail too.
        case undeliverable
        /// The response breaks the provider's documented format.
        case badAnswer
        /// The provider rejects the phone number: later messages on this channel will fail too.
        case badNumber
        /// The number accepts no text messages, e.g. a landline: later ones will fail too, but another channel may work.
        case noTextMessages
        /// The provider has no route to the number now, but another channel may work.
        case noRoute
        /// The channel has no such recipient, or does not deliver to them, e.g. a number without WhatsApp.
        case notOnChannel
        /// The number's holder has opted out of messages from this sender (STOP).
        case optedOut
        /// The provider suspects the number's prefix of fraud, and blocks it for a while.
        case blockedPrefix
        /// The provider accepts no messages to this number.
        case barred
        /// The account may not send to this country.
        case blockedCountry
        /// The provider has sent this number the maximum number of messages for now.
        case sendCap
        /// A limit that the account set itself, or one for this number only.
        case limited
        /// The account, service or sender is misconfigured; the operator has to fix it.
        case misconfigured
        /// This channel is misconfigured at the provider; another one may work.
        case channelMisconfigured

        /// The reason's name in logs, metrics and traces.
        package var rawValue: String {
            switch self {
            case .connection(let failure): failure.rawValue
            case .serverError: "server_error"
            case .throttled: "throttled"
            case .refused: "refused"
            case .undeliverable: "undeliverable"
            case .badAnswer: "bad_answer"
            case .badNumber: "bad_number"
            case .noTextMessages: "no_text_messages"
            case .noRoute: "no_route"
            case .notOnChannel: "not_on_channel"
            case .optedOut: "opted_out"
            case .blockedPrefix: "blocked_prefix"
            case .barred: "barred"
            case .blockedCountry: "blocked_country"
            case .sendCap: "send_cap"
            case .limited: "limited"
            case .misconfigured: "misconfigured"
            case .channelMisconfigured: "channel_misconfigured"
            }
        }
    }

    package let reason: Reason
    /// The provider's own error code.
    package var providerCode: Int?
    /// The provider's message, or what was missing in its response; short, without addresses and secrets (`ReplyText`).
    package var detail: String?
    /// Seconds until the provider accepts another message, if it says so.
    package var retryAfterSeconds: Int64?
    /// Whether the provider may still have an earlier code open: it failed to close that one, and did nothing else.
    package var leavesEarlierCode = false

    package init(_ reason: Reason, providerCode: Int? = nil, retryAfterSeconds: Int64? = nil) {
        self.reason = reason
        self.providerCode = providerCode
        self.retryAfterSeconds = retryAfterSeconds
    }

    /// Creates the failure of a call without a response.
    package init(connection failure: ConnectionFailure) { self.init(.connection(failure)) }

    /// Creates the failure of an exchange that threw `error`.
    init(of error: any Error) {
        self.init(error is AnswerTooLarge ? .badAnswer : .connection(error as? ConnectionFailure ?? .closed))
    }

    /// The `code` label of `auth_provider_errors_total`: the provider's code if our tables have it, else the reason.
    package var label: String {
        providerCode.flatMap { TwilioErrors.isKnown($0) ? "\($0)" : nil } ?? reason.rawValue
    }

    /// The `code` of log lines: the provider's code if it gave one, else the reason.
    package var code: String { providerCode.map(String.init) ?? reason.rawValue }

    /// The reason, the provider's code and its message, for the operator.
    package var text: String {
        ([reason.rawValue] + [providerCode.map { "\($0)" }, detail].compactMap { $0 }).joined(separator: " ")
    }

    package static let timedOut = Self(connection: .timedOut)
    package static let throttled = Self(.throttled)
    package static let refused = Self(.refused)
    package static let undeliverable = Self(.undeliverable)
    package static let badAnswer = Self(.badAnswer)
}

extension DeliveryFailure {
    /// The remaining ways to deliver the message after a failure.
    package enum Rest: Sendable, Equatable {
        /// Any other way may work.
        case anyWay
        /// Another sender may work.
        case otherSender
        /// Another channel may work.
        case otherChannel
        /// No other way is tried.
        case nothing
    }

    package var rest: Rest {
        switch reason {
        case .connection, .serverError, .throttled, .refused, .undeliverable, .badAnswer, .optedOut, .blockedPrefix,
            .sendCap, .channelMisconfigured:
            .anyWay
        case .misconfigured: .otherSender
        case .noTextMessages, .noRoute, .notOnChannel: .otherChannel
        case .badNumber, .barred, .blockedCountry, .limited: .nothing
        }
    }

    /// Whether later messages on the same channel will fail too.
    package var isLasting: Bool { reason == .badNumber || reason == .noTextMessages }

    /// Whether the cause lies, or may lie, with the recipient: a message to another one might have gone out.
    package var dependsOnRecipient: Bool {
        switch reason {
        case .undeliverable, .badNumber, .noTextMessages, .noRoute, .notOnChannel, .optedOut, .blockedPrefix, .barred,
            .blockedCountry, .sendCap, .limited, .refused:
            true
        case .connection, .serverError, .throttled, .badAnswer, .misconfigured, .channelMisconfigured:
            false
        }
    }

    /// Whether the operator has to fix something.
    package var isAlarm: Bool {
        switch reason {
        case .refused, .misconfigured, .channelMisconfigured: true
        default: providerCode.map { TwilioErrors.alarmsBeside.contains($0) } ?? false
        }
    }

    /// Whether the provider has an outage, rather than refusing this message.
    package var isOutage: Bool {
        switch reason {
        case .connection, .serverError, .throttled, .badAnswer: true
        default: false
        }
    }
}
