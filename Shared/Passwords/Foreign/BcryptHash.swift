import CCrypt
import COpenSSL
import CryptoPrimitives
import Glibc

/// bcrypt, by libcrypt: `$2b$12$<salt and hash>`, and the same with `2a` or `2y`.
///
/// bcrypt reads a password's first 72 bytes only, up to a zero byte. Django and WordPress avoid that by hashing the password
/// with SHA-2 first.
struct BcryptHash: ForeignScheme {
    /// The text that bcrypt reads of a password.
    enum Preparation: Sendable {
        /// The password itself.
        case none
        /// The hexadecimal digits of its SHA-256 (Django's `BCryptSHA256PasswordHasher`).
        case hexSHA256
        /// base64 of an HMAC-SHA-384 of the trimmed password (WordPress since 6.8).
        case wordPress
    }

    private static let costMax = 14
    private static let lengthBytes = 60
    /// The end of the text, without setting and salt.
    private static let hashBytes = 31
    private static let readBytes = 72
    private static let alphabet = Set("./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
    /// At cost 0; each step doubles it.
    private static let unitSeconds = 55e-6

    /// 4 KiB.
    let memoryKiB = 4
    private let text: String
    private let cost: Int
    private let preparation: Preparation

    init(_ text: some StringProtocol, preparation: Preparation = .none) throws(ForeignHash.Problem) {
        let bytes = Array(text.utf8)
        guard bytes.count == Self.lengthBytes, ["$2a$", "$2b$", "$2y$"].contains(text.prefix(4)),
            bytes[6] == UInt8(ascii: "$"),
            let cost = HashParameters.number(Substring(decoding: bytes[4..<6], as: UTF8.self)), (4...31).contains(cost),
            bytes[7...].allSatisfy(Self.alphabet.contains)
        else { throw .unknown }
        guard cost <= Self.costMax else { throw .tooCostly }
        self.text = String(text)
        self.cost = cost
        self.preparation = preparation
    }

    func seconds(for spelling: [UInt8]) -> Double { Double(1 << cost) * Self.unitSeconds }

    func matches(_ spelling: [UInt8]) throws(ForeignHash.Failure) -> Bool {
        let prepared = try preparation.applied(to: spelling)
        // libcrypt reads up to a zero byte, so anything after it would not be compared.
        guard !prepared.contains(0) else { return false }
        let place = UnsafeMutablePointer<crypt_data>.allocate(capacity: 1)
        unsafe place.initialize(to: crypt_data())
        defer {
            unsafe place.deinitialize(count: 1)
            unsafe place.deallocate()
        }
        let phrase = (prepared + [0]).map { CChar(bitPattern: $0) }
        let made = unsafe crypt_r(phrase, text, place).map { Array(unsafe String(cString: $0).utf8) } ?? []
        // libcrypt returns `*0` when it fails.
        guard made.count == Self.lengthBytes else { throw ForeignHash.Failure(library: "libcrypt", code: errno) }
        // The salt's last digit has four unused bits, which some implementations leave set.
        return constantTimeEqual(Array(made.suffix(Self.hashBytes)), Array(text.utf8.suffix(Self.hashBytes)))
    }

    func comparesAll(of spelling: [UInt8]) -> Bool {
        switch preparation {
        case .none: spelling.count <= Self.readBytes && !spelling.contains(0)
        case .hexSHA256: true
        case .wordPress: WordPress.trimmed(spelling).count == spelling.count
        }
    }
}

extension BcryptHash.Preparation {
    fileprivate func applied(to password: [UInt8]) throws(ForeignHash.Failure) -> [UInt8] {
        switch self {
        case .none: password
        case .hexSHA256: Array(Hex.encode(SHA256.hash(password)).utf8)
        case .wordPress:
            Array(StandardBase64.encode(try Self.authenticationCode(of: WordPress.trimmed(password))).utf8)
        }
    }

    private static func authenticationCode(of password: [UInt8]) throws(ForeignHash.Failure) -> [UInt8] {
        var (code, count) = ([UInt8](repeating: 0, count: 48), 0)
        let key = Array("wp-sha384".utf8)
        let made = unsafe EVP_Q_mac(
            nil, "HMAC", nil, "SHA384", nil, key, key.count, password, password.count, &code, code.count, &count)
        guard unsafe made != nil, count == code.count else { throw .ofLibcrypto }
        return code
    }
}
