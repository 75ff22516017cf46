import COpenSSL
import CryptoPrimitives

/// A key that PBKDF2 (RFC 8018 §5.2) made of a password, with its parameters.
struct PBKDF2: Sendable {
    enum Digest: Sendable { case sha1, sha256, sha512 }

    private static let roundsMax = 2_000_000
    private static let saltBytes = 1...128
    private static let keyBytes = 16...128
    /// For each round, under the slowest digest.
    private static let roundSeconds = 0.4e-6

    private let digest: Digest
    private let rounds: Int
    private let salt: [UInt8]
    private let key: [UInt8]

    init(_ digest: Digest, rounds: Int, salt: [UInt8], key: [UInt8]) throws(ForeignHash.Problem) {
        guard rounds >= 1, Self.saltBytes.contains(salt.count), Self.keyBytes.contains(key.count) else {
            throw .unknown
        }
        guard rounds <= Self.roundsMax else { throw .tooCostly }
        self.digest = digest
        self.rounds = rounds
        self.salt = salt
        // Blocks of the key are independent of each other. The first one, of 20 bytes or more, tells the password as well as
        // all of them, and each further one would cost as much again.
        self.key = Array(key.prefix(digest.byteCount))
    }

    var seconds: Double { Double(rounds) * Self.roundSeconds }

    func matches(_ password: [UInt8]) throws(ForeignHash.Failure) -> Bool {
        var made = [UInt8](repeating: 0, count: key.count)
        let phrase = password.map { CChar(bitPattern: $0) }
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

extension PBKDF2.Digest {
    fileprivate var byteCount: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha512: 64
        }
    }
}
