import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
import Synchronization
import TestSupport

/// An upstream that reads naively what comes, remembers it, and does as it is told.
final class RecordingUpstream: Sendable {
    struct Request: Sendable {
        let connection: Int
        let head: String
        let body: ByteBuffer
        var line: String { String(head.prefix { $0 != "\r\n" }) }
    }

    enum Action: Sendable {
        case reply(String)
        case replyThenClose(String)
        /// Closes over TLS without its goodbye message.
        case replyThenCut(String)
        case close
        /// Head with its length, and a body of so many bytes.
        case stream(byteCount: Int)
        case nothing
    }

    fileprivate struct State: Sendable {
        var requests: [Request] = []
        var receivedByteCount = 0
        var connectionCount = 0
        var openCount = 0
        var channels: [any Channel] = []
        /// The names that clients requested (SNI), one for each connection over TLS.
        var serverNames: [String?] = []
    }

    let address: SocketAddress
    private let listener: any Channel
    private let state: StateBox
    private let usesTLS: Bool

    fileprivate final class StateBox: Sendable {
        let value = Mutex(State())
    }

    private static let hostCount = Atomic<Int>(0)

    /// Returns an address of 127.0.0.0/8 for each upstream. A released port could otherwise be given to another test's
    /// upstream, and be reached by a client that still looks for the first one.
    private static func nextHost() -> String {
        let number = hostCount.add(1, ordering: .relaxed).newValue
        return "127.1.\(number >> 8 & 255).\(number & 255)"
    }

