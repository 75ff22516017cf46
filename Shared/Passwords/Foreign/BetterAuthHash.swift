import CryptoPrimitives

/// scrypt as Better Auth makes it: `<salt>:<key>` in hexadecimal digits, where the salt's text is what is hashed.
struct BetterAuthHash: ForeignScheme {
    private static let saltDigits = 32
    private static let keyBytes = 64
    private static let cost = ScryptCost(log2N: 14, blocks: 16, lanes: 1)

    private let salt: [UInt8]
    private let key: [UInt8]

    init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == Self.saltDigits, Hex.decode(String(parts[0])) != nil,
            let key = Hex.decode(String(parts[1])), key.count == Self.keyBytes
        else { return nil }
        salt = Array(parts[0].utf8)
        self.key = key
    }

    var memoryKiB: Int { Self.cost?.memoryKiB ?? 0 }

    func matches(_ password: PasswordText) throws(ForeignHash.Failure) -> Bool {
        guard let cost = Self.cost else { return false }
        return constantTimeEqual(
            try cost.key(of: password.compatibilityBytes, salt: salt, byteCount: Self.keyBytes), key)
    }
}
