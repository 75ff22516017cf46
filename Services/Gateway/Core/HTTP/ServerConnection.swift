internal import CryptoPrimitives
internal import NIOCore

/// One client connection: reads requests one at a time, has each decided, and sees that it is answered.
///
/// Nothing is read while a request is being answered: a client that sends faster than it is served waits.
final class ServerConnection: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    let router: any RequestRouter
    let limits: ServerLimits
    let pools: LoopPools
    let observer: any RequestObserver
    var context: ChannelHandlerContext?
    /// The request that is being served.
    var current: ServedRequest?
    /// Bytes that have been read and not yet looked at.
    var inbound = ByteBuffer()
    var collector: HeadCollector
    var lastProgress = NIODeadline.now()
    /// When the first byte of the head that is under way came.
    var headStartedAt: NIODeadline?
    /// SIGTERM has come: the next answer is the last one.
    var isDraining = false
    /// The last answer is written; what the client still sends is dropped.
    var isLingering = false
    private var isReadPending = false
    private var isProcessing = false

    init(router: any RequestRouter, limits: ServerLimits, pools: LoopPools, observer: any RequestObserver) {
        self.router = router
        self.limits = limits
        self.pools = pools
        self.observer = observer
        collector = HeadCollector(bytesMax: limits.head.bytesMax)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        watchTime()
    }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isLingering else { return }
        var data = unwrapInboundIn(data)
        lastProgress = .now()
        if inbound.readableBytes == 0 { inbound = data } else { inbound.writeBuffer(&data) }
        process()
    }

    func read(context: ChannelHandlerContext) {
        if takesInput { context.read() } else { isReadPending = true }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        current?.exchange?.clientWritabilityDidChange(context.channel.isWritable)
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // The client has sent all it will: whoever only closes one half still gets the answer under way.
        if case .inputClosed? = event as? ChannelEvent, current == nil, !isLingering {
            return context.close(promise: nil)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        abandon()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    /// Whether bytes from the client are of use now.
    var takesInput: Bool { isLingering || (current?.takesBody ?? true) }

    /// Works off what has been read, as far as it goes.
    func process() {
        guard !isProcessing else { return }
        isProcessing = true
        do throws(HTTPViolation) {
            while context != nil, !isLingering, try step() {}
        } catch {
            refuse(error)
        }
        isProcessing = false
        if isReadPending, takesInput {
            isReadPending = false
            context?.read()
        }
    }

    /// One head or one piece of a body; false when there is nothing to do now.
    private func step() throws(HTTPViolation) -> Bool {
        if current != nil { return try readBody() }
        guard let bytes = try collector.next(from: &inbound) else {
            if collector.isUnderWay, headStartedAt == nil { headStartedAt = .now() }
            return false
        }
        headStartedAt = nil
        try begin(bytes)
        return true
    }

    /// Gives up the request under way.
    func abandon() {
        current?.exchange?.clientDidLeave()
        current = nil
    }

    /// Ends the connection at once.
    func close() {
        abandon()
        context?.close(promise: nil)
    }
}
