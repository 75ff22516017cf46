import CCrypt
import CryptoPrimitives
import Glibc

/// bcrypt, by libcrypt: `$2b$12$<salt and hash>`, and the same with `2a` or `2y`.
///
/// It looks at a password's first 72 bytes alone, as whoever made the hash did.
struct BcryptHash: ForeignScheme {
    private static let costMax = 13
    private static let lengthBytes = 60
    /// The end of it: what is not the setting and the salt.
    private static let hashBytes = 31
    private static let alphabet = Set("./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

    /// 4 KiB.
    let memoryKiB = 4
    private let text: String

    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == Self.lengthBytes, ["$2a$", "$2b$", "$2y$"].contains(text.prefix(4)),
            bytes[6] == UInt8(ascii: "$"),
            let cost = HashParameters.number(Substring(decoding: bytes[4..<6], as: UTF8.self)),
            (4...Self.costMax).contains(cost), bytes[7...].allSatisfy(Self.alphabet.contains)
        else { return nil }
        self.text = text
    }

    func matches(_ password: PasswordText) throws(ForeignHash.Failure) -> Bool {
        // libcrypt reads up to a zero byte: what comes behind it would not be compared.
        guard !password.typed.contains(0) else { return false }
        let place = UnsafeMutablePointer<crypt_data>.allocate(capacity: 1)
        unsafe place.initialize(to: crypt_data())
        defer {
            unsafe place.deinitialize(count: 1)
            unsafe place.deallocate()
        }
        let phrase = (password.typed + [0]).map { CChar(bitPattern: $0) }
        let made = unsafe crypt_r(phrase, text, place).map { Array(unsafe String(cString: $0).utf8) } ?? []
        // `*0` where it cannot.
        guard made.count == Self.lengthBytes else { throw ForeignHash.Failure(library: "libcrypt", code: errno) }
        // The salt's last digit has four bits that say nothing, and that some have left set.
        return constantTimeEqual(Array(made.suffix(Self.hashBytes)), Array(text.utf8.suffix(Self.hashBytes)))
    }
}
