internal import CryptoPrimitives
internal import NIOCore

/// One client connection: reads requests one at a time, has each decided, and writes the answer.
///
/// Nothing is read while a request is being answered: a client that sends faster than it is served waits.
final class ServerConnection: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    /// Who takes the request's body.
    enum BodySink {
        case collect(ByteBuffer, bytesMax: Int, handler: @Sendable (EndpointRequest) async -> Reply)
        case proxy(ProxyExchange, bytesLeft: Int)
        case discard(bytesLeft: Int)
    }

    /// The request that is being served.
    struct Current {
        let head: RequestHead
        let requestID: String
        var body: BodyDecoder
        var sink: BodySink?
        var isAnswered = false
        var closesAfter: Bool
        let startedAt = NIODeadline.now()
        var status = 0
    }

    let router: any RequestRouter
    let limits: ServerLimits
    let pools: LoopPools
    let observer: any RequestObserver
    var context: ChannelHandlerContext?
    var current: Current?
    var inbound = ByteBuffer()
    private var collector: HeadCollector
    private var isReadPending = false
    private var isDraining = false
    private var isProcessing = false
    private var hasInputEnded = false
    private(set) var lastProgress = NIODeadline.now()

    init(router: any RequestRouter, limits: ServerLimits, pools: LoopPools, observer: any RequestObserver) {
        self.router = router
        self.limits = limits
        self.pools = pools
        self.observer = observer
        collector = HeadCollector(bytesMax: limits.head.bytesMax)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        watch()
    }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var data = unwrapInboundIn(data)
        lastProgress = .now()
        if inbound.readableBytes == 0 { inbound = data } else { inbound.writeBuffer(&data) }
        process()
    }

    func read(context: ChannelHandlerContext) {
        if takesInput { context.read() } else { isReadPending = true }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if case .proxy(let exchange, _) = current?.sink {
            exchange.clientWritabilityDidChange(context.channel.isWritable)
        }
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func leave() {
        if case .proxy(let exchange, _) = current?.sink { exchange.clientDidLeave() }
        current = nil
    }

    /// Whether bytes from the client are of use now.
    private var takesInput: Bool {
        guard let current else { return true }
        switch current.sink {
        case .collect, .discard: return !current.body.isDone
        case .proxy(let exchange, _): return !current.body.isDone && exchange.takesBody
        case nil: return false
        }
    }

    /// Works off what has been read, as far as it goes.
    func process() {
        guard !isProcessing else { return }
        isProcessing = true
        defer { isProcessing = false }
        do throws(HTTPViolation) {
            while context != nil {
                if current == nil {
                    guard let bytes = try collector.next(from: &inbound) else { break }
                    try begin(bytes)
                } else if try !readBody() {
                    break
                }
            }
        } catch {
            refuse(error)
        }
        if isReadPending, takesInput {
            isReadPending = false
            context?.read()
        }
    }

    private func begin(_ bytes: [UInt8]) throws(HTTPViolation) {
        guard let context else { return }
        var head = try RequestHeadParser.parse(bytes, limits: limits.head)
        if let peer = context.remoteAddress.flatMap(PeerAddress.init) { head.peer = peer.address }
        current = Current(
            head: head, requestID: Hex.encode(SecureRandom.bytes(16)), body: BodyDecoder(head.framing),
            closesAfter: !head.keepsAlive || isDraining)
        follow(router.disposition(of: head, on: context.eventLoop), of: head)
    }

    private func follow(_ disposition: Disposition, of head: RequestHead) {
        guard current != nil, let context else { return }
        switch disposition {
        case .answer(let reply): answer(reply)
        case .endpoint(let bytesMax, let handler):
            if case .length(let count) = head.framing, count > bytesMax { return refuse(.bodyTooLarge) }
            askForBody(head)
            current?.sink = .collect(ByteBuffer(), bytesMax: bytesMax, handler: handler)
        case .proxy(let plan):
            if case .length(let count) = head.framing, let most = plan.bodyBytesMax, count > most {
                return refuse(.bodyTooLarge)
            }
            startProxy(plan, head)
        case .later(let future):
            future.hop(to: context.eventLoop).assumeIsolated().whenComplete { result in
                switch result {
                case .success(let disposition): self.follow(disposition, of: head)
                case .failure: self.answer(self.router.upstreamFailure(.cancelled))
                }
                self.process()
            }
        }
    }

    private func startProxy(_ plan: ProxyPlan, _ head: RequestHead) {
        guard let context, let requestID = current?.requestID else { return }
        let exchange = ProxyExchange(
            head: head, plan: plan, requestID: requestID, pools: pools, eventLoop: context.eventLoop, client: self)
        askForBody(head)
        current?.sink = .proxy(exchange, bytesLeft: plan.bodyBytesMax ?? .max)
        exchange.start()
    }

    /// Tells a client that waits for it to send the body (RFC 9110 section 10.1.1).
    private func askForBody(_ head: RequestHead) {
        guard head.expectsContinue, head.framing != .none, inbound.readableBytes == 0, let context else { return }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(staticString: "HTTP/1.1 100 Continue\r\n\r\n")), promise: nil)
    }

    /// Reads one piece of the body; false when there is nothing to do now.
    private func readBody() throws(HTTPViolation) -> Bool {
        guard var current, let sink = current.sink else { return false }
        if case .proxy(let exchange, _) = sink, !exchange.takesBody { return false }
        let event = try current.body.next(from: &inbound)
        self.current?.body = current.body
        switch (event, sink) {
        case (.needMore, _): return false
        case (.data(let data), _): return try take(data, sink)
        case (.end, .collect(let body, _, let handler)):
            self.current?.sink = nil
            call(handler, body)
            return false
        case (.end, .proxy(let exchange, _)):
            // The end is told once; afterwards only the answer is awaited.
            self.current?.sink = nil
            keepForAnswer(exchange)
            if current.head.framing != .none, current.head.framing != .length(0) { exchange.requestDidEnd() }
            return false
        case (.end, .discard):
            self.current?.sink = nil
            return finishIfDone()
        }
    }

    private func take(_ data: ByteBuffer, _ sink: BodySink) throws(HTTPViolation) -> Bool {
        let count = data.readableBytes
        switch sink {
        case .collect(var body, let bytesMax, let handler):
            guard body.readableBytes + count <= bytesMax else { throw .bodyTooLarge }
            body.writeImmutableBuffer(data)
            current?.sink = .collect(body, bytesMax: bytesMax, handler: handler)
        case .proxy(let exchange, let left):
            guard count <= left else { throw .bodyTooLarge }
            current?.sink = .proxy(exchange, bytesLeft: left - count)
            exchange.requestDidSend(data)
        case .discard(let left):
            guard count <= left else {
                close()
                return false
            }
            current?.sink = .discard(bytesLeft: left - count)
        }
        return true
    }

    private func call(_ handler: @escaping @Sendable (EndpointRequest) async -> Reply, _ body: ByteBuffer) {
        guard let context, let current else { return }
        let request = EndpointRequest(
            head: current.head, body: Array(body.readableBytesView), requestID: current.requestID,
            clientAddress: router.clientAddress(of: current.head))
        context.eventLoop.makeFutureWithTask { await handler(request) }
            .assumeIsolated().whenSuccess { reply in
                self.answer(reply)
                self.process()
            }
    }

    // MARK: Proxied answers

    private var proxied: ProxyExchange?

    private func keepForAnswer(_ exchange: ProxyExchange) { proxied = exchange }

    /// The upstream takes more of the body.
    func resumeBody() { process() }

    /// Writes the answer's head.
    func beginProxiedAnswer(_ head: ByteBuffer, status: Int, closes: Bool) {
        guard let context, current != nil else { return }
        current?.status = status
        if closes || isDraining { current?.closesAfter = true }
        var head = head
        if current?.closesAfter == true { head.writeStaticString("Connection: close\r\n") }
        head.writeStaticString("\r\n")
        context.writeAndFlush(wrapOutboundOut(head), promise: nil)
    }

    func sendProxiedBody(_ data: ByteBuffer) {
        context?.writeAndFlush(wrapOutboundOut(data), promise: nil)
        if context?.channel.isWritable == false, let exchange = exchangeUnderWay {
            exchange.clientWritabilityDidChange(false)
        }
    }

    func endProxiedAnswer(_ end: ByteBuffer?) {
        guard current != nil else { return }
        if let end { context?.writeAndFlush(wrapOutboundOut(end), promise: nil) }
        proxied = nil
        current?.isAnswered = true
        if current?.body.isDone == true { current?.sink = nil } else { current?.closesAfter = true }
        _ = finishIfDone()
        process()
    }

    /// The answer broke off: the client must see that it is not whole.
    func abortProxiedAnswer() { close() }

    func failProxied(_ failure: UpstreamFailure) {
        guard current != nil else { return }
        proxied = nil
        current?.sink = nil
        answer(router.upstreamFailure(failure))
        process()
    }

    private var exchangeUnderWay: ProxyExchange? {
        if case .proxy(let exchange, _) = current?.sink { return exchange }
        return proxied
    }

    // MARK: Answers of our own

    /// Writes a whole answer; what is left of the body is read and dropped, within limits.
    private func answer(_ reply: Reply) {
        guard let context, current != nil else { return }
        current?.isAnswered = true
        current?.status = reply.status
        if reply.closes || isDraining { current?.closesAfter = true }
        judgeRestOfBody()
        guard let current else { return }
        var buffer = ByteBuffer()
        buffer.reserveCapacity(512 + reply.body.count)
        ReplySerializer.write(
            reply, requestID: current.requestID, isHEAD: current.head.isHEAD, keepsAlive: !current.closesAfter,
            into: &buffer)
        context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
        _ = finishIfDone()
    }

    private func judgeRestOfBody() {
        guard let current, !current.body.isDone else {
            self.current?.sink = nil
            return
        }
        if case .length(let count) = current.head.framing, count <= limits.discardedBytesMax,
            !current.head.expectsContinue
        {
            self.current?.sink = .discard(bytesLeft: limits.discardedBytesMax)
        } else {
            self.current?.sink = nil
            self.current?.closesAfter = true
        }
    }

    /// Ends the request when answer and body are through; true if the next one may begin.
    private func finishIfDone() -> Bool {
        guard let current, current.isAnswered, current.closesAfter || current.sink == nil else { return false }
        observer.requestDidFinish(current.head, status: current.status, duration: .now() - current.startedAt)
        self.current = nil
        proxied = nil
        lastProgress = .now()
        guard !current.closesAfter else {
            close()
            return false
        }
        return true
    }

    /// Answers a message that breaks the rules, and ends the connection: where it would go on is not known.
    private func refuse(_ violation: HTTPViolation) {
        guard let context else { return }
        if let exchange = exchangeUnderWay { exchange.clientDidLeave() }
        guard current?.isAnswered != true, current?.status == 0 || current == nil else { return close() }
        observer.requestWasRefused(violation)
        var buffer = ByteBuffer()
        ReplySerializer.write(
            router.refusal(violation), requestID: current?.requestID ?? Hex.encode(SecureRandom.bytes(16)),
            isHEAD: false, keepsAlive: false, into: &buffer)
        current = nil
        context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
        close()
    }

    /// Ends the connection after what has been written: half first, so that a client that still sends reads the answer.
    private func close() {
        guard let context else { return }
        leave()
        context.close(mode: .all, promise: nil)
    }

    // MARK: Time

    private func watch() {
        context?.eventLoop.assumeIsolated().scheduleTask(in: ServerLimits.checkInterval) {
            guard self.context != nil else { return }
            self.checkTime()
            self.watch()
        }
    }

    private func checkTime() {
        let waited = NIODeadline.now() - lastProgress
        if let current {
            guard takesInput, !current.body.isDone, waited > .seconds(limits.bodySeconds) else { return }
            current.isAnswered ? close() : refuse(.bodyTimeout)
        } else if collector.isUnderWay {
            if waited > .seconds(limits.headSeconds) { refuse(.headerTimeout) }
        } else if waited > .seconds(limits.idleSeconds) {
            close()
        }
    }

    /// Finishes the request under way, answers one that is just coming, then ends.
    func drain() {
        isDraining = true
        guard current == nil else {
            current?.closesAfter = true
            return
        }
        context?.eventLoop.assumeIsolated().scheduleTask(in: ServerLimits.drainIdle) {
            if self.current == nil { self.close() }
        }
    }
}

extension ServerConnection.BodySink? {
    fileprivate static func == (sink: Self, _: _OptionalNilComparisonType) -> Bool {
        if case .none = sink { true } else { false }
    }
}
