import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
import Synchronization
import TestSupport

@testable import EdgeHTTP

/// A client that sends what it is told and shows what came, byte by byte.
final class RawClient: Sendable {
    private final class Collector: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer

        struct State: Sendable {
            var bytes = ByteBuffer()
            var count = 0
            var hasEnded = false
            var isEncrypted = false
            var hasFailed = false
        }

        /// Bytes that are kept to be looked at; of longer answers only the count goes on.
        static let keptBytesMax = 8 << 20
        let state = Mutex(State())

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var data = unwrapInboundIn(data)
            state.withLock { state in
                state.count += data.readableBytes
                if state.bytes.readableBytes < Self.keptBytesMax { state.bytes.writeBuffer(&data) }
            }
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            guard case TLSUserEvent.handshakeCompleted? = event as? TLSUserEvent else { return }
            state.withLock { $0.isEncrypted = true }
        }

        func channelInactive(context: ChannelHandlerContext) { state.withLock { $0.hasEnded = true } }
        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            state.withLock { $0.hasFailed = true }
            context.close(promise: nil)
        }
    }

    private let channel: any Channel
    private let collector: Collector

    /// Speaks first below TLS, as a proxy does that announces its client.
    private final class Preface: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let bytes: ByteBuffer

        init(_ bytes: ByteBuffer) { self.bytes = bytes }

        func channelActive(context: ChannelHandlerContext) {
            context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
            context.fireChannelActive()
        }
    }

    /// - Parameters:
    ///   - keepsHalf: goes on sending after the server has closed its half, as blocking clients do.
    ///   - preface: is sent before all else.
    ///   - tls: the client's side of TLS; nil: in plain text.
    static func connect(
        to address: SocketAddress, reads: Bool = true, keepsHalf: Bool = false, preface: ByteBuffer? = nil,
        tls: (@Sendable () throws -> NIOSSLClientHandler)? = nil
    ) async throws -> RawClient {
        let collector = Collector()
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.autoRead, value: reads)
            .channelOption(.allowRemoteHalfClosure, value: keepsHalf)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let preface { try channel.pipeline.syncOperations.addHandler(Preface(preface)) }
                    if let tls { try channel.pipeline.syncOperations.addHandler(try tls()) }
                    try channel.pipeline.syncOperations.addHandler(collector)
                }
            }
            .connect(to: address).get()
        return RawClient(channel: channel, collector: collector)
    }

    private init(channel: any Channel, collector: Collector) {
        self.channel = channel
        self.collector = collector
    }

    /// All that has come.
    var received: String { collector.state.withLock { String(buffer: $0.bytes) } }
    var receivedCount: Int { collector.state.withLock(\.count) }
    /// Whether the server has ended the connection.
    var hasEnded: Bool { collector.state.withLock(\.hasEnded) }
    /// Whether the connection has ended with an error, a reset for example.
    var hasFailed: Bool { collector.state.withLock(\.hasFailed) }

    /// Sends, without minding a connection that has ended.
    func send(_ text: String) async { await send(ByteBuffer(string: text)) }

    func send(_ bytes: ByteBuffer) async {
        do { try await channel.writeAndFlush(bytes).get() } catch { return }
    }

    func setReading(_ reads: Bool) async throws { try await channel.setOption(.autoRead, value: reads).get() }

    /// Ends the connection with a reset, and without a word of TLS.
    func reset() async {
        do {
            try await channel.eventLoop.submit { [channel] in
                SocketMemory.resetAtEnd(channel)
                // Below TLS, which would send its goodbye message first.
                let handler = try channel.pipeline.syncOperations.handler(type: NIOSSLClientHandler.self)
                try channel.pipeline.syncOperations.context(handler: handler).close(promise: nil)
            }.get()
            try await channel.closeFuture.get()
        } catch { return }
    }

    /// Bytes that were sent and that the server's kernel has not acknowledged.
    func untakenBytes() async throws -> Int {
        try await channel.eventLoop.submit { [channel] in
            (try channel.syncOptions?.getOption(.bufferedWritableBytes) ?? 0)
                + SocketMemory.unacknowledgedBytes(of: channel)
        }.get()
    }

    /// The scale of the windows that the server states (tcp(7), `TCP_INFO`).
    func windowScale() async throws -> UInt8 {
        guard let provider = channel as? any SocketOptionProvider else { return 0 }
        let info: tcp_info = try await provider.unsafeGetSocketOption(
            level: .tcp, name: .init(rawValue: TCP_INFO)
        ).get()
        return UInt8(info.tcpi_snd_wscale)
    }

    /// Sends the last bytes, and closes its half.
    func endSending(after bytes: ByteBuffer) async throws {
        channel.writeAndFlush(bytes, promise: nil)
        try await channel.close(mode: .output).get()
    }

    func close() async {
        do { try await channel.close().get() } catch { return }
    }

    /// Waits for `count` answers' heads.
    func waitForAnswers(_ count: Int) async throws {
        try await eventually("\(count) answers in \(received.debugDescription)") { answerCount >= count }
    }

    func waitForHandshake() async throws {
        try await eventually("the handshake") { collector.state.withLock(\.isEncrypted) }
    }

    func waitForEnd() async throws { try await eventually("the end of \(received.debugDescription)") { hasEnded } }

    var answerCount: Int { received.components(of: "HTTP/1.1 ") }

    /// The statuses of the answers, in order.
    var statuses: [String] {
        let text = Array(received.utf8)
        let mark = Array("HTTP/1.1 ".utf8)
        return text.indices.filter { text[$0...].starts(with: mark) }
            .map { String(decoding: text[($0 + mark.count)...].prefix(3), as: UTF8.self) }
    }
}

extension String {
    /// How often `part` occurs.
    func components(of part: String) -> Int {
        let bytes = Array(utf8)
        let wanted = Array(part.utf8)
        guard bytes.count >= wanted.count else { return 0 }
        return (0...bytes.count - wanted.count).count { bytes[$0..<$0 + wanted.count].elementsEqual(wanted) }
    }
}
