/// Where a string's content lies in the text, without its quotes; checked.
struct StringToken {
    let range: Range<Int>
    let hasEscapes: Bool
}

extension JSONReader {
    /// Reads the string whose opening quote is at the index.
    mutating func string() throws(StrictJSONError) -> StringToken {
        index += 1
        let start = index
        var hasEscapes = false
        while true {
            skipPlainText()
            guard let byte = next else { throw violation(.syntax) }
            switch byte {
            case UInt8(ascii: "\""):
                index += 1
                return StringToken(range: start..<index - 1, hasEscapes: hasEscapes)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                try skipEscape()
            case 0..<0x20: throw violation(.controlCharacter)
            default:
                guard let length = UTF8Form.length(of: text, at: index) else { throw violation(.invalidUTF8) }
                index += length
            }
        }
    }

    /// Steps over ASCII that stands for itself: nearly all there is, so in a loop of its own.
    private mutating func skipPlainText() {
        var position = index
        while position < text.count {
            let byte = text[position]
            guard byte >= 0x20, byte < 0x80, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else { break }
            position += 1
        }
        index = position
    }

    private mutating func skipEscape() throws(StrictJSONError) {
        guard index + 1 < text.count else { throw violation(.syntax) }
        switch text[index + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            index += 2
        case UInt8(ascii: "u"):
            guard codeUnit(at: index) != nil else { throw violation(.invalidEscape) }
            guard let escape = unicodeEscape(at: index) else { throw violation(.unpairedSurrogate) }
            index += escape.byteCount
        default: throw violation(.invalidEscape)
        }
    }

    /// The scalar written as `\uXXXX`, or as two of them for one beyond U+FFFF; nil for half a pair.
    private func unicodeEscape(at start: Int) -> (scalar: Unicode.Scalar, byteCount: Int)? {
        guard let unit = codeUnit(at: start) else { return nil }
        if let scalar = Unicode.Scalar(unit) { return (scalar, 6) }
        // Not a scalar, so a surrogate: it must be a high one, and a low one must follow.
        guard unit < 0xDC00, let low = codeUnit(at: start + 6), (0xDC00...0xDFFF).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (UInt32(unit & 0x3FF) << 10 | UInt32(low & 0x3FF)))
        else { return nil }
        return (scalar, 12)
    }

    /// The value of `\uXXXX` at `start`; nil when something else is there.
    private func codeUnit(at start: Int) -> UInt16? {
        guard start + 6 <= text.count, text[start] == UInt8(ascii: "\\"), text[start + 1] == UInt8(ascii: "u")
        else { return nil }
        var unit: UInt16 = 0
        for digit in text[start + 2..<start + 6] {
            guard let value = Character(Unicode.Scalar(digit)).hexDigitValue else { return nil }
            unit = unit << 4 | UInt16(truncatingIfNeeded: value)
        }
        return unit
    }

    /// The string that `token` writes.
    func content(of token: StringToken) -> String {
        token.hasEscapes
            ? String(decoding: bytes(of: token), as: UTF8.self)
            : String(decoding: text[token.range], as: UTF8.self)
    }

    /// The bytes that `token` writes, escapes resolved.
    func bytes(of token: StringToken) -> [UInt8] {
        guard token.hasEscapes else { return Array(text[token.range]) }
        var bytes: [UInt8] = []
        var position = token.range.lowerBound
        while position < token.range.upperBound {
            if text[position] == UInt8(ascii: "\\") {
                position += appendEscape(at: position, to: &bytes)
            } else {
                bytes.append(text[position])
                position += 1
            }
        }
        return bytes
    }

    /// Appends what the checked escape at `position` stands for, and returns its length.
    private func appendEscape(at position: Int, to bytes: inout [UInt8]) -> Int {
        switch text[position + 1] {
        case UInt8(ascii: "b"): bytes.append(0x08)
        case UInt8(ascii: "f"): bytes.append(0x0C)
        case UInt8(ascii: "n"): bytes.append(0x0A)
        case UInt8(ascii: "r"): bytes.append(0x0D)
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "u"):
            guard let escape = unicodeEscape(at: position) else { return 2 }  // checked before: cannot fail
            bytes.append(contentsOf: Array(String(escape.scalar).utf8))
            return escape.byteCount
        case let character: bytes.append(character)
        }
        return 2
    }
}
