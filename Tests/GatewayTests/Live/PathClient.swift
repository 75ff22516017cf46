import NIOCore
import NIOPosix
import Synchronization

@testable import EdgeHTTP
@testable import GatewayCore

/// A client that asks for one path after the other, each as soon as the answer before has come, and counts the answers that
/// were not for it.
final class PathClient: Sendable {
    struct Counts: Sendable {
        var answers = 0
        var failures = 0
        /// 200s whose body is not the path that was asked for, or that came for a path that is gone.
        var foreign = 0
    }

    private let counted: Mutex<Counts>.Box
    private let channel: any Channel

    /// - Parameter goneOneIn: how many requests there are to one for `/gone`.
    static func start(name: String, goneOneIn: Int, to address: SocketAddress) async throws -> PathClient {
        let counted = Mutex<Counts>.Box(Counts())
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        Asker(name: name, goneOneIn: goneOneIn, counted: counted))
                }
            }
            .connect(to: address).get()
        return PathClient(counted: counted, channel: channel)
    }

    private init(counted: Mutex<Counts>.Box, channel: any Channel) {
        self.counted = counted
        self.channel = channel
    }

    var counts: Counts { counted.mutex.withLock { $0 } }

    func close() async {
        do { try await channel.close().get() } catch { return }
    }

    private final class Asker: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let name: String
        private let goneOneIn: Int
        private let counted: Mutex<Counts>.Box
        private var number = 0
        private var path = ""
        private var inbound = ByteBuffer()
        private var parser = ResponseHeadParser(limits: .init())
        private var head: ResponseHead?

        init(name: String, goneOneIn: Int, counted: Mutex<Counts>.Box) {
            self.name = name
            self.goneOneIn = goneOneIn
            self.counted = counted
        }

        func channelActive(context: ChannelHandlerContext) { ask(context) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var data = unwrapInboundIn(data)
            inbound.writeBuffer(&data)
            do throws(HTTPViolation) {
                if head == nil { head = try parser.next(from: &inbound, isHEAD: false) }
            } catch { return context.close(promise: nil) }
            guard let answer = head else { return }
            var length = 0
            if case .length(let stated) = answer.framing { length = stated }
            guard let body = inbound.readString(length: length) else { return }
            head = nil
            count(answer.status, body)
            ask(context)
        }

        private func ask(_ context: ChannelHandlerContext) {
            number += 1
            path = number % goneOneIn == 0 ? "/gone" : "/\(name)/\(number)"
            context.writeAndFlush(
                wrapOutboundOut(ByteBuffer(string: "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")), promise: nil)
        }

        private func count(_ status: Int, _ body: String) {
            let isOwn = path == "/gone" ? status == 204 : status == 200 && body == path
            counted.mutex.withLock { counts in
                counts.answers += 1
                if status >= 500 { counts.failures += 1 } else if !isOwn { counts.foreign += 1 }
            }
        }
    }
}
