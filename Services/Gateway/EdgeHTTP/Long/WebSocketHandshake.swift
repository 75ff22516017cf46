import CryptoPrimitives
import NIOCore

/// A client's request to open a WebSocket, which obeys the rules of RFC 6455 section 4.2.1.
package final class WebSocketHandshake: Sendable {
    /// The start of the subprotocol by which a page presents its access token, since pages cannot set `Authorization` here. It is
    /// never passed on.
    package static let bearerPrefix = "latchkey.bearer."
    /// The greatest number of subprotocols.
    private static let protocolsMax = 32
    /// The lengths of 16 bytes in base64, without and with padding.
    private static let (keyDigits, keyLength) = (22, 24)
    private static let acceptSuffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

    /// The access token that the client presents as a subprotocol; `nil` if there is none.
    package let bearer: [UInt8]?
    /// The client's subprotocols without the token.
    let protocols: [[UInt8]]
    private let key: [UInt8]

    /// Checks a request.
    ///
    /// - Throws: `.webSocketRequired` and `.webSocketVersion`, which are answered with 426, or the rule that is broken (400).
    package init(_ head: RequestHead) throws(HTTPViolation) {
        let block = head.block
        guard head.method == .get, head.isHTTP11, Self.states("websocket", in: "upgrade", of: block) else {
            throw .webSocketRequired
        }
        guard head.framing.isEmpty else { throw .unexpectedBody }
        guard head.keepsAlive, Self.states("upgrade", in: "connection", of: block) else { throw .badUpgrade }
        let versions = block.values("sec-websocket-version")
        guard versions.count == 1, block.equals(versions[0], "13") else { throw .webSocketVersion }
        key = try Self.key(in: block)
        let names = try Self.protocols(in: block)
        let tokens = names.filter(Self.isBearer)
        guard tokens.count <= 1 else { throw .badSubprotocol }
        bearer = tokens.first.map { Array($0.dropFirst(Self.bearerPrefix.utf8.count)) }
        protocols = names.filter { !Self.isBearer($0) }
    }

    private static func key(in block: HeaderBlock) throws(HTTPViolation) -> [UInt8] {
        let values = block.values("sec-websocket-key")
        guard values.count == 1 else { throw .badWebSocketKey }
        let key = Array(block.view(values[0]))
        guard key.count == keyLength, key.prefix(keyDigits).allSatisfy(isBase64),
            key.suffix(keyLength - keyDigits).allSatisfy({ $0 == UInt8(ascii: "=") })
        else { throw .badWebSocketKey }
        return key
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        ByteClass.isDigit(byte) || ByteClass.lowercased(byte) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "+")
            || byte == UInt8(ascii: "/")
    }

    private static func protocols(in block: HeaderBlock) throws(HTTPViolation) -> [[UInt8]] {
        var names: [[UInt8]] = []
        for list in block.values("sec-websocket-protocol") {
            block.forEachMember(of: list) { names.append(Array(block.view($0))) }
        }
        guard names.count <= protocolsMax, Set(names).count == names.count,
            names.allSatisfy({ $0.allSatisfy(ByteClass.isToken) })
        else { throw .badSubprotocol }
        return names
    }

    private static func isBearer(_ name: [UInt8]) -> Bool {
        name.prefix(bearerPrefix.utf8.count).map(ByteClass.lowercased).elementsEqual(bearerPrefix.utf8)
    }

    /// Whether the fields called `name` contain `member`, whatever its case.
    private static func states(_ member: StaticString, in name: StaticString, of block: HeaderBlock) -> Bool {
        var isStated = false
        for list in block.values(name) {
            block.forEachMember(of: list) { if block.equals($0, member) { isStated = true } }
        }
        return isStated
    }

    // MARK: - The upstream's side

    /// The value that only a server which has read the key responds with.
    var accept: String {
        let hash = SHA1.hash(key + Array(Self.acceptSuffix.utf8))
        return Base64URL.encode(hash).replacing("-", with: "+").replacing("_", with: "/") + "="
    }

    /// Appends the fields that request the same of the upstream.
    ///
    /// - Parameter block: the client's head, whose extensions are passed on as they are.
    func writeRequest(_ block: HeaderBlock, into buffer: inout ByteBuffer) {
        buffer.writeStaticString(
            "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ")
        buffer.writeBytes(key)
        buffer.writeStaticString("\r\n")
        if !protocols.isEmpty {
            buffer.writeStaticString("Sec-WebSocket-Protocol: ")
            buffer.writeBytes(protocols.joined(separator: Array(", ".utf8)))
            buffer.writeStaticString("\r\n")
        }
        Self.writeExtensions(of: block, into: &buffer)
    }

    /// Whether a 101 accepts this handshake: with the value for its key, and at most one of its subprotocols.
    func isAccepted(by block: HeaderBlock) -> Bool {
        let (upgrades, accepts) = (block.values("upgrade"), block.values("sec-websocket-accept"))
        guard upgrades.count == 1, block.equals(upgrades[0], "websocket"),
            Self.states("upgrade", in: "connection", of: block), accepts.count == 1,
            block.view(accepts[0]).elementsEqual(accept.utf8)
        else { return false }
        let chosen = block.values("sec-websocket-protocol")
        return chosen.isEmpty || chosen.count == 1 && protocols.contains(Array(block.view(chosen[0])))
    }

    /// Appends the fields of the 101 to the client.
    ///
    /// - Parameter block: the head of the upstream's 101, which was accepted.
    func writeAnswer(_ block: HeaderBlock, into buffer: inout ByteBuffer) {
        buffer.writeStaticString("Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ")
        buffer.writeString(accept)
        buffer.writeStaticString("\r\n")
        for chosen in block.values("sec-websocket-protocol") {
            buffer.writeStaticString("Sec-WebSocket-Protocol: ")
            buffer.writeBytes(block.view(chosen))
            buffer.writeStaticString("\r\n")
        }
        Self.writeExtensions(of: block, into: &buffer)
    }

    private static func writeExtensions(of block: HeaderBlock, into buffer: inout ByteBuffer) {
        for list in block.values("sec-websocket-extensions") {
            buffer.writeStaticString("Sec-WebSocket-Extensions: ")
            buffer.writeBytes(block.view(list))
            buffer.writeStaticString("\r\n")
        }
    }
}
