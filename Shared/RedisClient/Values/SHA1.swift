/// SHA-1 (RFC 3174), only because Redis names scripts by it; nothing here relies on it for security.
enum SHA1 {
    /// The digest as 40 lower-case hex digits.
    static func hexDigest(of message: [UInt8]) -> String {
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        let padded = pad(message)
        for start in stride(from: 0, to: padded.count, by: 64) {
            absorb(padded[start..<start + 64], into: &state)
        }
        let digits = Array("0123456789abcdef")
        return String(state.flatMap { word in (0..<8).map { digits[Int(word >> (28 - 4 * $0) & 15)] } })
    }

    /// Appends the bit 1, zeros, and the length in bits (RFC 3174 §4).
    private static func pad(_ message: [UInt8]) -> [UInt8] {
        var padded = message + [0x80]
        padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
        let bits = UInt64(message.count) &* 8
        padded += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) }
        return padded
    }

    /// One round of 80 steps over a block of 64 bytes (RFC 3174 §6.1).
    private static func absorb(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
        var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { index in
            block[index..<index + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<80 {
            words.append(rotate(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], by: 1))
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for (index, word) in words.enumerated() {
            let (mixed, constant) = step(index, b, c, d)
            (a, b, c, d, e) = (rotate(a, by: 5) &+ mixed &+ e &+ constant &+ word, a, rotate(b, by: 30), c, d)
        }
        for (index, value) in [a, b, c, d, e].enumerated() { state[index] &+= value }
    }

    /// The function and constant of a step (RFC 3174 §5).
    private static func step(_ index: Int, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> (UInt32, UInt32) {
        switch index {
        case ..<20: (b & c | ~b & d, 0x5A82_7999)
        case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
        case ..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
        default: (b ^ c ^ d, 0xCA62_C1D6)
        }
    }

    private static func rotate(_ word: UInt32, by count: UInt32) -> UInt32 { word << count | word >> (32 - count) }
}
