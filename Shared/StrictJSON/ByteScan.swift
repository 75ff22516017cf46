/// Looks at eight bytes with each step: texts are mostly long tokens, in which nothing is to be found.
extension Span<UInt8> {
    private static var ones: UInt64 { 0x0101_0101_0101_0101 }
    private static var highBits: UInt64 { 0x8080_8080_8080_8080 }

    /// How many bytes at the beginning stand for themselves in a JSON string: up to the first control character, quote
    /// or backslash, or, if asked for, the first that is not ASCII.
    @inline(__always)
    func plainCount(onlyASCII: Bool) -> Int {
        var position = 0
        while position <= count - 8 {
            let found = Self.specials(in: word(at: position), orBeyondASCII: onlyASCII)
            if found != 0 { return position + found.trailingZeroBitCount / 8 }
            position += 8
        }
        if position > 0, position < count {
            // The last eight once more, of which the first are known.
            let found = Self.specials(in: word(at: count - 8), orBeyondASCII: onlyASCII)
            return found == 0 ? count : count - 8 + found.trailingZeroBitCount / 8
        }
        while position < count, !Self.isSpecial(self[position], orBeyondASCII: onlyASCII) { position += 1 }
        return position
    }

    /// Whether both hold the same bytes.
    func isSame(as other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        var position = 0
        while position <= count - 8 {
            guard word(at: position) == other.word(at: position) else { return false }
            position += 8
        }
        if position > 0, position < count { return word(at: count - 8) == other.word(at: count - 8) }
        while position < count {
            guard self[position] == other[position] else { return false }
            position += 1
        }
        return true
    }

    /// The eight bytes from `start` on, the first one lowest; the compiler makes one load of it.
    @inline(__always)
    private func word(at start: Int) -> UInt64 {
        let bytes = extracting(start..<start + 8)
        let low = UInt64(bytes[0]) | UInt64(bytes[1]) << 8 | UInt64(bytes[2]) << 16 | UInt64(bytes[3]) << 24
        let high = UInt64(bytes[4]) | UInt64(bytes[5]) << 8 | UInt64(bytes[6]) << 16 | UInt64(bytes[7]) << 24
        return low | high << 32
    }

    /// The high bit of every special byte of `word`; above the lowest of them other bits may be set as well.
    ///
    /// `(x - n) & ~x` has a byte's high bit where the byte is below n ≤ 128, up to the borrow from such a byte.
    @inline(__always)
    private static func specials(in word: UInt64, orBeyondASCII beyondASCII: Bool) -> UInt64 {
        let quotes = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
        let backslashes = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
        let controls = (word &- ones &* 0x20) & ~word
        let found = controls | (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes
        return (beyondASCII ? found | word : found) & highBits
    }

    @inline(__always)
    private static func isSpecial(_ byte: UInt8, orBeyondASCII beyondASCII: Bool) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || beyondASCII && byte >= 0x80
    }
}

/// Whether both strings have the same bytes, where `==` asks for canonical equivalence.
func isSameText(_ left: String, _ right: String) -> Bool { left.utf8Span.span.isSame(as: right.utf8Span.span) }
