import NIOCore

/// The bytes that a connection has not written to its client yet: responses of the edge that are sent together, and the collected
/// part of an upstream's.
struct AnswerBuffer {
    /// The number of bytes beyond which the edge's responses are sent before the next request begins.
    private static let gatheredBytesMax = 16 * 1024

    private var gathered = ByteBuffer()
    /// An upstream's response on its way to the client.
    private var proxied: OutgoingBody?
    /// Whether a response is on its way that ends only with the connection.
    private(set) var endsByClose = false

    var hasGathered: Bool { gathered.readableBytes > 0 }
    var isFull: Bool { gathered.readableBytes >= Self.gatheredBytesMax }

    /// Appends a whole response of the edge.
    mutating func gather(_ reply: Reply, as frame: AnswerFrame, keepsAlive: Bool) {
        gathered.reserveCapacity(
            minimumWritableBytes: ReplySerializer.usualHeadBytes + frame.lines.count + reply.body.count)
        ReplySerializer.write(
            reply, requestID: frame.id, isHEAD: frame.isHEAD, keepsAlive: keepsAlive, isHTTP11: frame.isHTTP11,
            adding: frame.lines, into: &gathered)
    }

    /// Returns the edge's responses, or `nil` if there are none.
    mutating func takeGathered() -> ByteBuffer? {
        guard hasGathered else { return nil }
        defer { gathered = ByteBuffer() }
        return gathered
    }

    /// Begins an upstream's response. One without a length is sent in chunks, or to a client of HTTP/1.0 until the end of the
    /// connection.
    mutating func beginProxied(_ head: ResponseHead, plan: ProxyPlan, as frame: AnswerFrame, closes: Bool) {
        let framing = Self.framing(of: head, for: frame)
        endsByClose = framing == .untilClose
        proxied = OutgoingBody(
            isChunked: framing == .chunked,
            after: ProxyMessages.answer(
                head, plan: plan, as: frame, framing: framing, closes: closes))
    }

    /// Returns the framing of an upstream's response for the client.
    static func framing(of head: ResponseHead, for frame: AnswerFrame) -> BodyFraming {
        switch head.framing {
        case .untilClose where head.switches: .untilClose
        case .chunked, .untilClose: frame.isHTTP11 ? .chunked : .untilClose
        case .none, .length: head.framing
        }
    }

    /// Appends a piece of it, and passes full buffers to `write`.
    mutating func appendProxied(_ data: ByteBuffer, write: (ByteBuffer) -> Void) {
        proxied?.append(data, write: write)
    }

    /// Passes its collected bytes to `write`.
    mutating func drainProxied(_ write: (ByteBuffer) -> Void) { proxied?.drain(write) }

    /// Ends it, and passes the remaining bytes to `write`.
    mutating func endProxied(_ write: (ByteBuffer) -> Void) {
        proxied?.end()
        proxied?.drain(write)
        proxied = nil
    }

    /// Notes that the kernel has accepted all responses, so that the connection may be closed in any way.
    mutating func didWriteAll() { endsByClose = false }
}
