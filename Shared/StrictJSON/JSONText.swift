/// A JSON text while `Encodable` types write it, front to back.
///
/// A container learns nothing of its end; so each knows its level, and whoever writes at a level first closes what is
/// open below it. Containers that write by turns cannot be had so: a write to one that is closed already is noted.
final class JSONText {
    private(set) var bytes: [UInt8] = []
    /// Whether something was written to a container that was closed: then the text is not what was meant.
    private(set) var isMixedUp = false
    /// What closes each open object or array, and whether it holds something.
    private var open: [(closing: UInt8, isEmpty: Bool)] = []

    /// Opens an object or an array in the place of a value at `level`; the one that is open there is used again.
    func begin(_ opening: UInt8, closing: UInt8, atLevel level: Int) {
        if open.count > level {
            close(downTo: level + 1)
        } else {
            bytes.append(opening)
            open.append((closing, true))
        }
    }

    /// Closes what is open below `level`.
    func close(downTo level: Int) {
        while open.count > level, let last = open.popLast() { bytes.append(last.closing) }
    }

    /// Makes ready for an element or a member of the container at `level`.
    func separate(atLevel level: Int) {
        close(downTo: level)
        guard level > 0, open.count == level else {
            isMixedUp = true
            return
        }
        if !open[level - 1].isEmpty { bytes.append(UInt8(ascii: ",")) }
        open[level - 1].isEmpty = false
    }

    func append(name: String) {
        append(name)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Any value, whole, in a place at `level`.
    func append(_ value: some Encodable, atLevel level: Int, path: [any CodingKey]) throws {
        let start = bytes.count
        try value.encode(to: TextEncoder(self, level: level, path: path))
        close(downTo: level)
        if bytes.count == start { bytes.append(contentsOf: "{}".utf8) }
    }

    func appendNull() { bytes.append(contentsOf: "null".utf8) }

    func append(_ value: Bool) { bytes.append(contentsOf: (value ? "true" : "false").utf8) }

    func append(_ value: some FixedWidthInteger) { bytes.append(contentsOf: String(value).utf8) }

    func append(_ value: Double, path: [any CodingKey]) throws {
        guard value.isFinite else {
            throw EncodingError.invalidValue(value, .init(codingPath: path, debugDescription: "not a JSON number"))
        }
        bytes.append(contentsOf: value.description.utf8)
    }

    func append(_ string: String) { bytes.append(quoted: string) }
}

extension [UInt8] {
    /// Appends a string in quotes, escaped as RFC 8259 §7 requires and no further.
    mutating func append(quoted string: String) {
        append(UInt8(ascii: "\""))
        if string.utf8.contains(where: Self.needsEscape) {
            for byte in string.utf8 { append(escaped: byte) }
        } else {
            append(contentsOf: string.utf8)
        }
        append(UInt8(ascii: "\""))
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func append(escaped byte: UInt8) {
        guard Self.needsEscape(byte) else { return append(byte) }
        guard byte < 0x20 else { return append(contentsOf: [UInt8(ascii: "\\"), byte]) }
        let digits = Array("0123456789abcdef".utf8)
        append(contentsOf: "\\u00".utf8)
        append(contentsOf: [digits[Int(byte >> 4)], digits[Int(byte & 15)]])
    }
}
