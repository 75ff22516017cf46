import NIOCore
import NIOTLS

/// How one handshake ended.
enum HandshakeEnd: Sendable, Equatable {
    case full(milliseconds: Double)
    case resumed
    case failed

    var milliseconds: Double? {
        if case .full(let milliseconds) = self { milliseconds } else { nil }
    }
}

/// Ends its connection once the handshake is through on our side, and tells how it went when the server has ended it too.
///
/// A server can only answer our end if it has taken our last message of the handshake, which came before.
final class HandshakeWitness: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let start: NIODeadline
    private let patience: TimeAmount
    private let outcome: EventLoopPromise<HandshakeEnd>
    private var hasCertificate = false
    private var through: NIODeadline?
    private var watch: Scheduled<Void>?

    init(since start: NIODeadline, _ patience: TimeAmount, _ outcome: EventLoopPromise<HandshakeEnd>) {
        self.start = start
        self.patience = patience
        self.outcome = outcome
    }

    func didSeeCertificate() { hasCertificate = true }

    func channelActive(context: ChannelHandlerContext) {
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        watch = context.eventLoop.scheduleTask(deadline: start + patience) { bound.value.close(promise: nil) }
        context.fireChannelActive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted = event as? TLSUserEvent {
            through = .now()
            context.close(promise: nil)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        watch?.cancel()
        outcome.succeed(end())
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    /// If the server has not responded for that long, only we have closed the connection.
    private func end() -> HandshakeEnd {
        guard let through, .now() - through < LoadTLS.shutdownTimeout else { return .failed }
        return hasCertificate ? .full(milliseconds: Double((through - start).nanoseconds) / 1_000_000) : .resumed
    }
}
