import NIOCore

/// The TLS layer below a connection.
///
/// `NIOSSLHandler` in the pipeline does the encrypting. A connection is closed at once through that handler's context. A close
/// through the pipeline would first send close_notify, and wait for the client's.
final class TLSTransport {
    /// The largest piece that is written at once: one record. In the buffer that `NIOSSLHandler` keeps, there is room left for what
    /// the encryption adds and for the tickets that BoringSSL sends with the first one, so that the buffer never grows.
    private static let pieceBytes = 15_000
    /// The most that is read from the socket at once: about a record, so that its decrypted content mostly fits the other buffer.
    static let readBytesMax = 16 * 1024

    /// The context of the encrypting handler.
    let context: ChannelHandlerContext
    /// The peer that the PROXY header or the socket states.
    let peer: ClientPeer
    /// The bytes to be written, in order.
    private var held = CircularBuffer<ByteBuffer>(initialCapacity: 1)
    private var heldBytes = 0
    /// The number of bytes written and not flushed, as far as it is known.
    private var unflushed = 0

    init(context: ChannelHandlerContext, peer: ClientPeer) {
        self.context = context
        self.peer = peer
    }

    /// Appends bytes to be written; they wait for `takePiece()`.
    func hold(_ bytes: ByteBuffer) {
        guard bytes.readableBytes > 0 else { return }
        held.append(bytes)
        heldBytes += bytes.readableBytes
    }

    /// Whether anything waits to be written.
    var hasHeld: Bool { heldBytes > 0 }
    /// Whether all of it, together with the unflushed bytes, can be written before the next flush.
    var fitsOneFlush: Bool { unflushed + heldBytes <= Self.pieceBytes }
    /// Whether the bytes written before have to be flushed first.
    var mustFlushFirst: Bool { unflushed > 0 && unflushed + nextCount > Self.pieceBytes }

    private var nextCount: Int { min(held.first?.readableBytes ?? 0, Self.pieceBytes) }

    /// Returns the next record's worth of the held bytes, or `nil` if there are none.
    func takePiece() -> ByteBuffer? {
        guard let first = held.first else { return nil }
        var rest = first
        let count = nextCount
        guard let piece = rest.readSlice(length: count) else { return nil }
        if rest.readableBytes == 0 { held.removeFirst() } else { held[held.startIndex] = rest }
        heldBytes -= count
        unflushed += count
        return piece
    }

    /// Notes that all written bytes have been sent.
    func didFlush() { unflushed = 0 }

    /// Copies the bytes into a buffer of their own size, so that the large buffer into which they are decrypted is used again.
    func taken(_ bytes: ByteBuffer) -> ByteBuffer {
        var copy = ByteBufferAllocator().buffer(capacity: bytes.readableBytes)
        copy.writeImmutableBuffer(bytes)
        return copy
    }
}
