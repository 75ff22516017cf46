package import NIOCore
import NIOHPACK
import NIOPosix
import NIOSSL
import Synchronization

/// A client of HTTP/2 that sends the frames it is told to, and shows those that came. It acknowledges settings by itself, and opens
/// no window.
package final class RawHTTP2Client: Sendable {
    /// The frames that came on one stream.
    package struct Stream: Sendable {
        package var heads: [[(name: String, value: String)]] = []
        package var body = ByteBuffer()
        package var hasEnded = false
        /// The error code of a reset.
        package var reset: UInt32?
        package var increments: UInt32 = 0

        /// The status of the last head.
        package var status: Int? { field(":status").flatMap { Int($0) } }
        package var text: String { String(buffer: body) }
        package var isOver: Bool { hasEnded || reset != nil }
        package func field(_ name: String) -> String? { heads.last?.first { $0.name == name }?.value }
    }

    package struct State: Sendable {
        package var streams: [UInt32: Stream] = [:]
        package var settings: [UInt16: UInt32] = [:]
        /// The last stream and the error code of each GOAWAY.
        package var goAways: [(last: UInt32, code: UInt32)] = []
        package var pongs = 0
        package var hasEnded = false
    }

    private let channel: any Channel
    private let collector: Collector

    /// Connects, and sends the preface with `settings` (ids with values).
    ///
    /// - Parameter name: what is asked for (SNI); `nil`: nothing is.
    package static func connect(
        to address: SocketAddress, authority: String, name: String? = "localhost",
        settings: [(UInt16, UInt32)] = [], protocols: [String] = ["h2"], reads: Bool = true
    ) async throws -> RawHTTP2Client {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .file(authority)
        configuration.applicationProtocols = protocols
        let context = try NIOSSLContext(configuration: configuration)
        let payload = settings.flatMap { [UInt8($0.0 >> 8), UInt8($0.0 & 0xFF)] + HTTP2Bytes.number($0.1) }
        let collector = Collector(
            preface: Array(HTTP2Bytes.preface.utf8) + HTTP2Bytes.frame(.settings, payload))
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.autoRead, value: reads)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(
                        [NIOSSLClientHandler(context: context, serverHostname: name), collector])
                }
            }
            .connect(to: address).get()
        return RawHTTP2Client(channel: channel, collector: collector)
    }

    private init(channel: any Channel, collector: Collector) {
        self.channel = channel
        self.collector = collector
    }

    package var state: State { collector.state.withLock(\.self) }
    package var hasEnded: Bool { collector.state.withLock(\.hasEnded) }

    package func stream(_ id: UInt32) -> Stream { collector.state.withLock { $0.streams[id] ?? Stream() } }

    /// Sends bytes, without minding a connection that has ended.
    package func send(_ bytes: [UInt8]) async {
        do { try await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get() } catch { return }
    }

    /// Sends a request and waits for its end.
    package func answer(
        _ id: UInt32, _ fields: [(String, String)], body: [UInt8]? = nil
    ) async throws -> Stream {
        await send(HTTP2Bytes.request(id, fields, body: body))
        return try await end(of: id)
    }

    /// Waits for the end of a stream, or of the connection.
    package func end(of id: UInt32) async throws -> Stream {
        try await eventually("the end of stream \(id)") { stream(id).isOver || hasEnded }
        return stream(id)
    }

    package func waitForEnd() async throws { try await eventually("the end of the connection") { hasEnded } }

    package func setReading(_ reads: Bool) async throws { try await channel.setOption(.autoRead, value: reads).get() }

    package func close() async {
        do { try await channel.close().get() } catch { return }
    }
}

/// Reads frames.
private final class Collector: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private struct Reading: Sendable {
        var bytes = ByteBuffer()
        var block = ByteBuffer()
        // The largest table that a client may state.
        var decoder = HPACKDecoder(allocator: ByteBufferAllocator(), maxDynamicTableSize: 65_536)
    }

    let state = Mutex(RawHTTP2Client.State())
    private let reading = Mutex(Reading())
    private let preface: [UInt8]

    init(preface: [UInt8]) { self.preface = preface }

    /// Sends the preface before the acknowledgement of the server's settings.
    func channelActive(context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: preface)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var data = unwrapInboundIn(data)
        let mustAcknowledge = reading.withLock { reading in
            reading.bytes.writeBuffer(&data)
            return state.withLock { state in Self.read(&reading, &state) }
        }
        guard mustAcknowledge else { return }
        let acknowledgement = HTTP2Bytes.frame(.settings, flags: HTTP2Bytes.acknowledgement)
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: acknowledgement)), promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { state.withLock { $0.hasEnded = true } }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    /// Reads all whole frames, and returns whether settings came.
    private static func read(_ reading: inout Reading, _ state: inout RawHTTP2Client.State) -> Bool {
        var hasSettings = false
        while let head = reading.bytes.getBytes(at: reading.bytes.readerIndex, length: 9) {
            let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
            guard reading.bytes.readableBytes >= 9 + length else { break }
            reading.bytes.moveReaderIndex(forwardBy: 9)
            guard let payload = reading.bytes.readSlice(length: length) else { break }
            let id = head[5...8].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            let kind = HTTP2Bytes.Kind(rawValue: head[3])
            if kind == .settings, head[4] & HTTP2Bytes.acknowledgement == 0 { hasSettings = true }
            take(kind, flags: head[4], id, payload, &reading, &state)
        }
        return hasSettings
    }

    private static func take(
        _ kind: HTTP2Bytes.Kind?, flags: UInt8, _ id: UInt32, _ payload: ByteBuffer, _ reading: inout Reading,
        _ state: inout RawHTTP2Client.State
    ) {
        var payload = payload
        let endsStream = flags & HTTP2Bytes.endStream != 0
        switch kind {
        case .data:
            state.streams[id, default: .init()].body.writeBuffer(&payload)
            if endsStream { state.streams[id]?.hasEnded = true }
        case .headers, .continuation:
            reading.block.writeBuffer(&payload)
            if kind == .headers, endsStream { state.streams[id, default: .init()].hasEnded = true }
            guard flags & HTTP2Bytes.endHeaders != 0 else { return }
            let fields = (try? reading.decoder.decodeHeaders(from: &reading.block)) ?? [:]
            reading.block.clear()
            state.streams[id, default: .init()].heads.append(fields.map { ($0.name, $0.value) })
        case .reset: state.streams[id, default: .init()].reset = payload.readInteger()
        case .windowUpdate: state.streams[id, default: .init()].increments += payload.readInteger() ?? 0
        case .goAway:
            if let last = payload.readInteger(as: UInt32.self), let code = payload.readInteger(as: UInt32.self) {
                state.goAways.append((last, code))
            }
        case .settings:
            while let key = payload.readInteger(as: UInt16.self), let value = payload.readInteger(as: UInt32.self) {
                state.settings[key] = value
            }
        case .ping: if flags & HTTP2Bytes.acknowledgement != 0 { state.pongs += 1 }
        case .priority, .pushPromise, nil: break
        }
    }
}
