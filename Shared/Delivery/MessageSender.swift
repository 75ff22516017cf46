/// Brings messages to people: one implementation for each way out (integration guide 1.1).
///
/// A sender bounds itself: it answers within `SendLimits.time`, whatever the provider does.
package protocol MessageSender: Sendable {
    /// The `provider` label of metrics, e.g. `inbox`.
    var provider: String { get }

    /// Hands `message` to the provider.
    ///
    /// - Returns: the provider's id of the message.
    /// - Throws: `DeliveryFailure` when the provider did not take it; after `.timedOut` it may have gone out anyway.
    func send(_ message: Message) async throws(DeliveryFailure) -> String
}

/// Bounds of every sender.
package enum SendLimits {
    /// For one message with all tries (security guide R-58).
    package static let time: Duration = .seconds(5)
}

/// A message to one person.
package struct Message: Sendable, Equatable {
    /// What the person reads.
    package struct Content: Sendable, Equatable {
        /// Of a mail alone.
        package var subject: String?
        package var text: String
        /// The same for those who read mail as a page.
        package var html: String?
        /// The code in `text`, for senders that word the message themselves; nil in a notice.
        package var code: String?
        /// The link in `text`, if one is there.
        package var link: String?

        package init(
            subject: String? = nil, text: String, html: String? = nil, code: String? = nil, link: String? = nil
        ) {
            self.subject = subject
            self.text = text
            self.html = html
            self.code = code
            self.link = link
        }
    }

    /// A UUID, the same for every try to deliver this message.
    package let id: String
    /// `sms` or `email`.
    package let channel: String
    /// E.164 number or e-mail address.
    package let recipient: String
    package let content: Content
    /// As the client asked for, e.g. `de-DE`.
    package let locale: String?
    /// Who asked for the message; senders may pass it on for the provider's fraud checks.
    package let clientAddress: String

    package init(
        id: String, channel: String, recipient: String, content: Content, locale: String?, clientAddress: String
    ) {
        self.id = id
        self.channel = channel
        self.recipient = recipient
        self.content = content
        self.locale = locale
        self.clientAddress = clientAddress
    }
}

/// Why a message was not delivered; the raw value is the `code` label of `auth_provider_errors_total`.
package enum DeliveryFailure: String, Error, Sendable, CaseIterable {
    /// No answer within the time for all tries together.
    case timedOut = "timed_out"
    /// No connection, or it ended before the answer.
    case unreachable
    /// The provider is overloaded or limits us, and stayed so over all tries.
    case throttled
    /// The provider refused the message.
    case refused
    /// Nobody has this address, or he takes no mail: no later message will arrive either.
    case undeliverable
    /// The provider could not prove who it is, or offers no TLS: nothing was told to it.
    case untrusted
    /// The answer is not of the agreed form.
    case badAnswer = "bad_answer"
}
