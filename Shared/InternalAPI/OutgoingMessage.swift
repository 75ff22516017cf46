/// A message to a person, in the form that a sender accepts.
package struct OutgoingMessage: Codable, Sendable, Equatable {
    /// `sms`, `call`, `whatsapp` or `email`.
    package var channel: String
    /// An E.164 phone number or an email address.
    package var to: String
    /// The subject of a mail; `nil` for other messages.
    package var subject: String?
    package var text: String
    /// The HTML text of a mail.
    package var html: String?
    package var code: String?
    package var link: String?
    /// The message's id, the same for every delivery attempt.
    package var id: String

    package init(
        channel: String, to: String, subject: String? = nil, text: String, html: String? = nil, code: String?,
        link: String?, id: String
    ) {
        self.channel = channel
        self.to = to
        self.subject = subject
        self.text = text
        self.html = html
        self.code = code
        self.link = link
        self.id = id
    }
}
