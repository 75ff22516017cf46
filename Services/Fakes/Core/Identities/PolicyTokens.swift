import Policies

/// Valid identity tokens for the providers of the policy, so that a developer needs no account there.
struct PolicyTokens: Sendable {
    private let providers: [IdentityProviderPolicy]

    init(_ providers: [IdentityProviderPolicy] = []) { self.providers = providers }

    /// The names of the providers, one in a line, for the text that `deploy/run` prints.
    var names: String { providers.map { $0.name + "\n" }.joined() }

    /// The paths at which the providers publish their keys; Apple's is fixed.
    var keyPaths: [String] {
        providers.compactMap(\.jwksURL).compactMap { url in
            let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
            return parts.count == 4 ? parts[3].split(separator: "?").first.map { "/" + $0 } : nil
        }
    }

    /// Returns the wish for a token that the policy accepts from a provider, or `nil` if it has no such provider.
    func wish(_ name: String, subject: String?, nonce: String?) -> TokenWish? {
        guard let provider = providers.first(where: { $0.name == name }) else { return nil }
        let isApple = name == IdentityProviderPolicy.appleName
        var wish = TokenWish(
            issuer: isApple ? "apple" : "oidc", algorithm: provider.algorithm, subject: subject,
            audience: provider.audiences.first, nonce: nonce)
        if !isApple, let issuer = provider.issuers.first { wish.claims = ["iss": "\"\(issuer)\""] }
        return wish
    }
}
