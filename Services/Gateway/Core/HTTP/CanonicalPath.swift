/// Accepts only paths of which there is one spelling, so that the path that is authorised is the path that is served.
///
/// Refused (security guide R-88): other forms than `/…`, empty and dot segments, `;`, backslash, raw non-ASCII, and escapes
/// that a server behind us could read as a separator, a dot, a control, a percent sign or a plain character.
enum CanonicalPath {
    static func judge(_ path: ArraySlice<UInt8>) throws(HTTPViolation) {
        guard path.first == UInt8(ascii: "/") else { throw .badTarget }
        var segmentStart = path.startIndex + 1
        var position = segmentStart
        while position < path.endIndex {
            let byte = path[position]
            guard ByteClass.isPath(byte) else { throw .ambiguousPath }
            if byte == UInt8(ascii: "%") {
                try judgeEscape(path, at: position)
                position += 3
                continue
            }
            if byte == UInt8(ascii: "/") {
                try judgeSegment(path[segmentStart..<position], isLast: false)
                segmentStart = position + 1
            }
            position += 1
        }
        try judgeSegment(path[segmentStart..<path.endIndex], isLast: true)
    }

    private static func judgeSegment(_ segment: ArraySlice<UInt8>, isLast: Bool) throws(HTTPViolation) {
        guard isLast || !segment.isEmpty else { throw .ambiguousPath }
        guard !segment.elementsEqual(".".utf8), !segment.elementsEqual("..".utf8) else { throw .ambiguousPath }
    }

    private static func judgeEscape(_ path: ArraySlice<UInt8>, at position: Int) throws(HTTPViolation) {
        guard position + 2 < path.endIndex, let high = ByteClass.hexValue(path[position + 1]),
            let low = ByteClass.hexValue(path[position + 2])
        else { throw .ambiguousPath }
        let decoded = high << 4 | low
        let isControl = decoded < 0x20 || decoded == 0x7F
        let isPlain = ByteClass.isPath(decoded) || decoded == UInt8(ascii: ";") || decoded == UInt8(ascii: "\\")
        guard !isControl, !isPlain else { throw .ambiguousPath }
    }
}
