import NIOCore
import NIOPosix
import TestSupport

/// Frames that break a rule of HTTP/2.
struct FrameViolation: Sendable, CustomStringConvertible {
    let description: String
    let bytes: [UInt8]

    private init(_ description: String, _ bytes: [UInt8]...) {
        self.description = description
        self.bytes = bytes.flatMap { $0 }
    }

    private static let post = HTTP2Bytes.usual("/a", "POST")
    private static let open = HTTP2Bytes.request(1, post, endsStream: false)
    private static let five = post + [("content-length", "5")]

    private static func trailers(_ fields: [(String, String)], ends: Bool = true) -> [UInt8] {
        let flags = HTTP2Bytes.endHeaders | (ends ? HTTP2Bytes.endStream : 0)
        return HTTP2Bytes.frame(.headers, flags: flags, stream: 1, HTTP2Bytes.block(fields))
    }

    static let all: [FrameViolation] = [
        .init("less data than the length", HTTP2Bytes.request(1, five, body: Array("abc".utf8))),
        .init("more data than the length", HTTP2Bytes.request(1, five, body: Array("abcdefg".utf8))),
        .init("pseudo-headers in trailers", open, trailers([(":path", "/b")])),
        .init("trailers for one connection", open, trailers([("transfer-encoding", "chunked")])),
        .init("trailers without an end", open, trailers([("x-sum", "1")], ends: false)),
        .init("data for no stream", HTTP2Bytes.data(1, [97], endsStream: true)),
        .init("data for the connection", HTTP2Bytes.data(0, [97], endsStream: true)),
        .init("a stream of the server's", HTTP2Bytes.request(2, HTTP2Bytes.usual("/a"))),
        .init("a request for the connection", HTTP2Bytes.request(0, HTTP2Bytes.usual("/a"))),
        .init("CONTINUATION without HEADERS", HTTP2Bytes.frame(.continuation, flags: 4, stream: 1, [])),
        .init(
            "another frame within a head", HTTP2Bytes.frame(.headers, flags: 1, stream: 1, [0x82]),
            HTTP2Bytes.frame(.ping, Array(repeating: 0, count: 8))),
        .init(
            "CONTINUATION of another stream", HTTP2Bytes.frame(.headers, flags: 1, stream: 1, [0x82]),
            HTTP2Bytes.frame(.continuation, flags: 4, stream: 3, [0x84, 0x87])),
        .init("broken field block", HTTP2Bytes.frame(.headers, flags: 5, stream: 1, [0xFF, 0xFF, 0xFF, 0xFF])),
        .init("a table larger than stated", HTTP2Bytes.frame(.headers, flags: 5, stream: 1, [0x3F, 0xE1, 0xFF, 0x7F])),
        .init("PING of 7 bytes", HTTP2Bytes.frame(.ping, Array(repeating: 0, count: 7))),
        .init("SETTINGS on a stream", HTTP2Bytes.frame(.settings, stream: 1, [])),
        .init("SETTINGS of 5 bytes", HTTP2Bytes.frame(.settings, Array(repeating: 0, count: 5))),
        .init("a window above 2^31 in SETTINGS", HTTP2Bytes.frame(.settings, [0, 4, 0xFF, 0xFF, 0xFF, 0xFF])),
        .init(
            "a frame that is too large",
            HTTP2Bytes.frame(.headers, flags: 5, stream: 1, Array(repeating: 0, count: 17_000))),
        .init("an increment of 0", open, HTTP2Bytes.windowUpdate(1, by: 0)),
        .init("a window that overflows", open, HTTP2Bytes.windowUpdate(1, by: 0x7FFF_FFFF)),
        .init("a connection's window that overflows", HTTP2Bytes.windowUpdate(0, by: 0x7FFF_FFFF)),
        .init("a reset of no stream", HTTP2Bytes.reset(5)),
        .init("a push by the client", HTTP2Bytes.frame(.pushPromise, flags: 4, stream: 1, HTTP2Bytes.number(2))),
        .init("a stream that depends on itself", HTTP2Bytes.frame(.priority, stream: 1, HTTP2Bytes.number(1) + [0])),
        .init("padding longer than its frame", open, HTTP2Bytes.frame(.data, flags: 9, stream: 1, [200, 97])),
        .init("a second request on one stream", open, HTTP2Bytes.request(1, post)),
        .init(
            "more streams than allowed", (0..<102).flatMap { HTTP2Bytes.request(2 * $0 + 1, post, endsStream: false) }),
        .init("HTTP/1.1 after the preface", Array("GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)),
    ]
}

/// Ways to make a server work for nothing.
enum Flood: String, CaseIterable, Sendable {
    case resets, continuations, pings, settings, emptyData, provokedResets, brokenRequests

    /// The error of the GOAWAY that ends it: ENHANCE_YOUR_CALM.
    var code: UInt32 { 11 }

    var pieces: [[UInt8]] {
        switch self {
        case .resets:
            return batches(10_000) { HTTP2Bytes.request($0, HTTP2Bytes.usual("/a")) + HTTP2Bytes.reset($0) }
        case .continuations:
            let piece = HTTP2Bytes.frame(.continuation, stream: 1, HTTP2Bytes.block([("x-a", "b")]))
            return [HTTP2Bytes.frame(.headers, flags: 1, stream: 1, HTTP2Bytes.block(HTTP2Bytes.usual("/a")))]
                + Array(repeating: piece, count: 1_000)
        case .pings: return batches(10_000) { _ in HTTP2Bytes.frame(.ping, Array(repeating: 0, count: 8)) }
        case .settings: return batches(10_000) { _ in HTTP2Bytes.frame(.settings) }
        case .emptyData:
            return [HTTP2Bytes.request(1, HTTP2Bytes.usual("/a", "POST"), endsStream: false)]
                + batches(1_000) { _ in HTTP2Bytes.data(1, []) }
        case .provokedResets:
            return batches(1_000) {
                HTTP2Bytes.request($0, HTTP2Bytes.usual("/a", "POST"), endsStream: false)
                    + HTTP2Bytes.windowUpdate($0, by: 0)
            }
        case .brokenRequests: return batches(1_000) { HTTP2Bytes.request($0, [(":method", "GET")]) }
        }
    }

    private func batches(_ count: Int, _ make: (UInt32) -> [UInt8]) -> [[UInt8]] {
        stride(from: 0, to: count, by: 20).map { start in
            (start..<start + 20).flatMap { make(UInt32(2 * $0 + 1)) }
        }
    }
}

/// A server that accepts connections and reads nothing.
struct SilentListener: Sendable {
    private let channel: any Channel
    let endpoint: String

    static func start() async throws -> SilentListener {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.autoRead, value: false)
            .bind(host: "127.0.0.1", port: 0).get()
        return SilentListener(channel: channel, endpoint: "http://127.0.0.1:\(channel.localAddress?.port ?? 0)")
    }

    func stop() async throws { try await channel.close().get() }
}
