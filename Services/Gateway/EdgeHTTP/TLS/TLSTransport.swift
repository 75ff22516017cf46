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
    /// Written and not flushed, as far as it is known.
    private var unflushed = 0

    /// Bytes up to this come in a buffer of their own: the one they are decrypted into is large, and used again.
    private static let copiedBytesMax = 8 * 1024

    init(context: ChannelHandlerContext, peer: ClientPeer) {
        self.context = context
        self.peer = peer
    }

    /// The next record's worth of what is to be written, and whether what was written before has to go out first; nil at the
    /// end.
    func nextPiece(of rest: inout ByteBuffer) -> (bytes: ByteBuffer, flushesFirst: Bool)? {
        let count = min(rest.readableBytes, TLSBuffers.pieceBytes)
        guard count > 0, let bytes = rest.readSlice(length: count) else { return nil }
        buffers.didWrite(count)
        let flushesFirst = unflushed + count > TLSBuffers.pieceBytes
        unflushed = flushesFirst ? count : unflushed + count
        return (bytes, flushesFirst)
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
