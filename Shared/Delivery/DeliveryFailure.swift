/// Why a message was not delivered.
package struct DeliveryFailure: Error, Sendable, Equatable {
    /// What it comes to for us, whoever the provider is.
    package enum Reason: String, Sendable, CaseIterable {
        /// No answer within the time for all tries together.
        case timedOut = "timed_out"
        /// No connection, or it ended before the answer.
        case unreachable
        /// The provider failed, and may have sent the message all the same.
        case serverError = "server_error"
        /// The provider is overloaded or limits us, and stayed so over all tries.
        case throttled
        /// The provider refused the message for a reason that we do not know; the operator has to look at it.
        case refused
        /// Nobody has this address, or he takes no mail: no later message will arrive either.
        case undeliverable
        /// The provider could not prove who it is, or offers no TLS: nothing was told to it.
        case untrusted
        /// The answer is not of the agreed form.
        case badAnswer = "bad_answer"
        /// The provider calls the number bad: no later message on this channel will arrive either.
        case badNumber = "bad_number"
        /// The number takes no text messages, e.g. a landline: no later one will arrive either, but another channel may do.
        case noTextMessages = "no_text_messages"
        /// No text message finds its way to the number now, but another channel may do.
        case noRoute = "no_route"
        /// The channel has no such recipient, or does not deliver to this one, e.g. a number without WhatsApp.
        case notOnChannel = "not_on_channel"
        /// The number's holder has told the provider that they want no messages of this sender (STOP).
        case optedOut = "opted_out"
        /// The provider takes the number's prefix for fraud, for a while.
        case blockedPrefix = "blocked_prefix"
        /// The provider wants no message to this number at all.
        case barred
        /// The account may not send to this country.
        case blockedCountry = "blocked_country"
        /// The provider has sent this number as many messages as it ever does at a time.
        case sendCap = "send_cap"
        /// A limit that the account set itself, or one for this number alone.
        case limited
        /// Account, service or sender are set up wrong: the operator has to mend it.
        case misconfigured
        /// This channel is set up wrong at the provider; another may do.
        case channelMisconfigured = "channel_misconfigured"
    }

    package let reason: Reason
    /// The provider's own number of the error.
    package var providerCode: Int?
    /// The provider's words, or what it did not say; short, without addresses and secrets (`ReplyText`).
    package var detail: String?
    /// Seconds until another message is welcome, if the provider says so.
    package var retryAfterSeconds: Int64?
    /// The provider may still hold the code of an earlier message: it was asked to end that one, in vain, and for nothing more.
    package var leavesEarlierCode = false

    package init(_ reason: Reason, providerCode: Int? = nil, retryAfterSeconds: Int64? = nil) {
        self.reason = reason
        self.providerCode = providerCode
        self.retryAfterSeconds = retryAfterSeconds
    }

    /// The `code` label of `auth_provider_errors_total`: the provider's number if it is one of our tables, else the reason.
    package var label: String {
        providerCode.flatMap { TwilioErrors.isKnown($0) ? "\($0)" : nil } ?? reason.rawValue
    }

    /// The `code` of log lines: the provider's number, whatever it is, else the reason.
    package var code: String { providerCode.map(String.init) ?? reason.rawValue }

    /// For the operator: the reason, the provider's number of it, and its words.
    package var text: String {
        ([reason.rawValue] + [providerCode.map { "\($0)" }, detail].compactMap { $0 }).joined(separator: " ")
    }

    package static let timedOut = Self(.timedOut)
    package static let unreachable = Self(.unreachable)
    package static let throttled = Self(.throttled)
    package static let refused = Self(.refused)
    package static let undeliverable = Self(.undeliverable)
    package static let untrusted = Self(.untrusted)
    package static let badAnswer = Self(.badAnswer)
}

extension DeliveryFailure {
    /// The ways that are left for the message after a failure.
    package enum Rest: Sendable, Equatable {
        /// Any other way may do.
        case anyWay
        /// Another sender may do.
        case otherSender
        /// Another channel may do.
        case otherChannel
        /// No other way is tried.
        case nothing
    }

    package var rest: Rest {
        switch reason {
        case .timedOut, .unreachable, .serverError, .throttled, .refused, .undeliverable, .untrusted, .badAnswer,
            .optedOut,
            .blockedPrefix, .sendCap, .channelMisconfigured:
            .anyWay
        case .misconfigured: .otherSender
        case .noTextMessages, .noRoute, .notOnChannel: .otherChannel
        case .badNumber, .barred, .blockedCountry, .limited: .nothing
        }
    }

    /// Whether no later message on the same channel will arrive.
    package var isLasting: Bool { reason == .badNumber || reason == .noTextMessages }

    /// Whether the cause lies, or may lie, with the recipient: a message to another one might have gone out.
    package var dependsOnRecipient: Bool {
        switch reason {
        case .undeliverable, .badNumber, .noTextMessages, .noRoute, .notOnChannel, .optedOut, .blockedPrefix, .barred,
            .blockedCountry, .sendCap, .limited, .refused:
            true
        case .timedOut, .unreachable, .serverError, .throttled, .untrusted, .badAnswer, .misconfigured,
            .channelMisconfigured:
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

    /// Whether the provider is not well, rather than unwilling to take this message.
    package var isOutage: Bool {
        switch reason {
        case .timedOut, .unreachable, .serverError, .throttled, .untrusted, .badAnswer: true
        default: false
        }
    }
}
