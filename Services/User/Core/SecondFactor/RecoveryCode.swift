import CryptoPrimitives

/// A code of 80 random bits that a user keeps on paper, and that replaces the second factor once.
struct RecoveryCode: Sendable, Equatable {
    static let countPerUser = 10
    private static let digitCount = 16
    private static let groupDigitCount = 4
    private static let textBytesMax = 64
    /// Crockford's, without I, L, O and U.
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    let bytes: [UInt8]

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// Returns a user's new codes.
    static func random() -> [RecoveryCode] {
        (0..<countPerUser).map { _ in RecoveryCode(bytes: SecureRandom.bytes(10)) }
    }

    /// Reads a code as a person types it: case, hyphens and white space do not matter, and O, I and L are digits.
    init?(_ text: String) {
        guard text.utf8.count <= Self.textBytesMax else { return nil }
        let typed = text.utf8.filter { ![0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: "-")].contains($0) }
        let values = typed.compactMap(Self.value)
        guard typed.count == Self.digitCount, values.count == Self.digitCount else { return nil }
        bytes = Base32.decode(values)
    }

    /// The code in four groups, as it is shown.
    var text: String {
        let digits = Array(Base32.encode(bytes, alphabet: Self.alphabet))
        return stride(from: 0, to: digits.count, by: Self.groupDigitCount)
            .map { String(digits[$0..<min($0 + Self.groupDigitCount, digits.count)]) }.joined(separator: "-")
    }

    private static func value(_ character: UInt8) -> UInt8? {
        let upper = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(character) ? character - 0x20 : character
        return switch upper {
        case UInt8(ascii: "O"): 0
        case UInt8(ascii: "I"), UInt8(ascii: "L"): 1
        default: alphabet.firstIndex(of: upper).map { UInt8(truncatingIfNeeded: $0) }
        }
    }
}

/// Derives from recovery codes what the database contains, so that a copy of it yields none.
struct RecoveryCodeTags: Sendable {
    private let keys: [HMACSHA256]

    /// - Parameter ring: `user_storage_key`.
    init(ring: KeyRing) {
        keys = ring.all.map { HMACSHA256(key: HKDF.derive(from: $0.secret, info: "latchkey user recovery codes")) }
    }

    /// Returns the tags under which the user's code may be stored, one for each key of the ring, 32 bytes each. The first is that
    /// of a new code.
    func tags(of code: RecoveryCode, user: [UInt8]) -> [[UInt8]] {
        keys.map { $0.authenticate(user + code.bytes) }
    }
}
