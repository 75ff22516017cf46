import COpenSSL
import CryptoPrimitives

/// PBKDF2 as ASP.NET Core Identity keeps it, base64 of a marker, the parameters, the salt and the key.
///
/// Version 2: `00`, salt of 16 bytes, key of 32 (HMAC-SHA1, 1,000 rounds). Version 3: `01`, then PRF, rounds and the length of
/// the salt as 32-bit big-endian numbers, salt, key.
struct IdentityHash: ForeignScheme {
    private enum Digest { case sha1, sha256, sha512 }

    private static let roundsMax = 2_000_000
    private static let saltBytes = 16...64
    private static let keyBytes = 16...64

    let memoryKiB = 0
    private let digest: Digest
    private let rounds: Int
    private let salt: [UInt8]
    private let key: [UInt8]

    init?(_ text: String) {
        guard let bytes = StandardBase64.decode(text), let parts = Self.parts(bytes) else { return nil }
        (digest, rounds, salt, key) = parts
    }

    private static func parts(
        _ bytes: [UInt8]
    ) -> (digest: Digest, rounds: Int, salt: [UInt8], key: [UInt8])? {
        if bytes.first == 0, bytes.count == 49 { return (.sha1, 1_000, Array(bytes[1..<17]), Array(bytes[17...])) }
        guard bytes.first == 1, bytes.count > 13 else { return nil }
        let number = { (at: Int) in Int(bytes[at..<at + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }) }
        let (rounds, saltCount) = (number(5), number(9))
        guard number(1) <= 2, (1...roundsMax).contains(rounds), saltBytes.contains(saltCount),
            keyBytes.contains(bytes.count - 13 - saltCount)
        else { return nil }
        let digest: Digest = [.sha1, .sha256, .sha512][number(1)]
        return (digest, rounds, Array(bytes[13..<13 + saltCount]), Array(bytes[(13 + saltCount)...]))
    }

    func matches(_ password: PasswordText) throws(ForeignHash.Failure) -> Bool {
        var made = [UInt8](repeating: 0, count: key.count)
        let phrase = password.typed.map { CChar(bitPattern: $0) }
        let algorithm =
            switch digest {
            case .sha1: unsafe EVP_sha1()
            case .sha256: unsafe EVP_sha256()
            case .sha512: unsafe EVP_sha512()
            }
        let code = unsafe PKCS5_PBKDF2_HMAC(
            phrase, Int32(clamping: phrase.count), salt, Int32(clamping: salt.count), Int32(clamping: rounds),
            algorithm, Int32(clamping: made.count), &made)
        guard code == 1 else { throw .ofLibcrypto }
        return constantTimeEqual(made, key)
    }
}
