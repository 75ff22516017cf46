/// The two forms of an ES256 signature: r ‖ s of 32 bytes each in a JWS (RFC 7518 §3.4), DER in libcrypto.
enum ECDSASignature {
    static let coordinateByteCount = 32
    static let rawByteCount = 64

    /// The order n of P-256 (FIPS 186-4, D.1.2.3).
    private static let order: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
    ]

    /// Returns the DER form; `nil` unless there are 64 bytes with r and s in [1, n − 1].
    static func der(raw: [UInt8]) -> [UInt8]? {
        guard raw.count == rawByteCount else { return nil }
        let r = Array(raw.prefix(coordinateByteCount))
        let s = Array(raw.suffix(coordinateByteCount))
        guard isInRange(r), isInRange(s) else { return nil }
        return DER.element(DER.sequenceTag, DER.integer(r) + DER.integer(s))
    }

    /// Returns r ‖ s of a DER signature in libcrypto's form; `nil` for any other input.
    static func raw(der: [UInt8]) -> [UInt8]? {
        // At most 2 + 2 · 35 bytes, so every length is one byte.
        guard der.count >= 2, der[0] == DER.sequenceTag, Int(der[1]) == der.count - 2 else { return nil }
        var rest = der.dropFirst(2)
        guard let r = coordinate(&rest), let s = coordinate(&rest), rest.isEmpty else { return nil }
        return r + s
    }

    private static func isInRange(_ value: [UInt8]) -> Bool {
        value.contains { $0 != 0 } && value.lexicographicallyPrecedes(order)
    }

    /// Reads one INTEGER from the front and pads it to 32 bytes.
    private static func coordinate(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        guard rest.popFirst() == DER.integerTag, let length = rest.popFirst(), rest.count >= Int(length) else {
            return nil
        }
        let digits = rest.prefix(Int(length)).drop { $0 == 0 }
        rest = rest.dropFirst(Int(length))
        guard digits.count <= coordinateByteCount else { return nil }
        return [UInt8](repeating: 0, count: coordinateByteCount - digits.count) + digits
    }
}
