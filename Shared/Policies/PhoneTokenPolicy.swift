/// A service whose signed tokens prove phone numbers, such as Firebase Phone Number Verification: the phone's carrier states the
/// number, and no SMS is sent.
package struct PhoneTokenPolicy: Sendable, Equatable {
    /// The claim that contains the number unless the policy names another one.
    package static let defaultClaim = "sub"
    static let defaultAlgorithm = "ES256"
    static let countMax = 8

    /// Firebase Authentication's issuers. Its ID tokens repeat a number for as long as the user stays signed in there, so they do
    /// not show who has the number now.
    private static let firebaseIDTokenIssuers = "https://securetoken.google.com/"

    /// The rules that its tokens share with identity tokens. There is one issuer, which also selects the entry for a token.
    package var token: IdentityProviderPolicy
    package var claim = Self.defaultClaim

    package var name: String { token.name }
    /// The `iss` claim of its tokens, compared byte by byte.
    package internal(set) var issuer: String {
        get { token.issuers.first ?? "" }
        set { token.issuers = [newValue] }
    }

    /// - Parameter token: the rules, with one issuer.
    package init(_ token: IdentityProviderPolicy) { self.token = token }

    static let keys: [Key<Self>] =
        [
            Key(
                "issuer", \.issuer, .text(.identifier), "The `iss` claim, exactly as the tokens have it.",
                required: true, example: "https://fpnv.example/1")
        ] + IdentityProviderPolicy.keysAndRules.map { $0.within(\.token) } + [
            Key("claim", \.claim, .text(.identifier), "The claim with the phone number in E.164.")
        ]

    /// A service before its entry is read.
    static func unread(_ name: String) -> PhoneTokenPolicy {
        var token = IdentityProviderPolicy(name: name)
        (token.algorithm, token.nonce) = (defaultAlgorithm, .ifSent)
        return PhoneTokenPolicy(token)
    }

    func check(_ section: PolicySection) {
        if issuer.hasPrefix(Self.firebaseIDTokenIssuers) {
            section.refuse(
                "issuer",
                "\(issuer) issues Firebase's ID tokens, whose number may have been verified long ago. Use the issuer of Firebase "
                    + "Phone Number Verification, https://fpnv.googleapis.com/projects/NUMBER.")
        }
        token.checkAudiences(section)
    }

    /// Requires that no issuer belongs to two services.
    static func checkAll(_ section: PolicySection, _ entries: inout [PhoneTokenPolicy]) {
        var known: Set<String> = []
        for entry in entries where !entry.issuer.isEmpty && !known.insert(entry.issuer).inserted {
            section.refuse(
                entry.name, item: ".issuer", "\(entry.issuer) belongs to another entry. Name each issuer once.")
        }
        entries.sort { $0.name < $1.name }
    }
}

extension Policy {
    /// All providers whose tokens sign in, with their keys and names.
    package var tokenProviders: [IdentityProviderPolicy] { identityProviders + phoneTokens.map(\.token) }
}
