import NIOCore
import NIOPosix

/// The negative control: passes bytes on as they come, and reads none of them.
final class NaiveProxy: Sendable {
    let address: SocketAddress
    private let listener: any Channel

    static func start(before upstream: SocketAddress) async throws -> NaiveProxy {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { client in
                ClientBootstrap(group: client.eventLoop)
                    .channelOption(.autoRead, value: false)
                    .connect(to: upstream)
                    .flatMapThrowing { server in
                        try client.pipeline.syncOperations.addHandler(Pipe(to: server))
                        try server.pipeline.syncOperations.addHandler(Pipe(to: client))
                        client.closeFuture.whenComplete { _ in server.close(promise: nil) }
                        server.closeFuture.whenComplete { _ in client.close(promise: nil) }
                        server.setOption(.autoRead, value: true).and(client.setOption(.autoRead, value: true))
                            .whenFailure { _ in client.close(promise: nil) }
                    }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        guard let address = listener.localAddress else { throw ChannelError.unknownLocalAddress }
        return NaiveProxy(address: address, listener: listener)
    }

    private init(address: SocketAddress, listener: any Channel) {
        self.address = address
        self.listener = listener
    }

    func stop() async {
        do { try await listener.close().get() } catch { return }
    }

    private final class Pipe: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer

        private let target: any Channel

        init(to target: any Channel) { self.target = target }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            target.writeAndFlush(unwrapInboundIn(data), promise: nil)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
