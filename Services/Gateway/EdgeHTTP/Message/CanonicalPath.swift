/// Refuses paths in which an upstream could read other segments than the edge does.
///
/// These are refused (security guide R-88): empty segments and dot segments, escaped or not; `;`, backslash, `#` and raw non-ASCII;
/// escapes of `/ \ % ;` and of controls; and escapes that are not UTF-8, since servers read `%c0%ae` as a dot or replace bytes that
/// they cannot read. Every other escape passes as it is. Stricter routes are compared with the decoded path.
package enum CanonicalPath {
    /// The length of the longest target; longer ones are refused with 414.
    static let targetBytesMax = 8 * 1024

    /// Checks a target that begins with `/`, and returns the range of its path.
    static func judge(_ bytes: Span<UInt8>, _ target: Range<Int>) throws(HTTPViolation) -> Range<Int> {
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
                guard position > segmentStart, !isDotSegment(bytes, segmentStart..<position) else {
                    throw .ambiguousPath
                }
                segmentStart = position + 1
            }
            position += 1
        }
        guard !isDotSegment(bytes, segmentStart..<position) else { throw .ambiguousPath }
        guard isASCII || isUTF8(decoded(bytes.extracting(target.lowerBound..<position))) else { throw .ambiguousPath }
        try judgeQuery(bytes, position..<target.upperBound)
        return target.lowerBound..<position
    }

    /// Whether a segment is `.` or `..`, each dot plain or escaped.
    private static func isDotSegment(_ bytes: Span<UInt8>, _ segment: Range<Int>) -> Bool {
        var position = segment.lowerBound
        var dotCount = 0
        while position < segment.upperBound, dotCount <= 2 {
            if bytes[position] == UInt8(ascii: ".") {
                position += 1
            } else if bytes[position] == UInt8(ascii: "%"),
                escaped(bytes, position..<segment.upperBound) == UInt8(ascii: ".")
            {
                position += 3
            } else {
                return false
            }
            dotCount += 1
        }
        return (1...2).contains(dotCount) && position == segment.upperBound
    }

    /// Returns the bytes that a path represents; its escapes are complete.
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

    /// Refuses escapes of separators, which servers decode differently, of `%`, which would be decoded twice, and of controls.
    private static func judgePathEscape(_ bytes: Span<UInt8>, _ rest: Range<Int>) throws(HTTPViolation) -> UInt8 {
        guard let decoded = escaped(bytes, rest) else { throw .ambiguousPath }
        let isControl = decoded < 0x20 || decoded == 0x7F
        guard !isControl else { throw .ambiguousPath }
        switch decoded {
        case UInt8(ascii: "/"), UInt8(ascii: "\\"), UInt8(ascii: "%"), UInt8(ascii: ";"): throw .ambiguousPath
        default: return decoded
        }
    }

    /// Refuses characters that no client leaves unescaped, and escaped NUL. A `%` without a valid escape passes.
    static func judgeQuery(_ bytes: Span<UInt8>, _ query: Range<Int>) throws(HTTPViolation) {
        var position = query.lowerBound
        while position < query.upperBound {
            guard ASCIISet.query.contains(bytes[position]) else { throw .badTarget }
            if bytes[position] == UInt8(ascii: "%") {
                guard escaped(bytes, position..<query.upperBound) != 0 else { throw .badTarget }
            }
            position += 1
        }
    }

    /// Returns the byte that the escape at the start of `rest` represents, or `nil` if the escape is incomplete.
    static func escaped(_ bytes: Span<UInt8>, _ rest: Range<Int>) -> UInt8? {
        guard rest.count >= 3, let high = ByteClass.hexValue(bytes[rest.lowerBound + 1]),
            let low = ByteClass.hexValue(bytes[rest.lowerBound + 2])
        else { return nil }
        return high << 4 | low
    }
}
