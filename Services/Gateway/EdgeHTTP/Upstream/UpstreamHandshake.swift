import NIOCore
import NIOSSL
import NIOTLS

/// Waits until the TLS handshake of a new connection is complete, and then leaves the pipeline. An upstream that cannot be verified
/// is sent nothing.
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

    /// Creates the handshake of a connection to `endpoint`, or returns `nil` for one without TLS.
    static func make(
        with endpoint: UpstreamEndpoint, of group: UpstreamGroup, on eventLoop: any EventLoop
    ) -> NIOLoopBound<UpstreamHandshake>? {
        guard endpoint.usesTLS else { return nil }
        let handshake = UpstreamHandshake(
            endpoint: endpoint, tls: group.tls, limit: .milliseconds(group.limits.handshakeMilliseconds),
            promise: eventLoop.makePromise())
        return NIOLoopBound(handshake, eventLoop: eventLoop)
    }

    /// Adds the encrypting handler, and this one after it.
    func addHandlers(to pipeline: ChannelPipeline.SynchronousOperations) throws {
        guard let tls else { throw UpstreamTLSFailure.handshakeFailed }
        let encryption = try tls.handler(for: endpoint)
        self.encryption = encryption
        try pipeline.addHandlers([encryption, self])
    }

    /// Completes when the handshake is over, and fails if the connection could not be made. If TLS is the reason, the error is an
    /// `UpstreamTLSFailure`.
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
