extension JSONReader {
    /// Reads the string whose opening quote is at the index.
    mutating func string() throws(StrictJSONError) -> StringToken {
        index += 1
        let start = index
        var hasEscapes = false
        while true {
            // Nearly all there is stands for itself.
            index += text.span.extracting(index...).plainCount(onlyASCII: true)
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

    private mutating func skipEscape() throws(StrictJSONError) {
        guard index + 1 < text.count else { throw violation(.syntax) }
        switch text[index + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            index += 2
        case UInt8(ascii: "u"):
            guard UnicodeEscape.codeUnit(of: text, at: index) != nil else { throw violation(.invalidEscape) }
            guard let escape = UnicodeEscape(of: text, at: index) else { throw violation(.unpairedSurrogate) }
            index += escape.byteCount
        default: throw violation(.invalidEscape)
        }
    }
}
