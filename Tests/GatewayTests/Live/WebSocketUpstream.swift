import NIOCore
import NIOPosix
import Synchronization

@testable import EdgeHTTP

/// An upstream that reads the head of one request on each connection, and responds as it is told. After its response it sends back
/// every byte that comes, until its client has sent the last one.
final class WebSocketUpstream: Sendable {
    enum Action: Sendable {
        /// Sends this, and every byte back that follows.
        case echo(String)
        /// Sends this, and then bytes without an end, as fast as they are taken.
        case flood(String)
        /// Sends this, and reads nothing until `read()`.
        case wait(String)
        /// Sends this, and these bytes once its client has sent the last one.
        case last(String, ByteBuffer)
        case close(String)
    }

    struct State: Sendable {
        var heads: [String] = []
        var received = ByteBuffer()
        var sentCount = 0
        var endCount = 0
        var channels: [any Channel] = []
    }

    private final class Box: Sendable { let value = Mutex(State()) }

    private let listener: any Channel
    private let box: Box

    private init(_ listener: any Channel, _ box: Box) { (self.listener, self.box) = (listener, box) }

    /// - Parameter act: what to do about a head.
    static func start(_ act: @escaping @Sendable (String) -> Action) async throws -> WebSocketUpstream {
        let box = Box()
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Echo(box, act))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return WebSocketUpstream(listener, box)
    }

    var endpoint: String { "http://127.0.0.1:\(listener.localAddress?.port ?? 0)" }
    var state: State { box.value.withLock(\.self) }
    /// The bytes after the head of the first request.
    var received: String { String(buffer: state.received) }

    /// The 101 that accepts the handshake of a head, with these fields.
    static func accepting(_ head: String, _ fields: String = "") -> String {
        let lines = head.split(separator: "\r\n").map { $0.split(separator: ": ", maxSplits: 1).map(String.init) }
        let key = lines.first { $0[0] == "Sec-WebSocket-Key" }?.last ?? ""
        var parser = RequestHeadParser(limits: .init(), hostlessPath: [])
        var buffer = ByteBuffer(string: WebSocketHandshakeTests.request([(WebSocketHandshakeTests.key, key)]))
        let accept: String
        do {
            let head = try parser.next(from: &buffer)
            accept = try head.map { try WebSocketHandshake($0).accept } ?? ""
        } catch { accept = "\(error)" }
        return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Accept: \(accept)\r\n\(fields)\r\n"
    }

    /// Sends on all connections.
    func send(_ text: String) async {
        for channel in state.channels {
            do { try await channel.writeAndFlush(ByteBuffer(string: text)).get() } catch { continue }
        }
    }

    /// Lets connections that wait read what has come, and all that follows.
    func read() async throws {
        for channel in state.channels { try await channel.setOption(.autoRead, value: true).get() }
    }

    func closeConnections() async {
        for channel in state.channels { do { try await channel.close().get() } catch { continue } }
    }

    func stop() async {
        do { try await listener.close().get() } catch { return }
        await closeConnections()
    }

    private final class Echo: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private static let piece = ByteBuffer(repeating: UInt8(ascii: "."), count: 64 * 1024)

        private let box: Box
        private let act: @Sendable (String) -> Action
        private var inbound = ByteBuffer()
        private var hasHead = false
        private var floods = false
        private var last = ByteBuffer()

        init(_ box: Box, _ act: @escaping @Sendable (String) -> Action) { (self.box, self.act) = (box, act) }

        func channelActive(context: ChannelHandlerContext) {
            box.value.withLock { $0.channels.append(context.channel) }
        }

        func channelInactive(context: ChannelHandlerContext) { box.value.withLock { $0.endCount += 1 } }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            guard case .inputClosed = event as? ChannelEvent else { return }
            context.writeAndFlush(wrapOutboundOut(last)).assumeIsolated().whenComplete { _ in
                context.close(promise: nil)
            }
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var bytes = unwrapInboundIn(data)
            guard !hasHead else { return echo(bytes, context) }
            inbound.writeBuffer(&bytes)
            let text = String(buffer: inbound)
            guard let end = text.firstRange(of: "\r\n\r\n") else { return }
            hasHead = true
            let (head, rest) = (String(text[..<end.upperBound]), String(text[end.upperBound...]))
            box.value.withLock { $0.heads.append(head) }
            perform(act(head), context)
            if !rest.isEmpty { echo(ByteBuffer(string: rest), context) }
        }

        func channelWritabilityChanged(context: ChannelHandlerContext) { flood(context) }

        private func perform(_ action: Action, _ context: ChannelHandlerContext) {
            switch action {
            case .echo(let text): write(text, context)
            case .flood(let text):
                write(text, context)
                floods = true
                flood(context)
            case .wait(let text):
                context.channel.setOption(.autoRead, value: false).assumeIsolated().whenFailure { _ in }
                write(text, context)
            case .last(let text, let bytes):
                last = bytes
                write(text, context)
            case .close(let text):
                write(text, context)
                context.close(promise: nil)
            }
        }

        private func write(_ text: String, _ context: ChannelHandlerContext) {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
        }

        private func flood(_ context: ChannelHandlerContext) {
            while floods, context.channel.isActive, context.channel.isWritable {
                box.value.withLock { $0.sentCount += Self.piece.readableBytes }
                context.writeAndFlush(wrapOutboundOut(Self.piece), promise: nil)
            }
        }

        private func echo(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
            box.value.withLock { state in _ = state.received.writeImmutableBuffer(bytes) }
            context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
        }
    }
}
