/// Accepts only targets of which there is one spelling, so that the path that is authorised is the path that is served.
///
/// Refused (security guide R-88): other forms than `/…`, empty and dot segments, `;`, backslash, `#`, raw non-ASCII, and
/// escapes that a server behind us could read as a separator, a dot, a control, a percent sign or a plain character, or
/// that are not UTF-8: servers read `%c0%ae` as a dot, or replace what they cannot read.
package enum CanonicalPath {
    /// Longest target; longer ones are refused with 414.
    static let targetBytesMax = 8 * 1024

    /// Judges path and query and returns where the path lies.
    static func judge(_ bytes: Span<UInt8>, _ target: Range<Int>) throws(HTTPViolation) -> Range<Int> {
        guard bytes[target.lowerBound] == UInt8(ascii: "/") else { throw .badTarget }
        guard target.count <= targetBytesMax else { throw .targetTooLong }
        var segmentStart = target.lowerBound + 1
        var position = segmentStart
        var isASCII = true
        while position < target.upperBound, bytes[position] != UInt8(ascii: "?") {
            let byte = bytes[position]
            guard ASCIISet.path.contains(byte) else { throw .ambiguousPath }
            if byte == UInt8(ascii: "%") {
                if try judgePathEscape(bytes, position..<target.upperBound) >= 0x80 { isASCII = false }
                position += 2
            } else if byte == UInt8(ascii: "/") {
                guard position > segmentStart, !isDots(bytes, segmentStart..<position) else { throw .ambiguousPath }
                segmentStart = position + 1
            }
            position += 1
        }
        guard !isDots(bytes, segmentStart..<position) else { throw .ambiguousPath }
        guard isASCII || isUTF8(decoded(bytes.extracting(target.lowerBound..<position))) else { throw .ambiguousPath }
        try judgeQuery(bytes, position..<target.upperBound)
        return target.lowerBound..<position
    }

    private static func isDots(_ bytes: Span<UInt8>, _ segment: Range<Int>) -> Bool {
        guard (1...2).contains(segment.count) else { return false }
        return bytes[segment.lowerBound] == UInt8(ascii: ".") && bytes[segment.upperBound - 1] == UInt8(ascii: ".")
    }

    /// The bytes that a path stands for, its escapes being whole.
    package static func decoded(_ path: Span<UInt8>) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(path.count)
        var position = 0
        while position < path.count {
            if path[position] == UInt8(ascii: "%"), let byte = escaped(path, position..<path.count) {
                decoded.append(byte)
                position += 3
            } else {
                decoded.append(path[position])
                position += 1
            }
        }
        return decoded
    }

    private static func isUTF8(_ bytes: [UInt8]) -> Bool { String(validating: bytes, as: UTF8.self) != nil }

    /// Refuses escapes of characters that need none (two spellings of one path), and escaped separators, which servers
    /// decode differently.
    private static func judgePathEscape(_ bytes: Span<UInt8>, _ rest: Range<Int>) throws(HTTPViolation) -> UInt8 {
        guard let decoded = escaped(bytes, rest) else { throw .ambiguousPath }
        let isControl = decoded < 0x20 || decoded == 0x7F
        let isPlain = ASCIISet.path.contains(decoded) || decoded == UInt8(ascii: ";") || decoded == UInt8(ascii: "\\")
        guard !isControl, !isPlain else { throw .ambiguousPath }
        return decoded
    }

    private static func judgeQuery(_ bytes: Span<UInt8>, _ query: Range<Int>) throws(HTTPViolation) {
        var position = query.lowerBound
        while position < query.upperBound {
            guard ASCIISet.query.contains(bytes[position]) else { throw .badTarget }
            if bytes[position] == UInt8(ascii: "%") {
                guard let decoded = escaped(bytes, position..<query.upperBound), decoded != 0 else { throw .badTarget }
            }
            position += 1
        }
    }

    /// The byte that the escape at the beginning of `rest` stands for; nil unless it is whole.
    static func escaped(_ bytes: Span<UInt8>, _ rest: Range<Int>) -> UInt8? {
        guard rest.count >= 3, let high = ByteClass.hexValue(bytes[rest.lowerBound + 1]),
            let low = ByteClass.hexValue(bytes[rest.lowerBound + 2])
        else { return nil }
        return high << 4 | low
    }
}
