/// A password's hash that another system made; what it costs to check is judged before any work.
///
/// It says nothing of that system's pepper or rules: whoever logs in by it gets a hash of ours in its place.
package struct ForeignHash: Sendable, Equatable {
    /// The most memory that one check may fill: 128 MiB.
    static let memoryKiBMax = 131_072
    static let lengthMax = 1_024

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
    var memoryKiB: Int { scheme.memoryKiB }

    /// Whether it is this password's; blocks its thread for as long as its parameters say.
    func matches(_ password: PasswordText) -> Bool { scheme.matches(password) }

    package static func == (one: Self, other: Self) -> Bool { one.text == other.text }
}

/// One way of making hashes, with its parameters.
protocol ForeignScheme: Sendable {
    /// - Returns: nil for another form, and for parameters beyond what a login may cost.
    init?(_ text: String)
    var memoryKiB: Int { get }
    /// False also where the library cannot do it.
    func matches(_ password: PasswordText) -> Bool
}
