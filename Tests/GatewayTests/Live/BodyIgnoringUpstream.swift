import NIOCore
import NIOPosix
import Synchronization

/// An upstream that knows no bodies: after a request's head it reads the next request, unless the head says `Connection: close`.
final class BodyIgnoringUpstream: Sendable {
    private let listener: any Channel
    private let address: SocketAddress
    private let seen: SeenLines

    fileprivate final class SeenLines: Sendable {
        let value = Mutex<[String]>([])
    }

    static func start() async throws -> BodyIgnoringUpstream {
        let seen = SeenLines()
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Reader(seen)) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        guard let address = listener.localAddress else { throw ChannelError.unknownLocalAddress }
        return BodyIgnoringUpstream(listener: listener, address: address, seen: seen)
    }

    private init(listener: any Channel, address: SocketAddress, seen: SeenLines) {
        self.listener = listener
        self.address = address
        self.seen = seen
    }

    var endpoint: String { "http://127.0.0.1:\(address.port ?? 0)" }
    /// The first lines of the requests that it has taken for such.
    var lines: [String] { seen.value.withLock(\.self) }

    func stop() async {
        do { try await listener.close().get() } catch { return }
    }

    private final class Reader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let seen: SeenLines
        private var inbound = ByteBuffer()
        private var isClosing = false

        init(_ seen: SeenLines) { self.seen = seen }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var data = unwrapInboundIn(data)
            inbound.writeBuffer(&data)
            while !isClosing, let end = inbound.readableBytesView.firstRange(of: Array("\r\n\r\n".utf8)) {
                let head = inbound.readString(length: end.upperBound - inbound.readerIndex) ?? ""
                seen.value.withLock { $0.append(String(head.prefix { $0 != "\r\n" })) }
                isClosing = head.contains("\r\nConnection: close\r\n")
                let answer = context.eventLoop.makePromise(of: Void.self)
                if isClosing {
                    answer.futureResult.whenComplete { [channel = context.channel] _ in channel.close(promise: nil) }
                }
                context.writeAndFlush(
                    wrapOutboundOut(ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")),
                    promise: answer)
            }
        }
    }
}

/// An upstream that refuses each request once it has read the head, and then reads what follows without looking at it.
final class EarlyUpstream: Sendable {
    private let listener: any Channel
    private let address: SocketAddress

    static func start() async throws -> EarlyUpstream {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Refuser()) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        guard let address = listener.localAddress else { throw ChannelError.unknownLocalAddress }
        return EarlyUpstream(listener: listener, address: address)
    }

    private init(listener: any Channel, address: SocketAddress) {
        self.listener = listener
        self.address = address
    }

    var endpoint: String { "http://127.0.0.1:\(address.port ?? 0)" }

    func stop() async {
        do { try await listener.close().get() } catch { return }
    }

    private final class Refuser: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private var hasAnswered = false

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !hasAnswered else { return }
            hasAnswered = true
            let answer = "HTTP/1.1 409 Conflict\r\nContent-Length: 2\r\n\r\nno"
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
