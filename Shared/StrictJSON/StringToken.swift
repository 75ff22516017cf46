/// Where a string's content lies in the text, without its quotes; checked.
struct StringToken {
    let range: Range<Int>
    let hasEscapes: Bool

    /// The string that it writes in `text`.
    func content(in text: [UInt8]) -> String {
        hasEscapes
            ? String(decoding: bytes(in: text), as: UTF8.self) : String(decoding: text[range], as: UTF8.self)
    }

    /// The bytes that it writes in `text`, escapes resolved.
    @inline(never)
    func bytes(in text: [UInt8]) -> [UInt8] {
        guard hasEscapes else { return Array(text[range]) }
        var bytes: [UInt8] = []
        var position = range.lowerBound
        while position < range.upperBound {
            if text[position] == UInt8(ascii: "\\") {
                position += Self.appendEscape(of: text, at: position, to: &bytes)
            } else {
                bytes.append(text[position])
                position += 1
            }
        }
        return bytes
    }

    /// Whether it stands for the same bytes in `text` as `other`.
    func isSame(as other: StringToken, in text: [UInt8]) -> Bool {
        if hasEscapes || other.hasEscapes { return bytes(in: text) == other.bytes(in: text) }
        guard range.count == other.range.count else { return false }
        return text.span.extracting(range).isSame(as: text.span.extracting(other.range))
    }

    /// Whether it stands for exactly these bytes in `text`.
    @inline(__always)
    func isSame(as other: Span<UInt8>, in text: [UInt8]) -> Bool {
        if hasEscapes { return bytes(in: text).span.isSame(as: other) }
        return range.count == other.count && text.span.extracting(range).isSame(as: other)
    }

    /// Appends what the checked escape at `position` stands for, and returns its length.
    private static func appendEscape(of text: [UInt8], at position: Int, to bytes: inout [UInt8]) -> Int {
        switch text[position + 1] {
        case UInt8(ascii: "b"): bytes.append(0x08)
        case UInt8(ascii: "f"): bytes.append(0x0C)
        case UInt8(ascii: "n"): bytes.append(0x0A)
        case UInt8(ascii: "r"): bytes.append(0x0D)
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "u"):
            guard let escape = UnicodeEscape(of: text, at: position) else { return 2 }  // checked before: cannot fail
            bytes.append(contentsOf: Array(String(escape.scalar).utf8))
            return escape.byteCount
        case let character: bytes.append(character)
        }
        return 2
    }
}
