import InternalAPI
import Policies

/// The identities that sign users in by a policy.
struct SignInWays: Sendable {
    let phone, email, password: Bool
    /// `apple` and the names of OpenID Connect providers.
    let providers: Set<String>

    init(_ policy: Policy) {
        phone = policy.sendsCodes || !policy.phoneTokens.isEmpty
        email = policy.email != nil
        password = policy.passwords != nil
        providers = Set(policy.identityProviders.map(\.name))
    }

    /// The names of the ways by which a user with these identities can sign in.
    func methods(_ identities: some Sequence<VerifiedIdentity>, hasPassword: Bool) -> [String] {
        identities.filter { signIn([$0], hasPassword: hasPassword) }.flatMap { identity -> [String] in
            guard identity.kind == .email else { return [identity.providerName] }
            return (email ? [identity.providerName] : []) + (password && hasPassword ? ["password"] : [])
        }
    }

    /// Whether a user with these identities can sign in.
    func signIn(_ identities: some Sequence<VerifiedIdentity>, hasPassword: Bool) -> Bool {
        identities.contains { identity in
            switch identity.kind {
            case .phone: phone
            case .email: email || (password && hasPassword)
            case .apple, .oidc: identity.atProvider.map { providers.contains($0.provider) } ?? false
            }
        }
    }
}
