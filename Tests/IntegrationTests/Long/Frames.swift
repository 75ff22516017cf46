import CryptoPrimitives
import Foundation
import NIOCore
import NIOPosix
import Synchronization
import TestSupport

/// Text frames of RFC 6455 with less than 126 bytes.
enum Frames {
    private static let final: UInt8 = 0x81
    private static let maskBit: UInt8 = 0x80
    private static let mask: [UInt8] = [1, 2, 3, 4]

    /// A frame as clients send it.
    static func masked(_ text: String) -> ByteBuffer {
        let payload = text.utf8.enumerated().map { $1 ^ mask[$0 % 4] }
        return ByteBuffer(bytes: [final, maskBit | UInt8(clamping: payload.count)] + mask + payload)
    }

    /// A frame as servers send it.
    static func plain(_ text: String) -> ByteBuffer {
        ByteBuffer(bytes: [final, UInt8(clamping: text.utf8.count)] + Array(text.utf8))
    }

    /// Takes the text of the next frame, once it is complete.
    static func next(from buffer: inout ByteBuffer) -> String? {
        let bytes = Array(buffer.readableBytesView)
        guard bytes.count >= 2 else { return nil }
        let isMasked = bytes[1] & maskBit != 0
        let (start, count) = (isMasked ? 6 : 2, Int(bytes[1] & ~maskBit))
        guard bytes.count >= start + count else { return nil }
        buffer.moveReaderIndex(forwardBy: start + count)
        let payload = bytes[start..<start + count].enumerated().map { isMasked ? $1 ^ mask[$0 % 4] : $1 }
        return String(decoding: payload, as: UTF8.self)
    }
}

/// An app's API with WebSockets and server-sent events. It sends each text back after the id of the user, and remembers the heads of
/// requests.
///
/// It switches protocols on all paths but those with `/events`, asked or not; with `/wrong` in the path by a wrong value.
final class FrameUpstream: Sendable {
    @TaskLocal static var current: FrameUpstream?

    private struct State: Sendable {
        var heads: [String] = []
        var endedCount = 0
        var channels: [any Channel] = []
    }

    private final class Box: Sendable { let value = Mutex(State()) }

    private let listener: any Channel
    private let box: Box

    private init(_ listener: any Channel, _ box: Box) { (self.listener, self.box) = (listener, box) }

    static func run(_ body: (FrameUpstream) async throws -> Void) async throws {
        let box = Box()
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Echo(box)) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        do {
            try await body(FrameUpstream(listener, box))
        } catch {
            try await listener.close()
            throw error
        }
        try await listener.close()
    }

    var url: String { "http://127.0.0.1:\(listener.localAddress?.port ?? 0)" }
    var heads: [String] { box.value.withLock(\.heads) }
    var endedCount: Int { box.value.withLock(\.endedCount) }

    private final class Echo: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let box: Box
        private var inbound = ByteBuffer()
        private var user: String?

        init(_ box: Box) { self.box = box }

        func channelInactive(context: ChannelHandlerContext) { box.value.withLock { $0.endedCount += 1 } }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var bytes = unwrapInboundIn(data)
            inbound.writeBuffer(&bytes)
            if user == nil { readHead(context) }
            while let user, let text = Frames.next(from: &inbound) {
                context.writeAndFlush(wrapOutboundOut(Frames.plain("\(user) \(text)")), promise: nil)
            }
        }

        private func readHead(_ context: ChannelHandlerContext) {
            let text = String(buffer: inbound)
            guard let end = text.firstRange(of: "\r\n\r\n") else { return }
            let head = String(text[..<end.lowerBound])
            inbound.moveReaderIndex(forwardBy: text[..<end.upperBound].utf8.count)
            box.value.withLock { $0.heads.append(head) }
            user = Self.field("X-User-Id", of: head) ?? "nobody"
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: Self.answer(to: head))), promise: nil)
        }

        private static func field(_ name: String, of head: String) -> String? {
            head.split(separator: "\r\n").first { $0.hasPrefix(name + ": ") }
                .map { String($0.dropFirst(name.count + 2)) }
        }

        private static func answer(to head: String) -> String {
            let path = head.split(separator: " ").dropFirst().first ?? ""
            if path.contains("/events") {
                return "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: hello\n\n"
            }
            let key = path.contains("/wrong") ? "" : field("Sec-WebSocket-Key", of: head) ?? ""
            let hash = SHA1.hash(Array("\(key)258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8))
            let offered = field("Sec-WebSocket-Protocol", of: head)?.split(separator: ", ").first
            return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: \(Data(hash).base64EncodedString())\r\n"
                + (offered.map { "Sec-WebSocket-Protocol: \($0)\r\n" } ?? "") + "\r\n"
        }
    }
}