    /// - Parameters:
    ///   - host: of the loopback network; one of its own when left out.
    ///   - path: of a socket file, in place of host and port.
    ///   - tls: its certificate, if it speaks TLS.
    ///   - act: what to do about the request of this number, counted from 0.
    static func start(
        host: String? = nil, port: Int = 0, path: String? = nil, tls: NIOSSLContext? = nil,
        _ act: @escaping @Sendable (Request, Int) -> Action = { _, _ in .reply(ok) }
    ) async throws -> RecordingUpstream {
        let state = StateBox()
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls { try encrypt(channel, by: tls, state) }
                    try channel.pipeline.syncOperations.addHandler(Reader(state: state, act: act))
                }
            }
        let place =
            try path.map { try SocketAddress(unixDomainSocketPath: $0) }
            ?? SocketAddress(ipAddress: host ?? nextHost(), port: port)
        let listener = try await bootstrap.bind(to: place).get()
        guard let address = listener.localAddress else { throw ChannelError.unknownLocalAddress }
        return RecordingUpstream(address: address, listener: listener, state: state, usesTLS: tls != nil)
    }

    private static func encrypt(_ channel: any Channel, by tls: NIOSSLContext, _ state: StateBox) throws {
        let names = SNIHandler { result in
            if case .hostname(let name) = result {
                state.value.withLock { $0.serverNames.append(name) }
            } else {
                state.value.withLock { $0.serverNames.append(nil) }
            }
            return channel.eventLoop.makeSucceededVoidFuture()
        }
        try channel.pipeline.syncOperations.addHandlers([
            ByteToMessageHandler(names), NIOSSLServerHandler(context: tls),
        ])
    }

    static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    private init(address: SocketAddress, listener: any Channel, state: StateBox, usesTLS: Bool) {
        self.usesTLS = usesTLS
        self.address = address
        self.listener = listener
        self.state = state
    }

    var requests: [Request] { state.value.withLock(\.requests) }
    var receivedByteCount: Int { state.value.withLock(\.receivedByteCount) }
    var connectionCount: Int { state.value.withLock(\.connectionCount) }
    var openCount: Int { state.value.withLock(\.openCount) }
    var serverNames: [String?] { state.value.withLock(\.serverNames) }
    var endpoint: String {
        let scheme = usesTLS ? "https" : "http"
        return address.pathname.map { "unix://\($0)" } ?? "\(scheme)://\(address.ipAddress ?? ""):\(address.port ?? 0)"
    }

    /// Ends all connections that are open; new ones are still accepted.
    func closeConnections() async {
        for channel in state.value.withLock(\.channels) {
            // A process that another test starts has a copy of the socket until it executes its program. Only a shutdown ends
            // the connection nevertheless.
            for mode in [CloseMode.output, .all] {
                do { try await channel.close(mode: mode).get() } catch { continue }
            }
        }
    }

    /// Sends to all who are connected what they have not asked for.
    func sendUnasked(_ text: String) async {
        for channel in state.value.withLock(\.channels) {
            do { try await channel.writeAndFlush(ByteBuffer(string: text)).get() } catch { continue }
        }
    }

    /// Ends the upstream. Its address refuses connections when the call returns.
    func stop() async {
        do {
            try await listener.close().get()
            await closeConnections()
            // A process that is being started may keep the listening socket open, too.
            try await eventually("the upstream refuses connections") { await !isListening() }
        } catch { return }
    }

    private func isListening() async -> Bool {
        do {
            let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            try await bootstrap.connect(to: address).get().close().get()
            return true
        } catch { return false }
    }

    private final class Reader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let state: StateBox
        private let act: @Sendable (Request, Int) -> Action
        private var number = 0
        private var inbound = ByteBuffer()

        init(state: StateBox, act: @escaping @Sendable (Request, Int) -> Action) {
            self.state = state
            self.act = act
        }

        func channelActive(context: ChannelHandlerContext) {
            number = state.value.withLock { state in
                state.connectionCount += 1
                state.openCount += 1
                state.channels.append(context.channel)
                return state.connectionCount
            }
        }

        func channelInactive(context: ChannelHandlerContext) { state.value.withLock { $0.openCount -= 1 } }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var data = unwrapInboundIn(data)
            state.value.withLock { $0.receivedByteCount += data.readableBytes }
            inbound.writeBuffer(&data)
            while let request = nextRequest() {
                let index = state.value.withLock { state in
                    state.requests.append(request)
                    return state.requests.count - 1
                }
                perform(act(request, index), context)
            }
        }

        private func perform(_ action: Action, _ context: ChannelHandlerContext) {
            switch action {
            case .reply(let text): context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
            case .replyThenClose(let text):
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
                context.close(promise: nil)
            case .replyThenCut(let text):
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
                cut(context)
            case .close: context.close(promise: nil)
            case .nothing: break
            case .stream(let count):
                let head = "HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n"
                context.write(wrapOutboundOut(ByteBuffer(string: head)), promise: nil)
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(repeating: 0x61, count: count)), promise: nil)
            }
        }

        private func cut(_ context: ChannelHandlerContext) {
            do {
                let encryption = try context.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self)
                encryption.close(promise: nil)
            } catch {
                context.close(promise: nil)
            }
        }

        /// One request, framed by what its head says; believes everything.
        private func nextRequest() -> Request? {
            let view = inbound.readableBytesView
            // A handshake, to one that speaks no TLS: it makes no sense, and is answered.
            if view.first == 0x16 { return take("", 0, inbound.readableBytes) }
            guard let headEnd = view.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
            let head = String(decoding: view[view.startIndex..<headEnd.upperBound], as: UTF8.self)
            let headLength = headEnd.upperBound - view.startIndex
            let lowered = head.lowercased()
            if lowered.contains("transfer-encoding:") {
                guard let end = view[headEnd.upperBound...].firstRange(of: Array("0\r\n\r\n".utf8)) else { return nil }
                return take(head, headLength, end.upperBound - headEnd.upperBound)
            }
            let length =
                lowered.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
                .flatMap { Int($0.dropFirst(15).filter { $0 != " " }) }.map { min(max($0, 0), 1 << 30) } ?? 0
            return inbound.readableBytes >= headLength + length ? take(head, headLength, length) : nil
        }

        private func take(_ head: String, _ headLength: Int, _ bodyLength: Int) -> Request? {
            inbound.moveReaderIndex(forwardBy: headLength)
            guard let body = inbound.readSlice(length: bodyLength) else { return nil }
            defer { inbound.discardReadBytes() }
            return Request(connection: number, head: head, body: body)
        }
    }
}
