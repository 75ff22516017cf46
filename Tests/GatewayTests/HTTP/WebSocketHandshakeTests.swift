import NIOCore
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// The decision whether a request opens a WebSocket, and whether an upstream has accepted it.
@Suite struct WebSocketHandshakeTests {
    /// The key of RFC 6455 section 1.3, and the value that a server derives from it.
    static let key = "dGhlIHNhbXBsZSBub25jZQ=="
    static let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

    /// A request with all that is needed, some of it replaced, old to new.
    static func request(_ changes: [(String, String)] = [], adding lines: [String] = []) -> String {
        var text =
            "GET /ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: \(key)\r\n"
        for (old, new) in changes { text.replace(old, with: new) }
        return text + lines.map { $0 + "\r\n" }.joined() + "\r\n"
    }

    private func handshake(_ text: String) throws -> WebSocketHandshake {
        try WebSocketHandshake(try HeadParsing.head(text))
    }

    private func written(_ write: (inout ByteBuffer) -> Void) -> String {
        var buffer = ByteBuffer()
        write(&buffer)
        return String(buffer: buffer)
    }

    @Test(
        arguments: [
            ([("Upgrade: websocket\r\n", "")], [], .webSocketRequired),
            ([("Upgrade: websocket", "Upgrade: h2c")], [], .webSocketRequired),
            ([("Upgrade: websocket", "Upgrade: websocket13")], [], .webSocketRequired),
            ([("Upgrade: websocket", "Upgrade_: websocket")], [], .webSocketRequired),
            ([("HTTP/1.1", "HTTP/1.0")], [], .webSocketRequired),
            ([("GET /ws", "HEAD /ws")], [], .webSocketRequired),
            ([("GET /ws", "POST /ws")], ["Content-Length: 0"], .webSocketRequired),
            ([], ["Content-Length: 3"], .unexpectedBody),
            ([], ["Transfer-Encoding: chunked"], .unexpectedBody),
            ([("Connection: Upgrade\r\n", "")], [], .badUpgrade),
            ([("Connection: Upgrade", "Connection: keep-alive")], [], .badUpgrade),
            ([("Connection: Upgrade", "Connection: Upgrade, close")], [], .badUpgrade),
            ([("Sec-WebSocket-Version: 13\r\n", "")], [], .webSocketVersion),
            ([("Version: 13", "Version: 8")], [], .webSocketVersion),
            ([("Version: 13", "Version: 8, 13")], [], .webSocketVersion),
            ([], ["Sec-WebSocket-Version: 13"], .webSocketVersion),
            ([("Sec-WebSocket-Key: \(key)\r\n", "")], [], .badWebSocketKey),
            ([], ["Sec-WebSocket-Key: \(key)"], .badWebSocketKey),
            ([(key, "dGhlIHNhbXBsZSBub25jZQ")], [], .badWebSocketKey),
            ([(key, "dGhlIHNhbXBsZSBub25jZTE=")], [], .badWebSocketKey),
            ([(key, "dGhlIHNhbXBsZSBub25j-Q==")], [], .badWebSocketKey),
            ([(key, "")], [], .badWebSocketKey),
            ([], ["Sec-WebSocket-Protocol: chat, chat"], .badSubprotocol),
            ([], ["Sec-WebSocket-Protocol: chat", "Sec-WebSocket-Protocol: chat"], .badSubprotocol),
            ([], ["Sec-WebSocket-Protocol: a b"], .badSubprotocol),
            ([], ["Sec-WebSocket-Protocol: latchkey.bearer.a, latchkey.bearer.b"], .badSubprotocol),
        ] as [([(String, String)], [String], HTTPViolation)])
    func `a request that breaks a rule opens nothing`(
        changes: [(String, String)], lines: [String], expected: HTTPViolation
    ) throws {
        let head = try HeadParsing.head(Self.request(changes, adding: lines))
        #expect(throws: expected) { try WebSocketHandshake(head) }
        #expect(expected.status == ([.webSocketRequired, .webSocketVersion].contains(expected) ? 426 : 400))
    }

    @Test(
        arguments: [
            [], [("Upgrade: websocket", "Upgrade: WebSocket")], [("Upgrade: websocket", "upgrade: h2c, websocket")],
            [("Connection: Upgrade", "Connection: keep-alive, upgrade")],
        ] as [[(String, String)]])
    func `a request that keeps the rules opens one, however it is spelled`(_ changes: [(String, String)]) throws {
        let handshake = try handshake(Self.request(changes))
        #expect(handshake.accept == Self.accept)
        #expect(handshake.bearer == nil && handshake.protocols.isEmpty)
    }

