extension JSONReader {
    /// Reads the string whose opening quote is at the index (RFC 8259 §7).
    mutating func string() throws(StrictJSONError) -> String {
        index += 1
        var string = try plainRun()
        while next == UInt8(ascii: "\\") {
            string += try escape()
            string += try plainRun()
        }
        guard let end = next else { throw violation(.syntax) }
        guard end == UInt8(ascii: "\"") else { throw violation(.controlCharacter) }
        index += 1
        return string
    }

    /// Reads unescaped characters: up to a quote, a backslash or a control character.
    private mutating func plainRun() throws(StrictJSONError) -> String {
        let start = index
        let count = text.span.extracting(start...).plainCount
        index += count
        do {
            return String(copying: try UTF8Span(validating: text.span.extracting(start..<index)))
        } catch {
            throw violation(.invalidUTF8, at: start + error.byteOffsets.lowerBound)
        }
    }

    /// Reads the escape whose backslash is at the index.
    private mutating func escape() throws(StrictJSONError) -> String {
        guard index + 1 < text.count else { throw violation(.syntax) }
        let character: String
        switch text[index + 1] {
        case UInt8(ascii: "\""): character = "\""
        case UInt8(ascii: "\\"): character = "\\"
        case UInt8(ascii: "/"): character = "/"
        case UInt8(ascii: "b"): character = "\u{8}"
        case UInt8(ascii: "f"): character = "\u{C}"
        case UInt8(ascii: "n"): character = "\n"
        case UInt8(ascii: "r"): character = "\r"
        case UInt8(ascii: "t"): character = "\t"
        case UInt8(ascii: "u"): return try unicodeEscape()
        default: throw violation(.invalidEscape)
        }
        index += 2
        return character
    }

    /// Reads the `\uXXXX` at the index, or two of them for a character beyond U+FFFF.
    private mutating func unicodeEscape() throws(StrictJSONError) -> String {
        guard let first = codeUnit(at: index) else { throw violation(.invalidEscape) }
        var units = [first]
        if UTF16.isLeadSurrogate(first), let second = codeUnit(at: index + 6) { units.append(second) }
        guard let character = String(validating: units, as: UTF16.self) else { throw violation(.unpairedSurrogate) }
        index += 6 * units.count
        return character
    }

    /// Returns the value of the `\uXXXX` at `start`, or `nil` if there is none.
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
}
