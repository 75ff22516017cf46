import NIOCore

/// The TLS layer below a connection.
///
/// `NIOSSLHandler` in the pipeline does the encrypting. A connection is closed at once through that handler's context. A close
/// through the pipeline would first send close_notify, and wait for the client's.
final class TLSTransport {
    /// The context of the encrypting handler.
    let context: ChannelHandlerContext
    /// The peer that the PROXY header or the socket states.
    let peer: ClientPeer
    private(set) var buffers = TLSBuffers()
    /// The pages of the handler's buffers; `nil` if these are in the heap.
    private let pages: RecordPages?
    /// The bytes to be written, in order.
    private var held = CircularBuffer<ByteBuffer>(initialCapacity: 1)
    private var heldBytes = 0
    /// The number of bytes written and not flushed, as far as it is known.
    private var unflushed = 0

    init(context: ChannelHandlerContext, peer: ClientPeer, pages: RecordPages?) {
        self.context = context
        self.peer = peer
        self.pages = pages
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
    var fitsOneFlush: Bool { unflushed + heldBytes <= TLSBuffers.pieceBytes }
    /// Whether the bytes written before have to be flushed first.
    var mustFlushFirst: Bool { unflushed > 0 && unflushed + nextCount > TLSBuffers.pieceBytes }

    private var nextCount: Int { min(held.first?.readableBytes ?? 0, TLSBuffers.pieceBytes) }

    /// Returns the next record's worth of the held bytes, or `nil` if there are none.
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

    /// Notes that all written bytes have been sent.
    func didFlush() { unflushed = 0 }

    /// Copies the bytes into a buffer of their own size. The buffer into which they are decrypted is used again, and must not be
    /// shared while the connection rests.
    func taken(_ bytes: ByteBuffer) -> ByteBuffer {
        buffers.didRead(bytes.readableBytes)
        var copy = ByteBufferAllocator().buffer(capacity: bytes.readableBytes)
        copy.writeImmutableBuffer(bytes)
        return copy
    }

    /// Whether there is memory that can be returned.
    var canRest: Bool { pages != nil && buffers.areUsed }

    /// Returns the memory of the handler's buffers to the kernel, except that of records which wait to be sent.
    ///
    /// - Parameter hasWritten: whether the kernel has accepted all written bytes.
    func rest(hasWritten: Bool) {
        guard let pages else { return }
        guard hasWritten else {
            pages.release(withRecords: !pages.areRecordsLent)
            return
        }
        buffers.didRest(areGone: pages.release() && pages.areAllLent)
    }
}
