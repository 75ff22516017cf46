import NIOCore
import NIOHTTP2
import TLSPairs

/// One client connection of HTTP/2. It opens a stream for each request, and keeps what they share: windows, turns and deadlines.
///
/// `NIOHTTP2Handler` below reads and writes frames. The extensions: `+Frames` writes, and notes what is read, `+Ending` ends connections, `+Census` tells what they hold and
/// lets them give way.
final class HTTP2Connection: ChannelInboundHandler, NIOHTTP2FrameDelegate {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    let rules: LoopRules
    let limits: ServerLimits
    let pools: LoopPools
    let observer: any RequestObserver
    let slot: ConnectionSlot
    let timer: DeadlineTimer
    /// The certificate that the client has seen.
    private let presented: TLSPair?
    /// The TLS below the connection, the bytes and the context, until the connection is closed.
    var transport: TLSTransport?
    var wire: HTTP2Wire?
    var context: ChannelHandlerContext?
    let peer: ClientPeer
    var holdings = ConnectionHoldings()
    var streams: [HTTP2StreamID: HTTP2Stream] = [:]
    var lastStream = HTTP2StreamID.rootStream
    var stage = Stage.open
    /// The error of a GOAWAY that was sent.
    var failure: HTTP2ErrorCode?
    /// The window for the bodies of all requests.
    var window = ReceiveWindow(target: HTTP2Limits.connectionWindowBytes, size: 65_535)
    /// The bytes of all responses that wait for the client's windows.
    var unsent = 0
    var provoked = EventCount()
    /// The end of the time without a request, and of the time for a frame that has begun.
    var (idleEnd, frameEnd) = (NIODeadline.distantFuture, NIODeadline?.none)
    private var ids: IdentifierSource
    private var connectedAt: Int64 = 0
    /// Requests that have arrived and are not decided yet.
    var waiting = CircularBuffer<HTTP2Stream>()
    var (waitsForTurn, hasFrame, isReading, isReviewDue) = (false, false, false, false)
    var progress = HTTP2FrameProgress()

    enum Stage: Sendable, Equatable {
        case open
        /// The client was told to send no new request.
        case announced
        /// No new request is accepted; the connection ends with the last one.
        case draining
        /// Our half is closed. So many bytes are discarded until the client closes its half.
        case lingering(bytesLeft: Int)
        case closed
    }

    init(
        rules: LoopRules, limits: ServerLimits, pools: LoopPools, observer: any RequestObserver, ids: IdentifierSource,
        slot: ConnectionSlot, eventLoop: any EventLoop, transport: TLSTransport, presented: TLSPair?
    ) {
        self.rules = rules
        self.limits = limits
        self.pools = pools
        self.observer = observer
        self.ids = ids
        self.slot = slot
        self.transport = transport
        self.presented = presented
        peer = transport.peer
        timer = DeadlineTimer(eventLoop: eventLoop)
    }

    /// Adds the connection after the handler of its handshake.
    func add(to pipeline: ChannelPipeline.SynchronousOperations, after handshake: any ChannelHandler) throws {
        guard let transport else { return }
        let wire = HTTP2Wire(transport: transport, connection: self)
        self.wire = wire
        let frames = HTTP2Limits.handler(head: limits.head, delegate: self)
        try pipeline.addHandlers([wire, self], position: .after(handshake))
        // Comes last: it sends our settings at once, and the first frames of the client may arrive while they are sent.
        try pipeline.addHandler(frames, position: .after(wire))
    }

    /// Whether the client accepts what is written.
    var isWritable: Bool { context?.channel.isWritable ?? false }
    /// Whether the certificate that the client has seen covers the host of a request.
    func covers(_ head: RequestHead) -> Bool {
        guard let host = head.certifiedHost else { return false }
        return presented?.covers(host: host) ?? false
    }

