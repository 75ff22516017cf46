import NIOCore

/// Holds back what comes from the other side for a round trip: the client seems to be as far away.
final class DistantNetwork: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let roundTrip: TimeAmount

    init(_ roundTrip: TimeAmount) { self.roundTrip = roundTrip }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: roundTrip) {
            let (handler, context) = bound.value
            guard context.channel.isActive else { return }
            context.fireChannelRead(handler.wrapInboundOut(bytes))
            context.fireChannelReadComplete()
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // Comes behind the bytes.
    }
}
