import NIOCore

/// One direction of a connection in PostgreSQL's protocol 3.0, cut into its messages.
struct PostgreSQLMessages {
    struct Message: Equatable {
        /// The letter of its kind; zero for what a client sends before its first letter.
        let kind: UInt8
        /// Where it begins in the bytes that were added last; zero if it began earlier.
        let start: Int
        let body: [UInt8]

        /// The texts in the body, each of which ends with a zero byte.
        var texts: [String] {
            body.split(separator: 0, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// The requests for TLS and GSSAPI, after which the client begins again.
    private static let encryptionRequests: Set<UInt32> = [80_877_103, 80_877_104]

    private var pending: [UInt8] = []
    /// Whether messages have letters: from the start at the server, and at the client after its first message.
    private var hasLetters: Bool

    init(ofClient: Bool) { hasLetters = !ofClient }

    /// Returns the messages that these bytes complete.
    mutating func add(_ bytes: ByteBuffer) -> [Message] {
        let before = pending.count
        pending += bytes.readableBytesView
        var messages: [Message] = []
        var place = 0
        while let (message, end) = next(at: place, before) {
            messages.append(message)
            place = end
        }
        pending.removeFirst(place)
        return messages
    }

    private mutating func next(at place: Int, _ before: Int) -> (Message, end: Int)? {
        let header = place + (hasLetters ? 1 : 0)
        guard pending.count >= header + 4 else { return nil }
        let end = header + Int(number(at: header))
        guard end >= header + 4, pending.count >= end else { return nil }
        let body = Array(pending[(header + 4)..<end])
        let message = Message(kind: hasLetters ? pending[place] : 0, start: max(0, place - before), body: body)
        if !hasLetters { hasLetters = body.count < 4 || !Self.encryptionRequests.contains(number(at: header + 4)) }
        return (message, end)
    }

    private func number(at place: Int) -> UInt32 {
        pending[place..<(place + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
