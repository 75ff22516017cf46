import NIOCore

/// The bytes of a connection of HTTP/2, between TLS and its frames.
///
/// It writes one record at a time, as a connection of HTTP/1.1 does, and reads from the client only as fast as requests begin and
/// the client accepts what is written.
final class HTTP2Wire: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = ByteBuffer

    /// The number of bytes that are collected before they are given to TLS.
    private static let gatheredBytesMax = 16 * 1024
    /// GOAWAY with the greatest stream id and no error: no request is lost, and no new one shall follow (RFC 9113 section 6.8).
    private static let announcement: [UInt8] = [0, 0, 8, 7, 0, 0, 0, 0, 0, 0x7F, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]

    private let transport: TLSTransport
    private let connection: HTTP2Connection
    private var context: ChannelHandlerContext?
    private var gathered = ByteBuffer()
    private var isReadPending = false

    init(transport: TLSTransport, connection: HTTP2Connection) {
        self.transport = transport
        self.connection = connection
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    // MARK: Reading

    func read(context: ChannelHandlerContext) {
        if connection.takesInput { context.read() } else { isReadPending = true }
    }

    /// Reads again if a read was held back.
    func resume() {
        guard isReadPending, connection.takesInput else { return }
        isReadPending = false
        context?.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        guard connection.mayDecode(bytes) else { return }
        context.fireChannelRead(wrapInboundOut(transport.taken(bytes)))
        connection.didDecode()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        resume()
        // Else the frames' handler would send data before heads that still wait for a flush, which it takes for its own fault.
        if context.channel.isWritable { context.channel.flush() }
        context.fireChannelWritabilityChanged()
    }

    // MARK: Writing

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        // The frames' handler writes no files.
        if case .byteBuffer(let bytes) = unwrapOutboundIn(data) { gather(bytes) }
        promise?.succeed()
    }

    func flush(context: ChannelHandlerContext) {
        holdGathered()
        while transport.hasHeld {
            if transport.mustFlushFirst {
                context.flush()
                transport.didFlush()
            } else if let piece = transport.takePiece() {
                context.write(wrapOutboundOut(piece), promise: nil)
            }
        }
        context.flush()
        transport.didFlush()
        connection.didFlush()
    }

    /// Tells the client to send no new request. The frames' handler must not know of it, because it would refuse those on their way.
    func announceEnd() {
        gather(ByteBuffer(bytes: Self.announcement))
        flushWritten()
    }

    /// Sends the bytes written so far. Within an event of the frames' handler a flush would end at that handler.
    func flushWritten() { context.map(flush) }

    private func gather(_ bytes: ByteBuffer) {
        connection.didWrite(bytes.readableBytes)
        gathered.writeImmutableBuffer(bytes)
        if gathered.readableBytes >= Self.gatheredBytesMax { holdGathered() }
    }

    private func holdGathered() {
        transport.hold(gathered)
        gathered = ByteBuffer()
    }
}
