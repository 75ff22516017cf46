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
    /// The claim that contains the phone number.
    package var claim = Self.defaultClaim

    package var name: String { token.name }
    /// The `iss` claim of its tokens, compared byte by byte.
    package var issuer: String { token.issuers.first ?? "" }

    /// - Parameter token: the rules, with one issuer.
    package init(_ token: IdentityProviderPolicy) { self.token = token }

    /// One entry of section `phoneTokens`; its key is the name:
    /// - `issuer` text, exactly as the tokens have it, required
    /// - `jwksURL` https://…, with a query if need be, http for local addresses outside production, required
    /// - `audiences` list of 1 to 16 texts, required; a token may contain several, but no other
    /// - `algorithm` RS256, ES256 or EdDSA, default ES256
    /// - `claim` the claim with the phone number, default sub
    /// - `nonce` required, optional or ifSent, default ifSent
    init(name: String, reading section: PolicySection) {
        token = IdentityProviderPolicy(name: name)
        token.algorithm = Self.defaultAlgorithm
        token.nonce = .ifSent
        var issuer = ""
        section.requiredText("issuer", .identifier, into: &issuer)
        if issuer.hasPrefix(Self.firebaseIDTokenIssuers) {
            section.refuse(
                "issuer",
                "\(issuer) issues Firebase's ID tokens, whose number may have been verified long ago. Use the issuer of Firebase "
                    + "Phone Number Verification, https://fpnv.googleapis.com/projects/NUMBER.")
        }
        token.issuers = [issuer]
        token.readKeysAndRules(section)
        section.text("claim", .identifier, into: &claim)
    }

    /// Reads section `phoneTokens`: 1 to 8 entries by names of their own.
    static func readAll(_ section: PolicySection) -> [PhoneTokenPolicy] {
        let entries = section.named(IdentityProviderPolicy.nameRule, count: 1...countMax).compactMap { name, value in
            value.section { PhoneTokenPolicy(name: name, reading: $0) }
        }
        var known: Set<String> = []
        for entry in entries where !entry.issuer.isEmpty && !known.insert(entry.issuer).inserted {
            section.refuse(
                entry.name, item: ".issuer", "\(entry.issuer) belongs to another entry. Name each issuer once.")
        }
        return entries.sorted { $0.name < $1.name }
    }
}

extension Policy {
    /// All providers whose tokens sign in, with their keys and names.
    package var tokenProviders: [IdentityProviderPolicy] { identityProviders + phoneTokens.map(\.token) }
}
