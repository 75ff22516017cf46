/// The levels of authentication that a route can ask for; the values of the claim `acr`.
package enum AuthenticationLevel: String, Sendable, CaseIterable {
    /// A second factor, or a passkey that verified its user.
    case aal2
}

/// The proofs that a route can ask for; among the values of the claim `amr`.
package enum AuthenticationMethod: String, Sendable, CaseIterable {
    /// A passkey.
    case pop
}

extension Route {
    /// The keys that compare a claim of the token, each with its claim.
    package var claimedKeys: [(key: String, claim: String)] {
        [
            maxAgeSeconds.map { _ in ("maxAgeSeconds", TokenProfile.authenticationTime) },
            acr.map { _ in ("acr", TokenProfile.level) }, amr.map { _ in ("amr", TokenProfile.methods) },
        ].compactMap { $0 }
    }
}

extension Route.Access {
    /// The roles of which one is needed; empty for any other access.
    package var roles: [String] { if case .role(let roles) = self { roles } else { [] } }
}
