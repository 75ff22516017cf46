/// A password hash that another system made. Its cost is judged before any work is done.
///
/// It includes neither that system's pepper nor its password rules. The first login with the right password replaces it with
/// a hash of ours, unless it compares less than the whole password (`comparesAll`).
package struct ForeignHash: Sendable, Equatable {
    /// The most memory that one check may fill: 128 MiB.
    package static let memoryKiBMax = 131_072
    static let lengthMax = 1_024

    /// Why a text is not accepted as a hash.
    package enum Problem: Error, Sendable, Equatable {
        /// The text has none of the accepted forms.
        case unknown
        /// Its parameters exceed what a login may cost.
        case tooCostly
    }

    /// A library failed, e.g. because there is no memory left.
    struct Failure: Error, CustomStringConvertible {
        let library: String
        let code: Int32

        var description: String { "\(library) failed with code \(code)" }

        static let ofLibcrypto = Failure(library: "libcrypto", code: 0)
    }

    /// The hash as it is stored.
    package let text: String
    private let scheme: any ForeignScheme

    /// Reads a hash by its form.
    package init(reading text: String) throws(Problem) {
        guard text.utf8.count <= Self.lengthMax else { throw .unknown }
        self.text = text
        scheme = try Self.scheme(text)
    }

    /// Reads a hash by its form, or returns `nil` if it is not accepted.
    package init?(_ text: String) {
        do throws(Problem) { try self.init(reading: text) } catch { return nil }
    }

    private static func scheme(_ text: String) throws(Problem) -> any ForeignScheme {
        let name = text.drop { $0 == "$" }.prefix { $0 != "$" }
        return switch name {
        case "argon2id", "argon2i", "argon2d": try Argon2Hash(text)
        case "argon2": try Argon2Hash(text.dropFirst("argon2".count))
        case "2a", "2b", "2y": try BcryptHash(text)
        case "bcrypt": try BcryptHash(text.dropFirst("bcrypt$".count))
        case "bcrypt_sha256": try BcryptHash(text.dropFirst("bcrypt_sha256$".count), preparation: .hexSHA256)
        case "wp": try BcryptHash(text.dropFirst("$wp".count), preparation: .wordPress)
        case "P", "H": try PHPassHash(text)
        case "pbkdf2", "pbkdf2-sha256", "pbkdf2-sha512": try PBKDF2Hash(passlib: text)
        case "pbkdf2_sha1", "pbkdf2_sha256": try PBKDF2Hash(django: text)
        case "scrypt": try text.hasPrefix("$") ? ScryptHash(phc: text) : ScryptHash(django: text)
        case "fbscrypt": try FirebaseHash(text)
        default: try text.contains(":") ? BetterAuthHash(text) : IdentityHash(text)
        }
    }

    /// The memory that a check fills, in KiB.
    package var memoryKiB: Int { scheme.memoryKiB }

    /// The estimated duration of a check that compares every spelling of the password, in seconds.
    func seconds(for password: PasswordText) -> Double {
        scheme.spellings(of: password).reduce(0) { $0 + scheme.seconds(for: $1) }
    }

    /// Whether the hash is of this password, in any of the spellings that its system may have hashed. Blocks its thread.
    ///
    /// - Throws: the library's failure, which reveals nothing of the password.
    func matches(_ password: PasswordText) throws -> Bool {
        for spelling in scheme.spellings(of: password) where try scheme.matches(spelling) { return true }
        return false
    }

    /// Whether a match proves the whole password, so that its hash may replace this one.
    func comparesAll(of password: PasswordText) -> Bool {
        scheme.spellings(of: password).allSatisfy(scheme.comparesAll)
    }

    package static func == (one: Self, other: Self) -> Bool { one.text == other.text }
}

/// A password hashing scheme of another system, with the parameters of one hash.
protocol ForeignScheme: Sendable {
    var memoryKiB: Int { get }

    /// The spellings of a password that the scheme's systems may have hashed, each once.
    func spellings(of password: PasswordText) -> [[UInt8]]

    /// The estimated duration of one comparison, in seconds.
    ///
    /// The estimates were measured on one core of 2 to 3 GHz. Only their ratio to a hash of ours matters, which decides the
    /// threads (`PasswordHasher`).
    func seconds(for spelling: [UInt8]) -> Double

    /// - Throws: the library's failure.
    func matches(_ spelling: [UInt8]) throws -> Bool

    /// Whether every byte of a spelling is compared.
    func comparesAll(of spelling: [UInt8]) -> Bool
}

extension ForeignScheme {
    func spellings(of password: PasswordText) -> [[UInt8]] { password.spellings }
    func comparesAll(of spelling: [UInt8]) -> Bool { true }
}
