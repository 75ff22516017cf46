/// The form and lifetimes of a session's tokens; a dialect specifies its profile.
package struct TokenProfile: Sendable, Equatable {
    /// Signature algorithms by their JWS names (RFC 7518 §3.1, RFC 8037 §3.1).
    package static let algorithms = ["RS256", "ES256", "EdDSA", "HS256"]
    /// Claims that a profile can add to `iss aud sub iat exp jti sid ver`.
    package static let knownClaims = ["phone", "email", "role", "user_id", "legacy_id"] + claimsOfAuthentication
    /// The claim with the last time at which the session's user showed who they are (OpenID Connect Core section 2).
    package static let authenticationTime = "auth_time"
    /// The claim with the level of what the user has shown, `aal1` or `aal2` (same section).
    package static let level = "acr"
    /// The claim with the names of what the user has shown (RFC 8176).
    package static let methods = "amr"
    /// The claims about how and when the user showed who they are.
    package static let claimsOfAuthentication = [authenticationTime, level, methods]

    package internal(set) var name: String
    package var algorithm: String
    /// The `iss` claim in place of the policy's.
    package var issuer: String?
    /// The `aud` claim in place of the policy's.
    package var audience: String?
    package var accessLifetimeSeconds: Int64 = 3_600
    package var claims: [String] = []
    /// Claims whose values are members of users, in the order of the file.
    package var mappedClaims: [MappedClaim] = []
    package var refresh = RefreshPolicy()

    package init(name: String, algorithm: String) {
        self.name = name
        self.algorithm = algorithm
    }
}

extension TokenProfile {
    static let keys: [Key<Self>] = [
        Key(
            "algorithm", \.algorithm, .text(.oneOf(algorithms)), "The signature of access tokens.", required: true,
            example: "RS256"),
        Key(
            "issuer", optional: \.issuer, .text(.identifier), "The `iss` claim, in place of the policy's.",
            example: "my-app"),
        Key(
            "audience", optional: \.audience, .text(.identifier),
            "The `aud` claim, in place of the policy's. The gateway accepts both.", example: "my-web-app"),
        Key(
            "accessLifetimeSeconds", \.accessLifetimeSeconds, .integer(60...86_400),
            "The seconds until an access token expires."),
        Key(
            "claims", \.claims, .values(0...knownClaims.count, .oneOf(knownClaims)),
            "The claims in addition to iss, aud, sub, iat, exp, jti, sid and ver."),
        Key(
            "mappedClaims", \.mappedClaims, .mappedClaims,
            "Claims with members of users: `app.KEY` of the metadata that administrators write, or `attributes.NAME`. At most "
                + "\(MappedClaim.countMax), 1 KiB of values in all (docs/app/metadata.md).",
            example: "{ plan: app.plan }"),
        Key("refresh", section: \.refresh, RefreshPolicy.keys, "The refresh tokens.") { $1.check($0) },
    ]

    func check(_ section: PolicySection) {
        if Set(claims).count != claims.count { section.refuse("claims", "contains a claim twice. Name each once.") }
        checkMappedClaims(section)
    }
}
