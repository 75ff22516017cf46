/// Random UUIDs in their usual spelling (RFC 9562 §5.4).
package enum UUIDText {
    package static func random() -> String { text(of: SecureRandom.bytes(16)) }

    /// - Parameter random: 16 random bytes.
    package static func text(of random: [UInt8]) -> String {
        var bytes = random
        for (index, byte) in bytes.enumerated() {
            if index == 6 { bytes[index] = byte & 0x0F | 0x40 }
            if index == 8 { bytes[index] = byte & 0x3F | 0x80 }
        }
        let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16]
        return groups.map { Hex.encode(bytes[$0]) }.joined(separator: "-")
    }
}
