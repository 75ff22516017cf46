import Delivery
import Synchronization

/// The text messages and calls that the fakes have received, newest first, in memory only.
final class PhoneMessages: Sendable {
    struct Item: Codable, Sendable, Equatable {
        /// The id: `SM…`, or the verification's `VE…`.
        let id: String
        /// `twilio-verify` or `twilio-messaging`.
        let provider: String
        /// `sms`, `call` or `whatsapp`.
        let channel: String
        let to: String
        let text: String
        let code: String?
        /// The fields of the request as they were sent, by name.
        let fields: [String: String]
        /// Unix time in seconds.
        let createdAt: Int64
    }

    static let countMax = 20_000

    private let items = Mutex<[Item]>([])
    /// The inbox that shows each to developers; `nil` if there is none.
    private let inbox: (any MessageSender)?

    init(inbox: (any MessageSender)? = nil) { self.inbox = inbox }

    func add(_ item: Item) {
        items.withLock { $0 = [item] + $0.prefix(Self.countMax - 1) }
        guard let inbox else { return }
        let message = Message(
            id: "\(item.id) \(item.createdAt) \(count)", channel: item.channel, recipient: item.to,
            content: Message.Content(text: item.text, code: item.code), locale: nil, clientAddress: "")
        // As with a phone, a message that does not arrive causes no error.
        Task { _ = try await inbox.send(message) }
    }

    var count: Int { items.withLock(\.count) }

    func all(to number: String?) -> [Item] {
        items.withLock { items in number.map { number in items.filter { $0.to == number } } ?? items }
    }

    func removeAll() { items.withLock { $0 = [] } }
}
