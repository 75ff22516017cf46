/// A password's hash that another system made; what it costs to check is judged before any work.
///
/// It says nothing of that system's pepper or rules: whoever logs in by it gets a hash of ours in its place.
package struct ForeignHash: Sendable, Equatable {
    /// The most memory that one check may fill: 128 MiB.
    package static let memoryKiBMax = 131_072
    static let lengthMax = 1_024

    /// A library did not do it, e.g. because there is no memory for it.
    struct Failure: Error, CustomStringConvertible {
        let library: String
        let code: Int32

        var description: String { "\(library) failed with code \(code)" }

        static let ofLibcrypto = Failure(library: "libcrypto", code: 0)
    }

    /// As it is kept.
    package let text: String
    private let scheme: any ForeignScheme

    /// Reads a hash by its form.
    ///
    /// - Returns: nil for a form that is not known, and for parameters beyond what a login may cost.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.lengthMax, let scheme = Self.scheme(text) else { return nil }
        self.text = text
        self.scheme = scheme
    }

    private static func scheme(_ text: String) -> (any ForeignScheme)? {
        if text.hasPrefix("$argon2") { return Argon2Hash(text) }
        if text.hasPrefix("$2") { return BcryptHash(text) }
        if text.hasPrefix(FirebaseHash.prefix) { return FirebaseHash(text) }
        return text.contains(":") ? BetterAuthHash(text) : IdentityHash(text)
    }

    /// KiB that a check fills.
    package var memoryKiB: Int { scheme.memoryKiB }

    /// Whether it is this password's; blocks its thread for as long as its parameters say.
    ///
    /// - Throws: the library's failure, which says nothing of the password.
    func matches(_ password: PasswordText) throws -> Bool { try scheme.matches(password) }

    package static func == (one: Self, other: Self) -> Bool { one.text == other.text }
}

/// One way of making hashes, with its parameters.
protocol ForeignScheme: Sendable {
    /// - Returns: nil for another form, and for parameters beyond what a login may cost.
    init?(_ text: String)
    var memoryKiB: Int { get }
    /// - Throws: the library's failure.
    func matches(_ password: PasswordText) throws -> Bool
}
