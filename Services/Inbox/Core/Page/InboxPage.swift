import FoundationEssentials

/// Renders messages as a phone would show them.
struct InboxPage: Sendable {
    /// The greatest number of messages on the page; the JSON has all.
    static let messagesMax = 100

    /// Returns the whole page.
    func html(_ messages: [ReceivedMessage], version: String) -> String {
        PageTemplate.page(list: list(messages, version: version, isSearch: false))
    }

    /// Returns only the list, with which the page replaces its own.
    func list(_ messages: [ReceivedMessage], version: String, isSearch: Bool) -> String {
        let shown = messages.prefix(Self.messagesMax).map(ShownMessage.init)
        return PageTemplate.list(shown, version: version, isSearch: isSearch)
    }
}

/// A message as the page shows it.
struct ShownMessage: Sendable {
    let id: String
    let to: String
    let channel: String
    let time: String
    let subject: String?
    /// The path at which the mail is shown as a page; `nil` for messages with text only.
    let page: String?
    let parts: [Part]
    let link: String?
    /// A letter for the channel, in place of the sender's picture.
    let initial: String

    init(_ message: ReceivedMessage) {
        id = message.id
        to = message.to
        channel = message.channel
        initial = String(message.channel.prefix(1)).uppercased()
        time = Date(timeIntervalSince1970: Double(message.createdAt)).formatted(.iso8601)
        subject = message.subject
        page = message.html.map { _ in message.pagePath }
        // For a mail that is shown as a page only its code is added, which can then be copied with a touch.
        if page == nil {
            parts = Part.split(message.text, at: message.code)
        } else {
            parts = message.code.map { [Part(text: "", code: $0)] } ?? []
        }
        // Other schemes could run script in the page.
        link = message.link.flatMap { $0.hasPrefix("https://") || $0.hasPrefix("http://") ? $0 : nil }
    }

    /// A piece of a message's text: the code, or the text around it.
    struct Part {
        let text: String
        let code: String?

        static func split(_ text: String, at code: String?) -> [Part] {
            guard let code, !code.isEmpty, let place = text.firstRange(of: code) else {
                return [Part(text: text, code: nil)]
            }
            return [
                Part(text: String(text[..<place.lowerBound]), code: nil), Part(text: code, code: code),
                Part(text: String(text[place.upperBound...]), code: nil),
            ]
        }
    }
}
