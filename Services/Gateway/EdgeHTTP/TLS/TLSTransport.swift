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
    /// Where the handler's buffers lie; nil: in the heap.
    private let pages: RecordPages?
    /// What is to be written, in order.
    private var held = CircularBuffer<ByteBuffer>(initialCapacity: 1)
    private var heldBytes = 0
    /// Written and not flushed, as far as it is known.
    private var unflushed = 0

    init(context: ChannelHandlerContext, peer: ClientPeer, pages: RecordPages?) {
        self.context = context
        self.peer = peer
        self.pages = pages
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

    /// The bytes in a buffer that is as large as they are: the one they are decrypted into is used again, and nobody else may
    /// read it while the connection rests.
    func taken(_ bytes: ByteBuffer) -> ByteBuffer {
        buffers.didRead(bytes.readableBytes)
        var copy = ByteBufferAllocator().buffer(capacity: bytes.readableBytes)
        copy.writeImmutableBuffer(bytes)
        return copy
    }

    /// Whether there is memory that can be given back.
    var canRest: Bool { pages != nil && buffers.areUsed }

    /// Gives back the memory of the handler's buffers, but for that of records which wait for the kernel.
    ///
    /// - Parameter hasWritten: whether the kernel has taken all that was written.
    func rest(hasWritten: Bool) {
        guard let pages else { return }
        guard hasWritten else {
            pages.release(withRecords: !pages.areRecordsLent)
            return
        }
        buffers.didRest(areGone: pages.release() && pages.areAllLent)
    }
}
