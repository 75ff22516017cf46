import Synchronization

/// The mails that the fakes have received, newest first, in memory only.
final class MailStore: Sendable {
    /// A mail as it was received.
    struct Mail: Codable, Sendable, Equatable {
        let id: String
        /// `resend` or `smtp`.
        let provider: String
        let from: String
        let to: [String]
        let subject: String
        let text: String?
        let html: String?
        /// The mail as it was sent on the wire; only for SMTP.
        let source: String?
        /// Unix time in seconds.
        let createdAt: Int64
    }

    static let countMax = 2_000

    private let mails = Mutex<[Mail]>([])

    func add(_ mail: Mail) { mails.withLock { $0 = [mail] + $0.prefix(Self.countMax - 1) } }

    func all(to address: String?) -> [Mail] {
        mails.withLock { mails in address.map { address in mails.filter { $0.to.contains(address) } } ?? mails }
    }

    func mail(_ id: String) -> Mail? { mails.withLock { mails in mails.first { $0.id == id } } }

    func removeAll() { mails.withLock { $0 = [] } }
}
