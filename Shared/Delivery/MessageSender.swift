/// Delivers messages to people: one implementation per provider (integration guide 1.1).
///
/// A sender limits itself: it returns within the message's `limit`, whatever the provider does.
package protocol MessageSender: Sendable {
    /// The `provider` label of metrics, e.g. `inbox`.
    var provider: String { get }
    /// The channels and contents that it can deliver.
    var abilities: SenderAbilities { get }

    /// Passes `message` to the provider.
    ///
    /// - Returns: The provider's id of the message.
    /// - Throws: `DeliveryFailure` if the provider did not accept it; after `.timedOut` and `.closed` the message may still have been
    ///   sent.
    func send(_ message: Message) async throws(DeliveryFailure) -> String
}

/// The bounds of every sender.
package enum SendLimits {
    /// The time for one message with all attempts (security guide R-58).
    package static let time: Duration = .seconds(5)
}

/// A message to one person.
package struct Message: Sendable, Equatable {
    /// The text of a message.
    package struct Content: Sendable, Equatable {
        /// The subject of a mail; `nil` for other messages.
        package var subject: String?
        package var text: String
        /// The text for channels other than `sms`, if it differs: without the line by which a phone fills in the code.
        package var plainText: String?
        /// The text in HTML, for mails; `nil` for other messages.
        package var html: String?
        /// The code in `text`, for senders with wording of their own; `nil` in a notice.
        package var code: String?
        /// The link in `text`, if there is one.
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

    /// A UUID, the same for every attempt to deliver this message.
    package let id: String
    /// `sms`, `call`, `whatsapp` or `email`.
    package private(set) var channel: String
    /// An E.164 phone number or an email address.
    package let recipient: String
    package private(set) var content: Content
    /// The language that the client requested, e.g. `de-DE`.
    package let locale: String?
    /// The language of `messages.smsLocales` that the text is in; `nil` if it is in none of them.
    package let smsLocale: String?
    /// The hash of the Android app that reads the text message, added at its end; `nil` if there is none.
    package let appHash: String?
    /// The IP address of the client; senders may pass it on for the provider's fraud checks.
    package let clientAddress: String
    /// The time limit of the sender for all attempts.
    package var limit = SendLimits.time
    /// Whether an earlier message with another code may still be open at the provider, which has to close it first.
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

    /// Returns the message for a channel, within a time limit.
    package func on(_ channel: String, within limit: Duration) -> Message {
        var message = self
        message.channel = channel
        message.limit = limit
        if channel != "sms", let plainText = content.plainText { message.content.text = plainText }
        return message
    }
}
