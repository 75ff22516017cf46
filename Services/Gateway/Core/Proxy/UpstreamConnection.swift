internal import NIOCore

/// One connection to an upstream: carries one exchange at a time, and goes back to its pool after a clean one.
final class UpstreamConnection: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    /// The exchange under way.
    private struct Exchange {
        let sink: any ResponseSink
        let isHEAD: Bool
        var head: ResponseHead?
        var body: BodyDecoder?
        var isRequestSent = false
    }

    let endpoint: UpstreamEndpoint
    /// Whether it has carried an exchange before: then it may have been closed under us.
    private(set) var isReused = false
    private(set) var idleSince = NIODeadline.now()
    private let limits: UpstreamLimits
    private var context: ChannelHandlerContext?
    private var exchange: Exchange?
    private var collector: HeadCollector
    private var inbound = ByteBuffer()
    private var mayRead = true
    /// The connection was reset: what has come is not the whole.
    private var hasFailed = false
    private var isReadPending = false
    /// Called once, when the exchange is over: with true if the connection can carry another.
    private var onRelease: ((Bool) -> Void)?

    init(endpoint: UpstreamEndpoint, limits: UpstreamLimits) {
        self.endpoint = endpoint
        self.limits = limits
        collector = HeadCollector(bytesMax: limits.headBytesMax)
    }

    var isActive: Bool { context?.channel.isActive ?? false }
    var isWritable: Bool { context?.channel.isWritable ?? false }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// Begins an exchange.
    ///
    /// - Parameters:
    ///   - head: the request's head, and its body if that is all.
    ///   - isComplete: whether nothing of the request follows.
    func begin(
        _ head: ByteBuffer, isHEAD: Bool, isComplete: Bool, sink: any ResponseSink, onRelease: @escaping (Bool) -> Void
    ) {
        exchange = Exchange(sink: sink, isHEAD: isHEAD, isRequestSent: isComplete)
        self.onRelease = onRelease
        context?.writeAndFlush(wrapOutboundOut(head), promise: nil)
    }

    /// Sends a piece of the request's body, framed already.
    func send(_ data: ByteBuffer, isLast: Bool) {
        if isLast { exchange?.isRequestSent = true }
        context?.writeAndFlush(wrapOutboundOut(data), promise: nil)
    }

    /// Gives up the exchange; nothing more is heard of it.
    func cancel() {
        exchange = nil
        release(canBeReused: false)
    }

    /// Whether the answer is read from the socket; off while the client does not take it.
    func setReading(_ reads: Bool) {
        mayRead = reads
        guard reads, isReadPending else { return }
        isReadPending = false
        context?.read()
    }

    func read(context: ChannelHandlerContext) {
        if mayRead { context.read() } else { isReadPending = true }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var data = unwrapInboundIn(data)
        // Bytes that nobody asked for could be taken for the answer to the next request.
        guard exchange != nil else { return context.close(promise: nil) }
        if inbound.readableBytes == 0 { inbound = data } else { inbound.writeBuffer(&data) }
        do throws(HTTPViolation) { try readAnswer() } catch { fail(.malformedAnswer) }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        exchange?.sink.upstreamWritabilityDidChange(context.channel.isWritable)
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        if let exchange {
            if exchange.head?.framing == .untilClose, !hasFailed {
                finish()
            } else {
                fail(exchange.head == nil && inbound.readableBytes == 0 ? .closedBeforeAnswer : .brokenAnswer)
            }
        }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        hasFailed = true
        context.close(promise: nil)
    }

    private func readAnswer() throws(HTTPViolation) {
        while var exchange {
            if exchange.body == nil {
                guard let bytes = try collector.next(from: &inbound) else { return }
                let head = try ResponseHead(
                    bytes, limits: .init(bytesMax: limits.headBytesMax, fieldsMax: 200), isHEAD: exchange.isHEAD)
                // Interim answers end here: the edge itself told the client to go on.
                guard !head.isInterim else { continue }
                exchange.head = head
                exchange.body = BodyDecoder(head.framing)
                self.exchange = exchange
                exchange.sink.responseDidBegin(head)
                continue
            }
            guard let event = try self.exchange?.body?.next(from: &inbound) else { return }
            switch event {
            case .data(let data): exchange.sink.responseDidSend(data)
            case .end: return finish()
            case .needMore: return
            }
        }
    }

    private func finish() {
        guard let ended = exchange else { return }
        exchange = nil
        let isClean = ended.isRequestSent && ended.head?.keepsAlive == true && inbound.readableBytes == 0
        release(canBeReused: isClean && isActive)
        ended.sink.responseDidEnd()
    }

    private func fail(_ failure: UpstreamFailure) {
        let sink = exchange?.sink
        exchange = nil
        release(canBeReused: false)
        sink?.responseDidFail(failure)
    }

    private func release(canBeReused: Bool) {
        isReused = true
        idleSince = .now()
        inbound.clear()
        collector = HeadCollector(bytesMax: limits.headBytesMax)
        setReading(true)
        if !canBeReused { context?.close(promise: nil) }
        let onRelease = onRelease
        self.onRelease = nil
        onRelease?(canBeReused)
    }
}
