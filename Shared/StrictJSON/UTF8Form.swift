/// Well-formed UTF-8 (Unicode 15, Table 3-7): no overlong form, no surrogate, nothing above U+10FFFF.
enum UTF8Form {
    /// The length of the multi-byte sequence at `index`; nil when it is not well-formed.
    static func length(of text: [UInt8], at index: Int) -> Int? {
        let lead = text[index]
        let length: Int
        // Only the second byte's range depends on the first.
        let second: ClosedRange<UInt8>
        switch lead {
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return nil
        }
        guard index + length <= text.count, second.contains(text[index + 1]),
            text[index + 2..<index + length].allSatisfy({ (0x80...0xBF).contains($0) })
        else { return nil }
        return length
    }
}
