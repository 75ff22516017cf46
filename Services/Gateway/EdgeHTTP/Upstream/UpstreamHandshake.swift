import NIOCore
import NIOSSL
import NIOTLS

/// Waits until the TLS of a new connection stands, and leaves the pipeline then; an upstream that cannot be believed is
/// sent nothing.
final class UpstreamHandshake: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private let endpoint: UpstreamEndpoint
    private let tls: UpstreamTLS?
    private let limit: TimeAmount
    private let promise: EventLoopPromise<Void>
    private var timer: Scheduled<Void>?
    private var encryption: NIOSSLClientHandler?

    private init(endpoint: UpstreamEndpoint, tls: UpstreamTLS?, limit: TimeAmount, promise: EventLoopPromise<Void>) {
        self.endpoint = endpoint
        self.tls = tls
        self.limit = limit
        self.promise = promise
    }

    /// What a connection to `endpoint` needs; nil for one without TLS.
    static func make(
        with endpoint: UpstreamEndpoint, of group: UpstreamGroup, on eventLoop: any EventLoop
    ) -> NIOLoopBound<UpstreamHandshake>? {
        guard endpoint.usesTLS else { return nil }
        let handshake = UpstreamHandshake(
            endpoint: endpoint, tls: group.tls, limit: .milliseconds(group.limits.handshakeMilliseconds),
            promise: eventLoop.makePromise())
        return NIOLoopBound(handshake, eventLoop: eventLoop)
    }

    /// Adds the encryption, and this behind it.
    func addHandlers(to pipeline: ChannelPipeline.SynchronousOperations) throws {
        guard let tls else { throw UpstreamTLSFailure.untrusted }
        let encryption = try tls.handler(for: endpoint)
        self.encryption = encryption
        try pipeline.addHandlers([encryption, self])
    }

    /// When the handshake is over, or the connection could not be made; fails with an `UpstreamTLSFailure` if TLS is the
    /// reason.
    func end(after connected: EventLoopFuture<any Channel>) -> EventLoopFuture<Void> {
        connected.cascadeFailure(to: promise)
        return promise.futureResult
    }

    func channelActive(context: ChannelHandlerContext) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: limit) {
            self.promise.fail(UpstreamTLSFailure.timeout)
            context.close(promise: nil)
        }
        context.fireChannelActive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .handshakeCompleted = event as? TLSUserEvent else {
            return context.fireUserInboundEventTriggered(event)
        }
        timer?.cancel()
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
        promise.succeed()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        promise.fail(UpstreamTLSFailure(error, certificate: encryption?.peerCertificate))
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        promise.fail(UpstreamTLSFailure.handshakeFailed)
        context.fireChannelInactive()
    }
}
