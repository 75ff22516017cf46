/// A message to a person, as a sender hands it over.
package struct OutgoingMessage: Codable, Sendable, Equatable {
    /// `sms`, `call`, `whatsapp` or `email`.
    package var channel: String
    /// E.164 number or e-mail address.
    package var to: String
    /// Of a mail alone.
    package var subject: String?
    package var text: String
    /// Of a mail: the text as a page.
    package var html: String?
    package var code: String?
    package var link: String?
    /// The same for every try to deliver this message.
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
