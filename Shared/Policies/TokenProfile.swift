/// The form and lifetimes of a session's tokens; a dialect specifies its profile.
package struct TokenProfile: Sendable, Equatable {
    /// Signature algorithms by their JWS names (RFC 7518 §3.1, RFC 8037 §3.1).
    package static let algorithms = ["RS256", "ES256", "EdDSA", "HS256"]
    /// Claims that a profile can add to `iss aud sub iat exp jti sid ver`.
    package static let knownClaims = ["phone", "email", "role", "user_id", "legacy_id"]

    package let name: String
    package var algorithm: String
    package var accessLifetimeSeconds: Int64 = 3_600
    /// The claims in addition to the standard ones, by name.
    package var claims: [String] = []
    package var refresh = RefreshPolicy()

    package init(name: String, algorithm: String) {
        self.name = name
        self.algorithm = algorithm
    }
}

extension TokenProfile {
    /// One entry of section `profiles`; its key is the name (`a-z`, `0-9`, `-`):
    /// - `algorithm` one of RS256, ES256, EdDSA, HS256, required
    /// - `accessLifetimeSeconds` integer, 60...86,400, default 3,600
    /// - `claims` list of phone, email, role, user_id, legacy_id, default none
    /// - `refresh` section, see `RefreshPolicy`
    init(name: String, reading section: PolicySection) {
        self.init(name: name, algorithm: "")
        section.requiredText("algorithm", .oneOf(Self.algorithms), into: &algorithm)
        section.integer("accessLifetimeSeconds", in: 60...86_400, into: &accessLifetimeSeconds)
        section.values("claims", count: 0...Self.knownClaims.count, .oneOf(Self.knownClaims), into: &claims)
        section.section("refresh") { refresh = RefreshPolicy(reading: $0) }
        if Set(claims).count != claims.count {
            section.refuse("claims", "contains a claim twice. Name each once.")
        }
    }
}
