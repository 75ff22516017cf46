import AccessTokens
import InternalAPI
import Policies

extension VerifiedIdentity {
    private static let separator: Character = ":"

    /// Creates the identity of a provider's subject. Only Apple has its own kind. For any other provider, the value begins with
    /// its name, which contains no colon.
    init(provider: String, subject: String) {
        self =
            provider == IdentityProviderPolicy.appleName
            ? VerifiedIdentity(kind: .apple, value: subject)
            : VerifiedIdentity(kind: .oidc, value: provider + String(Self.separator) + subject)
    }

    /// Whether a token's `sub` can be this text: 1 to 256 visible ASCII characters.
    static func isSubject(_ text: String) -> Bool {
        (1...TokenLimits.identifierBytesMax).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// Reads an identity that the operator typed as a provider's name, a colon and a subject, or returns `nil` for any other
    /// text.
    init?(atProvider text: String) {
        let parts = text.split(separator: Self.separator, maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
        self.init(provider: String(parts[0]), subject: String(parts[1]))
    }

    /// The provider and its subject, or `nil` for a phone number or an email address.
    var atProvider: ProviderAccount? {
        switch kind {
        case .phone, .email: return nil
        case .apple: return ProviderAccount(provider: IdentityProviderPolicy.appleName, subject: value)
        case .oidc:
            let parts = value.split(separator: Self.separator, maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return nil }
            return ProviderAccount(provider: String(parts[0]), subject: String(parts[1]))
        }
    }
}
