/// PBKDF2 as ASP.NET Core Identity stores it: base64 of a marker, the parameters, the salt and the key.
///
/// Version 2: `00`, salt of 16 bytes, key of 32 (HMAC-SHA1, 1,000 rounds). Version 3: `01`, then PRF, rounds and the length of
/// the salt as 32-bit big-endian numbers, salt, key.
struct IdentityHash: ForeignScheme {
    private static let saltBytes = 16...64
    private static let keyBytes = 16...64

    let memoryKiB = 0
    private let key: PBKDF2

    init(_ text: String) throws(ForeignHash.Problem) {
        guard let bytes = StandardBase64.decode(text) else { throw .unknown }
        key = try Self.key(bytes)
    }

    private static func key(_ bytes: [UInt8]) throws(ForeignHash.Problem) -> PBKDF2 {
        if bytes.first == 0, bytes.count == 49 {
            return try PBKDF2(.sha1, rounds: 1_000, salt: Array(bytes[1..<17]), key: Array(bytes[17...]))
        }
        guard bytes.first == 1, bytes.count > 13 else { throw .unknown }
        let number = { (at: Int) in Int(bytes[at..<at + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }) }
        let saltCount = number(9)
        guard number(1) <= 2, saltBytes.contains(saltCount), keyBytes.contains(bytes.count - 13 - saltCount) else {
            throw .unknown
        }
        let digest: PBKDF2.Digest = [.sha1, .sha256, .sha512][number(1)]
        return try PBKDF2(
            digest, rounds: number(5), salt: Array(bytes[13..<13 + saltCount]), key: Array(bytes[(13 + saltCount)...]))
    }

    func seconds(for spelling: [UInt8]) -> Double { key.seconds }
    func matches(_ spelling: [UInt8]) throws -> Bool { try key.matches(spelling) }
}
