import Glibc
import NIOCore

/// One connection to an upstream: carries one exchange at a time, and goes back to its pool after a clean one.
final class UpstreamConnection: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    let replica: Replica
    /// Whether it has been kept: then it may have been closed under us.
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
    /// The connection was reset or given up: what has come is not the whole.
    private var hasFailed = false
    /// It is being closed; over TLS that takes a farewell and its answer.
    private var isClosing = false

    /// The exchange under way, and how far it is.
    private var sink: (any ResponseSink)?
    private var socket: IdleSocket?
    private var isHEAD = false
    private var isRequestSent = false
    /// Whether it carries one exchange more and is then closed, whatever the response says.
    private(set) var isLast = false
    private var interimCount = 0
    private var answer: (framing: BodyFraming, keepsAlive: Bool, body: BodyDecoder)?

    init(pool: UpstreamPool, replica: Replica, limits: UpstreamLimits) {
        self.pool = pool
        self.replica = replica
        self.limits = limits
        usesTLS = replica.target.endpoint.usesTLS
        parser = ResponseHeadParser(limits: .init(bytesMax: limits.headBytesMax, fieldsMax: limits.headFieldsMax))
    }

    var endpoint: UpstreamEndpoint { replica.target.endpoint }
    var channel: (any Channel)? { context?.channel }
    var isActive: Bool { !isClosing && context?.channel.isActive ?? false }
    var isWritable: Bool { context?.channel.isWritable ?? false }
    /// Whether it may carry another request: nothing has come since the last answer, no end and no bytes.
    ///
    /// Asked before each, for one system call. What is found is noted; the caller closes the connection.
    var isQuiet: Bool {
        guard let context, isActive else { return false }
        let socket = socket ?? IdleSocket(of: context.channel)
        self.socket = socket
        switch socket.look() {
        case .quiet: return true
        case .ended: return false
        case .bytes(let bytes):
            // Over TLS they are read once more before the connection ends, and judged then.
            if !usesTLS { judgeUnsolicited(bytes) }
            return false
        }
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    // MARK: The exchange's side

    /// Begins an exchange.
    ///
    /// - Parameters:
    ///   - request: the request's head, and its body if that is all.
    ///   - isComplete: whether nothing of the request follows.
    ///   - isLast: whether the connection is closed after the answer, whatever the answer says.
    func begin(_ request: ByteBuffer, isHEAD: Bool, isComplete: Bool, isLast: Bool, sink: any ResponseSink) {
        self.sink = sink
        self.isHEAD = isHEAD
        self.isLast = isLast
        isRequestSent = isComplete
        interimCount = 0
        guard let context else { return }
        context.write(wrapOutboundOut(request), promise: nil)
        if isComplete { pool.flushQueue.add(context.channel) } else { context.flush() }
    }

    /// Sends a piece of the request's body, framed already.
    func send(_ data: ByteBuffer, isLast: Bool) {
        if isLast { isRequestSent = true }
        guard data.readableBytes > 0 else { return }
        context?.writeAndFlush(wrapOutboundOut(data), promise: nil)
    }

    /// Gives the exchange up; nothing more is heard of it.
    func cancel() {
        guard sink != nil else { return }
        sink = nil
        // What the upstream has not taken of the request would stay with the kernel for minutes.
        if let channel { SocketMemory.resetAtEnd(channel) }
        hasFailed = true
        release(canBeReused: false)
    }

    /// Whether the answer is read from the socket; off while the client does not take it.
    func setReading(_ reads: Bool) {
        isReading = reads
        guard reads, isReadPending else { return }
        isReadPending = false
        context?.read()
    }

    /// Begins to be kept; for the pool.
    func rest() {
        isReused = true
        idleSince = .now()
    }

    /// Ends the connection; for the pool, which has let it go.
    func close() {
        isClosing = true
        guard let context else { return }
        // What else comes of an answer that nobody waits for is not read.
        if usesTLS, hasFailed { UpstreamTLS.cut(context.channel) } else { context.close(promise: nil) }
    }

    /// Closes a connection that served one request without leaving its port in TIME_WAIT. With a new connection for each
    /// request, ports that rest for a minute would soon be all that there are.
    func closeWithoutRest() {
        if let options = context?.channel as? any SocketOptionProvider {
            options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).assumeIsolated().whenFailure { _ in }
        }
        close()
    }

    // MARK: The socket's side

    func read(context: ChannelHandlerContext) {
        if isReading { context.read() } else { isReadPending = true }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var data = unwrapInboundIn(data)
        guard sink != nil else {
            judgeUnsolicited(data)
            isClosing = true
            return context.close(promise: nil)
        }
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
        hasFailed = true
        isClosing = true
        context.close(promise: nil)
    }

    // MARK: The answer

    private func readAnswer() throws(HTTPViolation) {
        while let sink {
            guard answer != nil else {
                guard let head = try parser.next(from: &inbound, isHEAD: isHEAD) else { return }
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
            // The edge itself told the client to go on; the others are for the client (RFC 9110 section 15.2).
            if head.status != 100 { sink.responseDidAnnounce(head) }
            return
        }
        answer = (head.framing, head.keepsAlive, BodyDecoder(head.framing))
        sink.responseDidBegin(head)
    }

    private func finish() {
        guard let ended = sink else { return }
        let isClean = isRequestSent && !isLast && answer?.keepsAlive == true && inbound.readableBytes == 0
        if inbound.readableBytes > 0 { replica.didDesynchronise(now: .now()) }
        sink = nil
        release(canBeReused: isClean && isActive)
        ended.responseDidEnd()
    }

    /// Bytes that nobody asked for could be taken for the answer to the next request.
    private func judgeUnsolicited(_ bytes: ByteBuffer) {
        if !IdleFarewell.isFarewell(bytes) { replica.didDesynchronise(now: .now()) }
    }

    private func fail(_ failure: UpstreamFailure) {
        guard let failed = sink else { return }
        sink = nil
        hasFailed = true
        release(canBeReused: false)
        failed.responseDidFail(failure)
    }

    private func release(canBeReused: Bool) {
        isReused = true
        answer = nil
        inbound = ByteBuffer()
        setReading(true)
        guard usesTLS, canBeReused, let loop = context?.eventLoop else {
            return pool.release(self, canBeReused: canBeReused)
        }
        // A farewell that came with the answer is seen behind it, when the next request might be on its way already.
        loop.assumeIsolated().execute { self.pool.release(self, canBeReused: self.isActive) }
    }
}