    // MARK: The channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        holdings.addFixed(MemoryBudget.tlsBytes + MemoryBudget.http2Bytes)
        connectedAt = pools.stalls.beginning { SocketQueue.silentMilliseconds(context.channel) }
        timer.onExpiry = { self.deadlineDidPass() }
        pools.census.add(self)
        awaitRequest()
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        hasFrame = true
        let frame = unwrapInboundIn(data)
        switch frame.payload {
        case .headers(let content):
            if let stream = streams[frame.streamID] { return stream.didReceive(trailers: content.headers) }
            open(frame.streamID, content)
        case .data(let content):
            guard case .byteBuffer(let bytes) = content.data else { return }
            streams[frame.streamID]?.didReceive(bytes, padding: content.paddingBytes ?? 0, isLast: content.endStream)
        case .settings(.settings(let settings)):
            let table = settings.last { $0.parameter == .headerTableSize }
            if let table, table.value > HTTP2Limits.tableBytesMax { fail(.excessiveFrames) }
        // The handler below acts on all others.
        default: break
        }
    }

    private func open(_ id: HTTP2StreamID, _ content: HTTP2Frame.FramePayload.Headers) {
        timer.clear()
        lastStream = id
        let context = ExchangeContext(
            rules: rules, observer: observer,
            bodyLimits: BodyLimits(pieceSeconds: limits.bodySeconds, wholeSeconds: limits.wholeBodySeconds),
            pools: pools, eventLoop: slot.channel.eventLoop, timer: DeadlineTimer(eventLoop: slot.channel.eventLoop))
        let exchange = Exchange(context, ids: IdentifierSource(seededFrom: &ids))
        exchange.connectedAt = connectedAt
        let stream = HTTP2Stream(id, of: self, content.headers, isLast: content.endStream, exchange)
        streams[id] = stream
        waiting.append(stream)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if !waitsForTurn { beginWaiting() }
        isReading = false
        context.flush()
        context.fireChannelReadComplete()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        review()
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case let closed as StreamClosedEvent: didClose(closed.streamID)
        case let change as NIOHTTP2WindowUpdatedEvent:
            guard let size = change.inboundWindowSize else { break }
            if change.streamID == .rootStream {
                window.didChange(to: size)
                growWindow()
            } else {
                streams[change.streamID]?.windowDidChange(to: size)
            }
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    // MARK: Requests

    /// Decides requests that have arrived, for one turn.
    func beginWaiting() {
        var left = Turn.requestsMax
        while left > 0, takesRequests, let stream = waiting.popFirst() {
            // A request that the client has cancelled costs no turn.
            if stream.begin() { left -= 1 }
        }
        if !waiting.isEmpty, takesRequests {
            waitsForTurn = true
            pools.turnQueue.add(self)
        }
        wire?.resume()
    }

    /// Whether there is room for another response.
    private var takesRequests: Bool { isWritable && unsent < HTTP2Limits.unsentBytesMax }

    /// Whether more bytes of the client are of use now.
    var takesInput: Bool {
        if case .lingering = stage { return true }
        // While requests wait for the client's windows, reading goes on: what opens those comes behind them.
        return stage != .closed && isWritable && (waiting.isEmpty || unsent >= HTTP2Limits.unsentBytesMax)
    }

    private func didClose(_ id: HTTP2StreamID) {
        guard let stream = streams.removeValue(forKey: id) else { return }
        unsent -= stream.unsent
        window.held -= stream.window.held
        stream.end()
        if !waiting.isEmpty { reviewSoon() }
        growWindow()
        guard streams.isEmpty else { return }
        if stage == .draining { linger() } else { awaitRequest() }
    }

    /// Sets the deadline of a connection without requests.
    private func awaitRequest() {
        let seconds = stage == .open ? slot.census.idleSeconds(longest: limits.idleSeconds) : limits.drainIdleSeconds
        idleEnd = .now() + .seconds(seconds)
        timer.set(min(idleEnd, frameEnd ?? idleEnd))
    }
}

extension HTTP2Connection: TurnTaker {
    func takeTurn() {
        waitsForTurn = false
        beginWaiting()
        context?.flush()
    }
}
