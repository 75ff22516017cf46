/// Ed25519 keys that have a signature which fits nearly every message.
enum SmallOrderPoints {
    /// Whether `point` encodes one of the points of order 1, 2, 4 or 8, in any spelling of its y and sign.
    static func contains(_ point: [UInt8]) -> Bool {
        guard let last = point.last else { return false }
        return encodings.contains(point.dropLast() + [last & 0x7F])
    }

    /// The y coordinates of these points, little-endian, including the equivalent values above the prime.
    private static let encodings: Set<[UInt8]> = {
        let ones = [UInt8](repeating: 0xFF, count: 30) + [0x7F]
        let zeros = [UInt8](repeating: 0, count: 31)
        let orderEight: [UInt8] = [
            0x26, 0xE8, 0x95, 0x8F, 0xC2, 0xB2, 0x27, 0xB0, 0x45, 0xC3, 0xF4, 0x89, 0xF2, 0xEF, 0x98, 0xF0,
            0xD5, 0xDF, 0xAC, 0x05, 0xD3, 0xC6, 0x33, 0x39, 0xB1, 0x38, 0x02, 0x88, 0x6D, 0x53, 0xFC, 0x05,
        ]
        let otherOrderEight: [UInt8] = [
            0xC7, 0x17, 0x6A, 0x70, 0x3D, 0x4D, 0xD8, 0x4F, 0xBA, 0x3C, 0x0B, 0x76, 0x0D, 0x10, 0x67, 0x0F,
            0x2A, 0x20, 0x53, 0xFA, 0x2C, 0x39, 0xCC, 0xC6, 0x4E, 0xC7, 0xFD, 0x77, 0x92, 0xAC, 0x03, 0x7A,
        ]
        // 0, 1, p − 1, p, p + 1 with p = 2^255 − 19, and the two of order 8.
        return [
            [0] + zeros, [1] + zeros, [0xEC] + ones, [0xED] + ones, [0xEE] + ones, orderEight, otherOrderEight,
        ]
    }()
}
