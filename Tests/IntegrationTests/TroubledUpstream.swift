import NIOCore
import NIOPosix

/// An app's API in trouble: it ends a connection when a request with `/closed` in its path comes, and leaves all others
/// without an answer.
enum TroubledUpstream {
    /// Runs `body` while it listens at the port of the loopback that `body` is given.
    static func run(_ body: (Int) async throws -> Void) async throws {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Trouble()) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        guard let port = listener.localAddress?.port else { throw ChannelError.unknownLocalAddress }
        do {
            try await body(port)
        } catch {
            try await listener.close()
            throw error
        }
        try await listener.close()
    }

    private final class Trouble: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if String(buffer: unwrapInboundIn(data)).contains("/closed") { context.close(promise: nil) }
        }
    }
}
