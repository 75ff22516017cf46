/// A scalar written as `\uXXXX`, or as two of them when it is beyond U+FFFF (RFC 8259 §7).
struct UnicodeEscape {
    let scalar: Unicode.Scalar
    let byteCount: Int

    /// The escape at `start`; nil for half a pair.
    init?(of text: [UInt8], at start: Int) {
        guard let unit = Self.codeUnit(of: text, at: start) else { return nil }
        if let scalar = Unicode.Scalar(unit) {
            self.scalar = scalar
            byteCount = 6
            return
        }
        // Not a scalar, so a surrogate: it must be a high one, and a low one must follow.
        guard unit < 0xDC00, let low = Self.codeUnit(of: text, at: start + 6), (0xDC00...0xDFFF).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (UInt32(unit & 0x3FF) << 10 | UInt32(low & 0x3FF)))
        else { return nil }
        self.scalar = scalar
        byteCount = 12
    }

    /// The value of `\uXXXX` at `start`; nil when something else is there.
    static func codeUnit(of text: [UInt8], at start: Int) -> UInt16? {
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
