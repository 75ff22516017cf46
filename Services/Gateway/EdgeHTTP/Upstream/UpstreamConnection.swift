import NIOCore

/// One connection to an upstream. It carries one exchange at a time, and returns to its pool after a clean one.
final class UpstreamConnection: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    let replica: Replica
    /// Whether it has been kept, in which case the upstream may have closed it meanwhile.
    private(set) var isReused = false
    private(set) var idleSince = NIODeadline.now()
    private let pool: UpstreamPool
    private let limits: UpstreamLimits
    private let usesTLS: Bool
    private var context: ChannelHandlerContext?
    private var parser: ResponseHeadParser
    private var inbound = ByteBuffer()
    private var isReading = true
    private var isReadPending = false
    /// Whether the connection was reset or the exchange cancelled, so that the response is incomplete.
    private var hasFailed = false
    /// Whether it is being closed. Over TLS that takes a close_notify in each direction.
    private var isClosing = false

    /// The receiver of the exchange under way.
    private var sink: (any ResponseSink)?
    private var socket: IdleSocket?
    private var isHEAD = false
    /// Whether the request asked for another protocol.
    private var maySwitch = false
    private var isRequestSent = false
    /// Whether it carries one more exchange and is then closed, whatever the response states.
    private(set) var isLast = false
    private var watch: ExchangeWatch
    private var interimCount = 0
    private var answer: (framing: BodyFraming, keepsAlive: Bool, body: BodyDecoder)?

    init(pool: UpstreamPool, replica: Replica, limits: UpstreamLimits) {
        self.pool = pool
        self.replica = replica
        self.limits = limits
        watch = ExchangeWatch(pool, replica)
        usesTLS = replica.target.endpoint.usesTLS
        parser = ResponseHeadParser(limits: .init(bytesMax: limits.headBytesMax, fieldsMax: limits.headFieldsMax))
    }

    var endpoint: UpstreamEndpoint { replica.target.endpoint }
    var channel: (any Channel)? { context?.channel }
    var isActive: Bool { !isClosing && context?.channel.isActive ?? false }
    var isWritable: Bool { context?.channel.isWritable ?? false }
    /// Whether it may carry another request: since the last response neither the end nor any bytes have arrived.
    ///
    /// It is checked before each request, for one system call. A finding is noted; the caller closes the connection.
    var isQuiet: Bool {
        guard let context, isActive else { return false }
        let socket = socket ?? IdleSocket(of: context.channel)
        self.socket = socket
        switch socket.look() {
        case .quiet: return true
        case .ended: return false
        case .bytes(let bytes):
            // Over TLS the bytes are read again before the connection ends, and checked then.
            if !usesTLS { replica.judgeUnsolicited(bytes) }
            return false
        }
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    // MARK: The exchange's side

    /// Begins an exchange.
    ///
    /// - Parameters:
    ///   - request: the request's head, and its body if the request is complete.
    ///   - isComplete: whether nothing of the request follows.
    ///   - isLast: whether the connection is closed after the response, whatever the response states.
    ///   - maySwitch: whether the request asks for another protocol. After a 101, all bytes in both directions are passed on.
    ///   - mayStaySilent: whether the upstream may send nothing for long.
    func begin(
        _ request: ByteBuffer, isHEAD: Bool, isComplete: Bool, isLast: Bool, maySwitch: Bool = false,
        mayStaySilent: Bool = false, sink: any ResponseSink
    ) {
        self.sink = sink
        self.isHEAD = isHEAD
        self.maySwitch = maySwitch
        self.isLast = isLast
        isRequestSent = isComplete
        interimCount = 0
        watch.requestDidBegin(isComplete: isComplete, mayStaySilent: mayStaySilent)
        guard let context else { return }
        context.write(wrapOutboundOut(request), promise: nil)
        if isComplete { pool.flushQueue.add(context.channel) } else { context.flush() }
    }

    /// Sends a piece of the request's body, which is framed already.
    func send(_ data: ByteBuffer, isLast: Bool) {
        if isLast {
            isRequestSent = true
            if sink != nil { watch.requestDidEnd() }
        }
        guard data.readableBytes > 0 else { return }
        context?.writeAndFlush(wrapOutboundOut(data), promise: nil)
    }

    /// Cancels the exchange, which is not called any more. `isLate` says that the upstream has not responded in time, `resets` that
    /// it must not get the bytes that it has not accepted yet.
    func cancel(isLate: Bool = false, resets: Bool = true) {
        guard sink != nil else { return }
        sink = nil
        watch.didCancel(isLate: isLate)
        // The part of the request that the upstream has not accepted would stay with the kernel for minutes.
        if resets, let channel { SocketMemory.resetAtEnd(channel) }
        hasFailed = resets
        release(canBeReused: false)
    }

    /// Sets whether the response is read from the socket. It is off while the client does not accept it.
    func setReading(_ reads: Bool) {
        isReading = reads
        watch.setReading(reads)
        guard reads, isReadPending else { return }
        isReadPending = false
        context?.read()
    }

    /// Notes that the pool keeps the connection.
    func rest() {
        isReused = true
        idleSince = .now()
    }

    /// Closes the connection, which the pool has removed.
    func close() {
        isClosing = true
        guard let context else { return }
        // The rest of a response that is not needed is not read.
        if usesTLS, hasFailed { UpstreamTLS.cut(context.channel) } else { context.close(promise: nil) }
    }

    // MARK: The socket's side

    func read(context: ChannelHandlerContext) {
        if isReading { context.read() } else { isReadPending = true }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var data = unwrapInboundIn(data)
        guard sink != nil else {
            replica.judgeUnsolicited(data)
            isClosing = true
            return context.close(promise: nil)
        }
        watch.didReceive()
        if inbound.readableBytes == 0 { inbound = data } else { inbound.writeBuffer(&data) }
        do throws(HTTPViolation) { try readAnswer() } catch { fail(.malformedAnswer) }
        sink?.responseDidPause()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        sink?.upstreamWritabilityDidChange(context.channel.isWritable)
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        if sink == nil {
            pool.forget(self)
        } else if answer?.framing == .untilClose, !hasFailed {
            finish()
        } else {
            fail(answer == nil && inbound.readableBytes == 0 ? .closedBeforeAnswer : .brokenAnswer)
        }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        (hasFailed, isClosing) = (true, true)
        context.close(promise: nil)
    }

    // MARK: The response

    private func readAnswer() throws(HTTPViolation) {
        while let sink {
            guard answer != nil else {
                guard let head = try parser.next(from: &inbound, isHEAD: isHEAD, maySwitch: maySwitch) else { return }
                try begin(head, sink)
                continue
            }
            guard let event = try answer?.body.next(from: &inbound) else { return }
            switch event {
            case .data(let data):
                sink.responseDidSend(data)
                if answer?.body.isDone == true { return finish() }
            case .end: return finish()
            case .needMore: return
            }
        }
    }

    private func begin(_ head: ResponseHead, _ sink: any ResponseSink) throws(HTTPViolation) {
        guard !head.isInterim else {
            interimCount += 1
            guard interimCount <= limits.interimMax else { throw .malformedStartLine }
            // The edge itself told the client to continue; the other interim responses are for the client (RFC 9110 section 15.2).
            if head.status != 100 { sink.responseDidAnnounce(head) }
            return
        }
        answer = (head.framing, head.keepsAlive, BodyDecoder(head.framing))
        watch.responseDidBegin(head)
        sink.responseDidBegin(head)
    }

    private func finish() {
        guard let ended = sink else { return }
        let isClean = isRequestSent && !isLast && answer?.keepsAlive == true && inbound.readableBytes == 0
        if inbound.readableBytes > 0 { replica.didDesynchronise(now: .now()) }
        sink = nil
        watch.responseDidEnd()
        release(canBeReused: isClean && isActive)
        ended.responseDidEnd()
    }

    private func fail(_ failure: UpstreamFailure) {
        guard let failed = sink else { return }
        sink = nil
        watch.didFail(failure)
        hasFailed = true
        release(canBeReused: false)
        failed.responseDidFail(failure)
    }

    private func release(canBeReused: Bool) {
        isReused = true
        watch.didRelease()
        answer = nil
        inbound = ByteBuffer()
        setReading(true)
        guard usesTLS, canBeReused, let loop = context?.eventLoop else {
            return pool.release(self, canBeReused: canBeReused)
        }
        // A goodbye message that arrived with the response is read after it, when the next request might be on its way already.
        loop.assumeIsolated().execute { self.pool.release(self, canBeReused: self.isActive) }
    }
}
