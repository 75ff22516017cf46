import NIOCore

/// Collects pieces of a body into few writes. Small pieces are copied together, and large ones are written as they are.
struct OutgoingBody {
    /// The size up to which a piece is cheaper to copy than to write separately.
    private static let copiedBytesMax = 8 * 1024
    /// The number of bytes that are collected before they are passed to `write`.
    private static let gatheredBytesMax = 64 * 1024

    /// Whether each piece becomes a chunk (RFC 9112 section 7.1).
    let isChunked: Bool
    private var gathered: ByteBuffer

    /// - Parameter head: the bytes before the body.
    init(isChunked: Bool, after head: ByteBuffer = ByteBuffer()) {
        self.isChunked = isChunked
        gathered = head
    }

    /// Appends a piece, and passes full buffers to `write`.
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

    /// Passes the remaining bytes to `write`.
    mutating func drain(_ write: (ByteBuffer) -> Void) {
        guard gathered.readableBytes > 0 else { return }
        write(gathered)
        gathered = ByteBuffer()
    }
}
