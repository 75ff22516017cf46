import NIOCore
import NIOPosix
import Synchronization

/// An upstream that answers each request with its path, but `/gone…` with a 204 and, a little later, with a response that
/// was not requested.
final class DesynchronisingUpstream: Sendable {
    static let strayBody = "stray"

    let address: SocketAddress
    private let listener: any Channel

    /// - Parameter strayDelay: from the 204 to the second answer.
    static func start(host: String, strayDelay: TimeAmount) async throws -> DesynchronisingUpstream {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Answerer(strayDelay: strayDelay))
                }
            }
            .bind(host: host, port: 0).get()
        guard let address = listener.localAddress else { throw ChannelError.unknownLocalAddress }
        return DesynchronisingUpstream(address: address, listener: listener)
    }

    private init(address: SocketAddress, listener: any Channel) {
        self.address = address
        self.listener = listener
    }

    var endpoint: String { "http://\(address.ipAddress ?? ""):\(address.port ?? 0)" }

    func stop() async {
        do { try await listener.close().get() } catch { return }
    }

    /// Answers in the order of the requests; they have no bodies.
    private final class Answerer: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let strayDelay: TimeAmount
        private var inbound = ByteBuffer()

        init(strayDelay: TimeAmount) { self.strayDelay = strayDelay }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var data = unwrapInboundIn(data)
            inbound.writeBuffer(&data)
            while let end = inbound.readableBytesView.firstRange(of: Array("\r\n\r\n".utf8)) {
                let length = end.upperBound - inbound.readerIndex
                let head = inbound.readString(length: length) ?? ""
                let parts = head.split(separator: " ", maxSplits: 2)
                answer(parts.count > 1 ? String(parts[1]) : "", context)
            }
        }

        private func answer(_ path: String, _ context: ChannelHandlerContext) {
            guard path.hasPrefix("/gone") else { return send(Self.ok(path), after: .zero, context) }
            send("HTTP/1.1 204 No Content\r\n\r\n", after: .zero, context)
            send(Self.ok(DesynchronisingUpstream.strayBody), after: strayDelay, context)
        }

        private func send(_ text: String, after delay: TimeAmount, _ context: ChannelHandlerContext) {
            let bytes = wrapOutboundOut(ByteBuffer(string: text))
            guard delay > .zero else { return context.writeAndFlush(bytes, promise: nil) }
            context.eventLoop.assumeIsolated().scheduleTask(in: delay) {
                context.writeAndFlush(bytes, promise: nil)
            }
        }

        private static func ok(_ body: String) -> String {
            "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        }
    }
}
