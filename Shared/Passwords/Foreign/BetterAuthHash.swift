import CryptoPrimitives

/// scrypt as Better Auth makes it: `<salt>:<key>` in hexadecimal digits, where the salt's text is hashed.
struct BetterAuthHash: ForeignScheme {
    private static let saltDigits = 32
    private static let keyBytes = 64

    private let cost: ScryptCost
    private let salt: [UInt8]
    private let key: [UInt8]

    init(_ text: String) throws(ForeignHash.Problem) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == Self.saltDigits, Hex.decode(String(parts[0])) != nil,
            let key = Hex.decode(String(parts[1])), key.count == Self.keyBytes
        else { throw .unknown }
        cost = try ScryptCost(log2N: 14, blocks: 16, lanes: 1)
        salt = Array(parts[0].utf8)
        self.key = key
    }

    var memoryKiB: Int { cost.memoryKiB }

    /// Better Auth hashes the compatibility form (NFKC).
    func spellings(of password: PasswordText) -> [[UInt8]] { password.spellingsWithCompatibility }

    func seconds(for spelling: [UInt8]) -> Double { cost.seconds }

    func matches(_ spelling: [UInt8]) throws(ForeignHash.Failure) -> Bool {
        constantTimeEqual(try cost.key(of: spelling, salt: salt, byteCount: Self.keyBytes), key)
    }
}
