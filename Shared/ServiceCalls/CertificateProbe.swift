import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
import OutgoingConnections
import ServerNames

/// Reads the certificate of a server that is not trusted, so that the reason can be logged. Nothing is sent over its connection.
enum CertificateProbe {
    /// The longest time that it takes.
    private static let limit: TimeAmount = .seconds(2)

    /// Returns the certificate, or `nil` if the server presents none in time.
    ///
    /// - Parameter name: The name that the server is asked for; `nil` if its URL has an IP address.
    static func certificate(of name: String?, at address: SocketAddress) async -> NIOSSLCertificate? {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let promise = loop.makePromise(of: NIOSSLCertificate?.self)
        let connected = ClientBootstrap(group: loop).connectTimeout(limit)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try addHandlers(to: channel, name, promise) }
            }
            .connect(to: address)
        connected.cascadeFailure(to: promise)
        let timer = loop.scheduleTask(in: limit) { promise.succeed(nil) }
        promise.futureResult.whenComplete { _ in
            timer.cancel()
            connected.whenSuccess { $0.close(promise: nil) }
        }
        do { return try await promise.futureResult.get() } catch { return nil }
    }

    private static func addHandlers(
        to channel: any Channel, _ name: String?, _ promise: EventLoopPromise<NIOSSLCertificate?>
    ) throws {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .none
        let encryption = try NIOSSLClientHandler(
            context: try NIOSSLContext(configuration: configuration), serverHostname: name)
        try channel.pipeline.syncOperations.addHandlers([
            encryption, Reader(encryption: encryption, promise: promise),
        ])
    }

    private final class Reader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let encryption: NIOSSLClientHandler
        private let promise: EventLoopPromise<NIOSSLCertificate?>

        init(encryption: NIOSSLClientHandler, promise: EventLoopPromise<NIOSSLCertificate?>) {
            self.encryption = encryption
            self.promise = promise
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case .handshakeCompleted = event as? TLSUserEvent { promise.succeed(encryption.peerCertificate) }
            context.fireUserInboundEventTriggered(event)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { promise.fail(error) }

        func channelInactive(context: ChannelHandlerContext) { promise.succeed(nil) }
    }
}

extension ServiceReplicas.Replica {
    /// Returns why the server's certificate was refused with `error`, in words; `nil` if it was not, or cannot be read any more.
    func certificateFault(_ error: any Error) async -> String? {
        guard ConnectionFailure(of: error, hasBegun: false) == .untrustedCertificate,
            let (host, port) = ServiceAuthority.parts(of: baseURL)
        else { return nil }
        let literal = ServerNames.literal(host, port)
        guard let address = address ?? literal else { return nil }
        let name = literal == nil ? host : nil
        guard let certificate = await CertificateProbe.certificate(of: name, at: address) else { return nil }
        return CertificateFault(error, certificate: certificate)?.words()
    }
}
