/// Brings messages to people: one implementation for each way out (integration guide 1.1).
///
/// A sender bounds itself: it answers within the message's `limit`, whatever the provider does.
package protocol MessageSender: Sendable {
    /// The `provider` label of metrics, e.g. `inbox`.
    var provider: String { get }
    /// What it can bring, and how.
    var abilities: SenderAbilities { get }

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
        /// The text for channels other than `sms`, if it differs: without the line by which a phone fills in the code.
        package var plainText: String?
        /// The same for those who read mail as a page.
        package var html: String?
        /// The code in `text`, for senders that word the message themselves; nil in a notice.
        package var code: String?
        /// The link in `text`, if one is there.
        package var link: String?

        package init(
            subject: String? = nil, text: String, plainText: String? = nil, html: String? = nil, code: String? = nil,
            link: String? = nil
        ) {
            self.subject = subject
            self.text = text
            self.plainText = plainText
            self.html = html
            self.code = code
            self.link = link
        }
    }

    /// A UUID, the same for every try to deliver this message.
    package let id: String
    /// `sms`, `call`, `whatsapp` or `email`.
    package private(set) var channel: String
    /// E.164 number or e-mail address.
    package let recipient: String
    package private(set) var content: Content
    /// As the client asked for, e.g. `de-DE`.
    package let locale: String?
    /// The language of `messages.smsLocales` that the text is in; nil: none of them.
    package let smsLocale: String?
    /// The hash of our Android app that waits for the text message, at the end of which it stands; nil: none does.
    package let appHash: String?
    /// Who asked for the message; senders may pass it on for the provider's fraud checks.
    package let clientAddress: String
    /// How long the sender may take, with all its tries.
    package var limit = SendLimits.time
    /// An earlier message with another code may still be open at the provider, which is to close it first.
    package var replacesEarlier = false

    package init(
        id: String, channel: String, recipient: String, content: Content, locale: String?, smsLocale: String? = nil,
        appHash: String? = nil, clientAddress: String
    ) {
        self.id = id
        self.channel = channel
        self.recipient = recipient
        self.content = content
        self.locale = locale
        self.smsLocale = smsLocale
        self.appHash = appHash
        self.clientAddress = clientAddress
    }

    /// The message by a channel, within a time limit.
    package func on(_ channel: String, within limit: Duration) -> Message {
        var message = self
        message.channel = channel
        message.limit = limit
        if channel != "sms", let plainText = content.plainText { message.content.text = plainText }
        return message
    }
}
