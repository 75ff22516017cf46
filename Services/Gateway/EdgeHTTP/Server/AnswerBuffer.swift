import NIOCore

/// What a connection has to say to its client and has not written yet: answers of our own that go out together, and what is
/// gathered of an upstream's.
struct AnswerBuffer {
    /// More answers of our own go out before the next request begins.
    private static let gatheredBytesMax = 16 * 1024

    private var gathered = ByteBuffer()
    /// An upstream's answer on its way to the client.
    private var proxied: OutgoingBody?
    /// Whether an answer is on its way that has no other end than the connection's.
    private(set) var endsByClose = false

    var hasGathered: Bool { gathered.readableBytes > 0 }
    var isFull: Bool { gathered.readableBytes >= Self.gatheredBytesMax }

    /// Takes a whole answer of our own.
    mutating func gather(_ reply: Reply, as frame: AnswerFrame, keepsAlive: Bool) {
        gathered.reserveCapacity(
            minimumWritableBytes: ReplySerializer.usualHeadBytes + frame.lines.count + reply.body.count)
        ReplySerializer.write(
            reply, requestID: frame.id, isHEAD: frame.isHEAD, keepsAlive: keepsAlive, isHTTP11: frame.isHTTP11,
            adding: frame.lines, into: &gathered)
    }

    /// Hands out the answers of our own; nil when there are none.
    mutating func takeGathered() -> ByteBuffer? {
        guard hasGathered else { return nil }
        defer { gathered = ByteBuffer() }
        return gathered
    }

    /// Begins an upstream's answer; one without a length is sent in chunks, or to a client of HTTP/1.0 until the end of the
    /// connection.
    mutating func beginProxied(_ head: ResponseHead, plan: ProxyPlan, as frame: AnswerFrame, closes: Bool) {
        let framing = Self.framing(of: head, for: frame)
        endsByClose = framing == .untilClose
        proxied = OutgoingBody(
            isChunked: framing == .chunked,
            after: ProxyMessages.answer(
                head, plan: plan, as: frame, framing: framing, closes: closes))
    }

    /// The framing that an upstream's answer has for the client.
    static func framing(of head: ResponseHead, for frame: AnswerFrame) -> BodyFraming {
        switch head.framing {
        case .chunked, .untilClose: frame.isHTTP11 ? .chunked : .untilClose
        case .none, .length: head.framing
        }
    }

    /// Takes a piece of it; whatever is full goes to `write`.
    mutating func appendProxied(_ data: ByteBuffer, write: (ByteBuffer) -> Void) {
        proxied?.append(data, write: write)
    }

    /// Hands what there is of it to `write`.
    mutating func drainProxied(_ write: (ByteBuffer) -> Void) { proxied?.drain(write) }

    /// Ends it, and hands what is left to `write`.
    mutating func endProxied(_ write: (ByteBuffer) -> Void) {
        proxied?.end()
        proxied?.drain(write)
        proxied = nil
    }

    /// The kernel has taken all answers: the connection may end as it likes.
    mutating func didWriteAll() { endsByClose = false }
}
