import InternalAPI

/// A message as the inbox stores and shows it.
struct ReceivedMessage: Encodable, Sendable, Equatable {
    let id: String
    let channel: String
    let to: String
    let subject: String?
    let text: String
    let html: String?
    let code: String?
    let link: String?
    /// Unix time in seconds.
    let createdAt: Int64

    init(_ message: OutgoingMessage, at now: Int64) {
        id = message.id
        channel = message.channel
        to = message.to
        subject = message.subject
        text = message.text
        html = message.html
        code = message.code
        link = message.link
        createdAt = now
    }

    /// The path at which a mail is shown as a page.
    var pagePath: String { "/messages/\(id)/page" }

    /// Whether the message went to this phone number or email address, in any case, with or without `+`.
    func isAddressed(to recipient: String) -> Bool {
        Self.canonical(recipient) == Self.canonical(to)
    }

    /// Whether the phone number, email address or text contains `words`, in any case. A phone number is found in any spelling.
    func holds(_ words: String) -> Bool {
        let words = words.lowercased()
        let digits = words.filter { !" -().+".contains($0) }
        return [to, subject ?? "", text].contains { $0.lowercased().contains(words) }
            || !digits.isEmpty && digits.allSatisfy(\.isNumber) && to.contains(digits)
    }

    /// Removes a leading `+`, which in a query may have become a space, or have been left out.
    private static func canonical(_ recipient: String) -> String {
        String(recipient.lowercased().trimmingPrefix { $0 == "+" || $0 == " " })
    }

    private enum CodingKeys: String, CodingKey { case id, channel, to, subject, text, html, code, link, createdAt }

    /// Encodes every member, with null for an absent value.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(channel, forKey: .channel)
        try container.encode(to, forKey: .to)
        try container.encode(subject, forKey: .subject)
        try container.encode(text, forKey: .text)
        try container.encode(html, forKey: .html)
        try container.encode(code, forKey: .code)
        try container.encode(link, forKey: .link)
        try container.encode(createdAt, forKey: .createdAt)
    }
}