    @Test(arguments: [
        ["Sec-WebSocket-Protocol: chat, latchkey.bearer.a.b-c_d, v2"],
        ["Sec-WebSocket-Protocol: latchkey.bearer.a.b-c_d", "Sec-WebSocket-Protocol: chat,v2"],
        ["Sec-WebSocket-Protocol: chat, v2", "sec-websocket-protocol: Latchkey.Bearer.a.b-c_d"],
    ])
    func `a token among the subprotocols is taken out, and the upstream gets the others`(_ lines: [String]) throws {
        let text = Self.request(
            adding: lines + ["Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits"])
        let (handshake, head) = (try handshake(text), try HeadParsing.head(text))
        #expect(handshake.bearer == Array("a.b-c_d".utf8))
        let fields = written { handshake.writeRequest(head.block, into: &$0) }
        #expect(
            fields == "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: \(Self.key)\r\nSec-WebSocket-Protocol: chat, v2\r\n"
                + "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n")
        // None of the fields is passed on besides these.
        let others = written {
            ForwardedFields.writeRequest(
                head, keepsAuthorization: true, keepsTraceState: false, except: .none, into: &$0)
        }
        #expect(!others.lowercased().contains("websocket") && !others.contains("bearer"))
    }

    @Test func `a token alone leaves no subprotocol`() throws {
        let text = Self.request(adding: ["Sec-WebSocket-Protocol: latchkey.bearer.x"])
        let (handshake, head) = (try handshake(text), try HeadParsing.head(text))
        #expect(!written { handshake.writeRequest(head.block, into: &$0) }.contains("Protocol"))
    }

    // MARK: - The upstream's 101

    private func head(_ fields: [String]) throws -> ResponseHead {
        var parser = ResponseHeadParser(limits: .init())
        var buffer = ByteBuffer(string: "HTTP/1.1 101 X\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n")
        return try #require(try parser.next(from: &buffer, isHEAD: false, maySwitch: true))
    }

    private static let accepting = ["Upgrade: WebSocket", "Connection: upgrade", "Sec-WebSocket-Accept: \(accept)"]

    @Test(
        arguments: [
            (accepting, true), (accepting + ["Sec-WebSocket-Protocol: chat"], true),
            (accepting + ["Sec-WebSocket-Protocol: other"], false),
            (accepting + ["Sec-WebSocket-Protocol: chat, v2"], false),
            (accepting + ["Sec-WebSocket-Protocol: chat", "Sec-WebSocket-Protocol: chat"], false),
            (accepting + ["Sec-WebSocket-Protocol: latchkey.bearer.x"], false),
            (Array(accepting.dropFirst()), false), (Array(accepting.dropLast()), false),
            ([accepting[0], accepting[2]], false), (accepting + ["Upgrade: h2c"], false),
            ([accepting[0], accepting[1], "Sec-WebSocket-Accept: \(key)"], false),
            (accepting + ["Sec-WebSocket-Accept: \(accept)"], false),
        ] as [([String], Bool)])
    func `an upstream accepts with the right value, and with a subprotocol that was offered`(
        fields: [String], isAccepted: Bool
    ) throws {
        let handshake = try handshake(
            Self.request(adding: ["Sec-WebSocket-Protocol: chat, latchkey.bearer.x, v2"]))
        #expect(handshake.isAccepted(by: try head(fields).block) == isAccepted)
    }

    @Test func `a 101 has no body of its own, and only who asked gets one`() throws {
        let answer = try head(Self.accepting)
        #expect(answer.switches && !answer.isInterim && !answer.keepsAlive && answer.framing == .untilClose)
        #expect(throws: HTTPViolation.self) { try head(Self.accepting + ["Content-Length: 0"]) }
        #expect(throws: HTTPViolation.self) { try head(Self.accepting + ["Transfer-Encoding: chunked"]) }
    }

    @Test func `the client gets the fields of the handshake and no other of its kind`() throws {
        let handshake = try handshake(Self.request(adding: ["Sec-WebSocket-Protocol: chat"]))
        let block = try head(
            Self.accepting + [
                "Sec-WebSocket-Protocol: chat", "Sec-WebSocket-Extensions: permessage-deflate", "Server: s",
                "Keep-Alive: 5",
            ]
        ).block
        #expect(
            written { handshake.writeAnswer(block, into: &$0) }
                == "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: \(Self.accept)\r\n"
                + "Sec-WebSocket-Protocol: chat\r\nSec-WebSocket-Extensions: permessage-deflate\r\n")
    }
}
