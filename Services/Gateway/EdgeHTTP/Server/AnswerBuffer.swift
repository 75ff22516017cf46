import NIOCore

/// What a connection has to say to its client and has not written yet: answers of our own that go out together, and what is
/// gathered of an upstream's.
struct AnswerBuffer {
    /// More answers of our own go out before the next request begins.
    private static let gatheredBytesMax = 16 * 1024

    private var gathered = ByteBuffer()
    /// An upstream's answer on its way to the client.
    private var proxied: OutgoingBody?

    var hasGathered: Bool { gathered.readableBytes > 0 }
    var isFull: Bool { gathered.readableBytes >= Self.gatheredBytesMax }

    /// Takes a whole answer of our own.
    mutating func gather(_ reply: Reply, as frame: AnswerFrame, keepsAlive: Bool) {
        gathered.reserveCapacity(
            minimumWritableBytes: ReplySerializer.usualHeadBytes + frame.lines.count + reply.body.count)
        ReplySerializer.write(
            reply, requestID: frame.id, isHEAD: frame.isHEAD, keepsAlive: keepsAlive, adding: frame.lines,
            into: &gathered)
    }

    /// Hands out the answers of our own; nil when there are none.
    mutating func takeGathered() -> ByteBuffer? {
        guard hasGathered else { return nil }
        defer { gathered = ByteBuffer() }
        return gathered
    }

    /// Begins an upstream's answer; one without a length goes on in chunks.
    mutating func beginProxied(_ head: ResponseHead, plan: ProxyPlan, as frame: AnswerFrame, closes: Bool) {
        let framing = head.framing == .untilClose ? .chunked : head.framing
        proxied = OutgoingBody(
            isChunked: framing == .chunked,
            after: ProxyMessages.answer(
                head, plan: plan, adding: frame.lines, framing: framing, closes: closes, id: frame.id))
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
}
