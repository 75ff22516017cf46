import COpenSSL
import CryptoPrimitives

/// phpass' portable hash, as WordPress before 6.8 (`$P$`) and phpBB (`$H$`) store it: rounds of MD5 over a salt and the
/// password. WordPress removes white space from both ends of a password before it hashes.
struct PHPassHash: ForeignScheme {
    private static let alphabet = Array("./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    private static let lengthBytes = 34
    private static let saltBytes = 4..<12
    private static let log2RoundsMin = 7
    private static let log2RoundsMax = 16
    /// For each round, and for each byte of the password in it.
    private static let roundSeconds = 0.4e-6
    private static let byteSeconds = 2e-9

    let memoryKiB = 0
    private let rounds: Int
    private let salt: [UInt8]
    private let digest: [UInt8]

    init(_ text: String) throws(ForeignHash.Problem) {
        let bytes = Array(text.utf8)
        guard bytes.count == Self.lengthBytes, text.hasPrefix("$"), bytes[2] == UInt8(ascii: "$"),
            let log2Rounds = Self.alphabet.firstIndex(of: bytes[3]), log2Rounds >= Self.log2RoundsMin,
            bytes[4...].allSatisfy(Self.alphabet.contains)
        else { throw .unknown }
        guard log2Rounds <= Self.log2RoundsMax else { throw .tooCostly }
        rounds = 1 << log2Rounds
        salt = Array(bytes[Self.saltBytes])
        digest = Array(bytes[Self.saltBytes.upperBound...])
    }

    func seconds(for spelling: [UInt8]) -> Double {
        Double(rounds) * (Self.roundSeconds + Double(spelling.count) * Self.byteSeconds)
    }

    func matches(_ spelling: [UInt8]) throws(ForeignHash.Failure) -> Bool {
        let password = WordPress.trimmed(spelling)
        guard let md5 = unsafe EVP_MD_fetch(nil, "MD5", nil) else { throw .ofLibcrypto }
        defer { unsafe EVP_MD_free(md5) }
        var (message, hash) = (salt + password, [UInt8](repeating: 0, count: 16))
        for round in 0...rounds {
            if round == 1 { message = hash + password }
            if round > 1 { message.replaceSubrange(0..<16, with: hash) }
            guard unsafe EVP_Digest(message, message.count, &hash, nil, md5, nil) == 1 else { throw .ofLibcrypto }
        }
        return constantTimeEqual(Self.text(hash), digest)
    }

    func comparesAll(of spelling: [UInt8]) -> Bool { WordPress.trimmed(spelling).count == spelling.count }

    /// phpass' own base 64: three bytes are four digits, the lowest bits first.
    private static func text(_ bytes: [UInt8]) -> [UInt8] {
        stride(from: 0, to: bytes.count, by: 3).flatMap { start in
            let group = bytes[start..<min(start + 3, bytes.count)]
            let value = group.reversed().reduce(0) { $0 << 8 | Int($1) }
            return (0...group.count).map { alphabet[value >> (6 * $0) & 63] }
        }
    }
}

/// WordPress' treatment of a password before it is hashed.
enum WordPress {
    /// A password without the bytes that PHP's `trim` removes from both ends.
    static func trimmed(_ password: [UInt8]) -> [UInt8] {
        let isBlank = { (byte: UInt8) in [0, 9, 10, 11, 13, 32].contains(byte) }
        return Array(password.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }
}
