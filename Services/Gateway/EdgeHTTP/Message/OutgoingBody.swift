import NIOCore

/// Gathers what is to be written into few writes: small pieces are copied together, large ones go as they are.
struct OutgoingBody {
    /// Pieces up to this size are cheaper to copy than to write on their own.
    private static let copiedBytesMax = 8 * 1024
    /// What is gathered until it goes to `write`.
    private static let gatheredBytesMax = 64 * 1024

    /// Each piece becomes a chunk (RFC 9112 section 7.1).
    let isChunked: Bool
    private var gathered: ByteBuffer

    /// - Parameter head: what goes before the body.
    init(isChunked: Bool, after head: ByteBuffer = ByteBuffer()) {
        self.isChunked = isChunked
        gathered = head
    }

    /// Takes a piece; whatever is full goes to `write`.
    mutating func append(_ data: ByteBuffer, write: (ByteBuffer) -> Void) {
        if isChunked {
            gathered.writeString(String(data.readableBytes, radix: 16))
            gathered.writeStaticString("\r\n")
        }
        if data.readableBytes <= Self.copiedBytesMax {
            gathered.writeImmutableBuffer(data)
        } else {
            drain(write)
            write(data)
        }
        if isChunked { gathered.writeStaticString("\r\n") }
        if gathered.readableBytes >= Self.gatheredBytesMax { drain(write) }
    }

    /// Ends the body, without trailers.
    mutating func end() {
        if isChunked { gathered.writeStaticString("0\r\n\r\n") }
    }

    /// Hands what is left to `write`.
    mutating func drain(_ write: (ByteBuffer) -> Void) {
        guard gathered.readableBytes > 0 else { return }
        write(gathered)
        gathered = ByteBuffer()
    }
}
