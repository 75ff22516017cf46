/// Frames of HTTP/2 as bytes, right or wrong (RFC 9113 section 4.1).
package enum HTTP2Bytes {
    package static let preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

    package enum Kind: UInt8, Sendable {
        case data, headers, priority, reset, settings, pushPromise, ping, goAway, windowUpdate, continuation
    }

    package static let endStream: UInt8 = 1
    package static let acknowledgement: UInt8 = 1
    package static let endHeaders: UInt8 = 4

    /// Returns one frame.
    package static func frame(_ kind: Kind, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) -> [UInt8] {
        number(UInt32(payload.count)).dropFirst() + [kind.rawValue, flags] + number(stream) + payload
    }

    /// Returns HEADERS with all fields, and DATA if there is a body.
    package static func request(
        _ stream: UInt32, _ fields: [(String, String)], body: [UInt8]? = nil, endsStream: Bool = true
    ) -> [UInt8] {
        let flags = endHeaders | (body == nil && endsStream ? endStream : 0)
        let head = frame(.headers, flags: flags, stream: stream, block(fields))
        return head + (body.map { data(stream, $0, endsStream: endsStream) } ?? [])
    }

    /// Returns one DATA frame.
    package static func data(_ stream: UInt32, _ bytes: [UInt8], endsStream: Bool = false) -> [UInt8] {
        frame(.data, flags: endsStream ? endStream : 0, stream: stream, bytes)
    }

    package static func reset(_ stream: UInt32, code: UInt32 = 8) -> [UInt8] {
        frame(.reset, stream: stream, number(code))
    }

    package static func windowUpdate(_ stream: UInt32, by count: UInt32) -> [UInt8] {
        frame(.windowUpdate, stream: stream, number(count))
    }

    /// The fields of a usual request.
    package static func usual(
        _ path: String, _ method: String = "GET", authority: String = "localhost"
    ) -> [(String, String)] {
        [(":method", method), (":scheme", "https"), (":authority", authority), (":path", path)]
    }

    /// Returns a field block of literals that are not indexed, byte by byte (RFC 7541 section 6.2.2).
    package static func block(_ fields: [(String, String)]) -> [UInt8] {
        fields.flatMap { [0] + text(Array($0.0.utf8)) + text(Array($0.1.utf8)) }
    }

    /// Returns a literal's text without Huffman's code.
    package static func text(_ bytes: [UInt8]) -> [UInt8] {
        var (length, rest) = ([UInt8](), bytes.count - 127)
        guard rest >= 0 else { return [UInt8(bytes.count)] + bytes }
        while rest >= 128 {
            length.append(UInt8(rest % 128 + 128))
            rest /= 128
        }
        return [127] + length + [UInt8(rest)] + bytes
    }

    package static func number(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 0xFF) } }
}