/// A client that opens a WebSocket or a stream of events through the gateway, and shows what came.
final class FrameClient: Sendable {
    private struct State: Sendable {
        var head: String?
        var inbound = ByteBuffer()
        var texts: [String] = []
        var hasEnded = false
    }

    private final class Box: Sendable { let value = Mutex(State()) }

    private let channel: any Channel
    private let box: Box

    private init(_ channel: any Channel, _ box: Box) { (self.channel, self.box) = (channel, box) }

    /// Sends a request that opens a WebSocket, and waits for the head of the response.
    ///
    /// - Parameter without: a field of the handshake that is left out.
    static func open(
        _ path: String, on stack: LatchkeyStack, _ fields: [(String, String)] = [], without: String = ""
    ) async throws -> FrameClient {
        let handshake = [
            ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Version", "13"),
            ("Sec-WebSocket-Key", Data(SecureRandom.bytes(16)).base64EncodedString()),
        ].filter { $0.0 != without }
        return try await send(path, on: stack, handshake + fields)
    }

    /// Sends a GET, and waits for the head of the response.
    static func send(
        _ path: String, on stack: LatchkeyStack, _ fields: [(String, String)]
    ) async throws -> FrameClient {
        let place = stack.gateway.base.replacing("http://", with: "")
        let parts = place.split(separator: ":")
        let box = Box()
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Reader(box)) }
            }
            .connect(host: String(parts[0]), port: Int(parts[1]) ?? 0).get()
        let lines = ([("Host", place)] + fields).map { "\($0.0): \($0.1)\r\n" }.joined()
        try await channel.writeAndFlush(ByteBuffer(string: "GET \(path) HTTP/1.1\r\n\(lines)\r\n")).get()
        let client = FrameClient(channel, box)
        try await eventually("a response at \(path)") { !client.head.isEmpty }
        return client
    }

    /// The head of the response; empty until it has come.
    var head: String { box.value.withLock { $0.head ?? "" } }
    var status: Int { head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0 }
    var texts: [String] { box.value.withLock(\.texts) }
    /// The bytes after the head that are no frame.
    var rest: String { box.value.withLock { String(buffer: $0.inbound) } }
    var hasEnded: Bool { box.value.withLock(\.hasEnded) }

    /// Sends a text and waits until the upstream has sent it back.
    ///
    /// - Parameter user: the user whose id the upstream has put before it.
    func expectEcho(_ text: String, as user: String) async throws {
        try await channel.writeAndFlush(Frames.masked(text)).get()
        try await eventually("\(text) comes back, among \(texts)") { texts.contains("\(user) \(text)") }
    }

    func waitForEnd(_ what: String) async throws { try await eventually(what) { hasEnded } }

    func close() async { do { try await channel.close().get() } catch { return } }

    private final class Reader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let box: Box

        init(_ box: Box) { self.box = box }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var bytes = unwrapInboundIn(data)
            box.value.withLock { state in
                state.inbound.writeBuffer(&bytes)
                let text = String(buffer: state.inbound)
                if state.head == nil, let end = text.firstRange(of: "\r\n\r\n") {
                    state.head = String(text[..<end.lowerBound])
                    state.inbound.moveReaderIndex(forwardBy: text[..<end.upperBound].utf8.count)
                }
                guard state.head?.contains(" 101 ") == true else { return }
                while let text = Frames.next(from: &state.inbound) { state.texts.append(text) }
            }
        }

        func channelInactive(context: ChannelHandlerContext) { box.value.withLock { $0.hasEnded = true } }
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
