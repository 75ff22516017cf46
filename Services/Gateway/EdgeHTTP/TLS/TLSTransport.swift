import NIOCore

/// What a connection has below it when it speaks TLS.
///
/// `NIOSSLHandler` in the pipeline does the encrypting. To end a connection at once its context is asked: a close through the
/// pipeline would first say farewell, and wait for the client to say so too.
final class TLSTransport {
    /// The encrypting handler's.
    let context: ChannelHandlerContext
    /// As the PROXY header or the socket says.
    let peer: ClientPeer
    private(set) var buffers = TLSBuffers()
    /// What is to be written, in order.
    private var held = CircularBuffer<ByteBuffer>()
    private var heldBytes = 0
    /// Written and not flushed, as far as it is known.
    private var unflushed = 0

    /// Bytes up to this come in a buffer of their own: the one they are decrypted into is large, and used again.
    private static let copiedBytesMax = 8 * 1024

    init(context: ChannelHandlerContext, peer: ClientPeer) {
        self.context = context
        self.peer = peer
    }

    /// Takes what is to be written; it waits for `takePiece()`.
    func hold(_ bytes: ByteBuffer) {
        guard bytes.readableBytes > 0 else { return }
        held.append(bytes)
        heldBytes += bytes.readableBytes
    }

    /// Whether anything waits to be written.
    var hasHeld: Bool { heldBytes > 0 }
    /// Whether all of it can be written, with what is not flushed yet, before the next flush.
    var fitsOneFlush: Bool { unflushed + heldBytes <= TLSBuffers.pieceBytes }
    /// Whether what was written before has to go out first.
    var mustFlushFirst: Bool { unflushed > 0 && unflushed + nextCount > TLSBuffers.pieceBytes }

    private var nextCount: Int { min(held.first?.readableBytes ?? 0, TLSBuffers.pieceBytes) }

    /// The next record's worth of what is held; nil at the end.
    func takePiece() -> ByteBuffer? {
        guard let first = held.first else { return nil }
        var rest = first
        let count = nextCount
        guard let piece = rest.readSlice(length: count) else { return nil }
        if rest.readableBytes == 0 { held.removeFirst() } else { held[held.startIndex] = rest }
        heldBytes -= count
        unflushed += count
        buffers.didWrite(count)
        return piece
    }

    /// All that was written has gone out.
    func didFlush() { unflushed = 0 }

    /// The bytes in a buffer that is as large as they are, unless they are many.
    func taken(_ bytes: ByteBuffer) -> ByteBuffer {
        buffers.didRead(bytes.readableBytes)
        guard bytes.readableBytes <= Self.copiedBytesMax else { return bytes }
        var copy = ByteBufferAllocator().buffer(capacity: bytes.readableBytes)
        copy.writeImmutableBuffer(bytes)
        return copy
    }
}
