import NIOCore
import Policies

/// The grammar of `Host`: `uri-host [ ":" port ]` (RFC 9110 section 7.2, RFC 3986 section 3.2.2).
///
/// A host is a name, an IPv4 address, which has the form of a name, or an IPv6 address in brackets. An empty one is refused (RFC
/// 9110 section 4.2.1), and so are zones, which have a meaning only to their sender, and `IPvFuture`, of which no version exists. A
/// port is at most 65535. One without digits, which the grammar allows, is the scheme's own.
enum HostGrammar {
    static let bytesMax = 255
    static let portMax = 65535

    /// Whether the bytes of `value` are a host, with or without a port.
    static func accepts(_ value: Range<Int>, of block: HeaderBlock) -> Bool {
        guard (1...bytesMax).contains(value.count) else { return false }
        let bytes = block.bytes.readableBytesUInt8Span
        let isLiteral = bytes[value.lowerBound] == UInt8(ascii: "[")
        let end = isLiteral ? literalEnd(value, of: block) : nameEnd(bytes, value)
        guard end > value.lowerBound else { return false }
        return end == value.upperBound || isPort(bytes, end..<value.upperBound)
    }

    /// Whether two valid hosts are the same, in any case, and with or without the scheme's port.
    static func areSame(
        _ left: Range<Int>, _ right: Range<Int>, usualPort: StaticString, of block: HeaderBlock
    ) -> Bool {
        let bytes = block.bytes.readableBytesUInt8Span
        let (left, right) = (
            withoutUsualPort(left, usualPort, of: block), withoutUsualPort(right, usualPort, of: block)
        )
        guard left.count == right.count else { return false }
        for offset in 0..<left.count {
            let (first, second) = (bytes[left.lowerBound + offset], bytes[right.lowerBound + offset])
            guard ByteClass.lowercased(first) == ByteClass.lowercased(second) else { return false }
        }
        return true
    }

    private static func withoutUsualPort(
        _ value: Range<Int>, _ usualPort: StaticString, of block: HeaderBlock
    ) -> Range<Int> {
        let bytes = block.bytes.readableBytesUInt8Span
        var digits = value.upperBound
        while digits > value.lowerBound, ByteClass.isDigit(bytes[digits - 1]) { digits -= 1 }
        guard digits > value.lowerBound, bytes[digits - 1] == UInt8(ascii: ":") else { return value }
        let port = digits..<value.upperBound
        return port.isEmpty || block.equals(port, usualPort) ? value.lowerBound..<digits - 1 : value
    }

    /// Returns the end of the name at the start of `value`, or the start if there is none.
    private static func nameEnd(_ bytes: Span<UInt8>, _ value: Range<Int>) -> Int {
        var position = value.lowerBound
        while position < value.upperBound {
            if ASCIISet.registeredName.contains(bytes[position]) {
                position += 1
            } else if isEscape(bytes, position..<value.upperBound) {
                position += 3
            } else {
                break
            }
        }
        return position
    }

    private static func isEscape(_ bytes: Span<UInt8>, _ rest: Range<Int>) -> Bool {
        bytes[rest.lowerBound] == UInt8(ascii: "%") && CanonicalPath.escaped(bytes, rest) != nil
    }

    /// Returns the end of the address in brackets at the start of `value`, or the start if there is none.
    private static func literalEnd(_ value: Range<Int>, of block: HeaderBlock) -> Int {
        guard let bracket = block.view(value).firstIndex(of: UInt8(ascii: "]")) else { return value.lowerBound }
        let text = block.text(value.lowerBound + 1..<bracket)
        let isIPv6 = text.utf8.contains(UInt8(ascii: ":")) && IPAddress(text) != nil
        return isIPv6 ? bracket + 1 : value.lowerBound
    }

    /// Whether `rest` is a colon, followed by digits only.
    private static func isPort(_ bytes: Span<UInt8>, _ rest: Range<Int>) -> Bool {
        guard bytes[rest.lowerBound] == UInt8(ascii: ":") else { return false }
        var port = 0
        for position in rest.dropFirst() {
            guard ByteClass.isDigit(bytes[position]) else { return false }
            port = port * 10 + Int(bytes[position] &- UInt8(ascii: "0"))
            guard port <= portMax else { return false }
        }
        return true
    }
}
