/// A claim of access tokens whose value is a member of the user.
package struct MappedClaim: Sendable, Equatable {
    /// The most mapped claims of a profile.
    package static let countMax = 8

    package let name: String
    package let source: ClaimSource

    package init(name: String, source: ClaimSource) { (self.name, self.source) = (name, source) }

    /// The names that a mapped claim must not have in any letter case, which some readers of JSON ignore: those of every token, those of `claims`, and those to which RFC 7519, OpenID
    /// Connect, RFC 8693, RFC 9068 and RFC 7800 give a meaning on which readers of tokens rely.
    static let reservedNames = Set(TokenProfile.knownClaims).union([
        "iss", "aud", "sub", "iat", "nbf", "exp", "jti", "sid", "ver", "act", "may_act", "scope", "client_id", "azp",
        "nonce", "at_hash", "c_hash", "s_hash", "cnf", "events", "groups", "roles", "entitlements", "email_verified",
        "phone_number",
        "phone_number_verified", "aal", "session_id", "app_metadata", "user_metadata", "is_anonymous",
    ])
}

/// The member of a user from which a mapped claim has its value.
package enum ClaimSource: Sendable, Hashable {
    /// A member of the metadata's object `app`.
    case app(String)
    /// An attribute that the policy declares.
    case attribute(String)

    /// The source as a policy states it, such as `app.plan`.
    package var text: String {
        switch self {
        case .app(let key): "app.\(key)"
        case .attribute(let name): "attributes.\(name)"
        }
    }

    /// Whether it is a member of `app`.
    package var isApp: Bool { if case .app = self { true } else { false } }

    init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, TextRule.name.parse(parts[1]) != nil else { return nil }
        switch parts[0] {
        case "app": self = .app(parts[1])
        case "attributes": self = .attribute(parts[1])
        default: return nil
        }
    }

    fileprivate static let rule = ValueRule(
        "app.KEY or attributes.NAME, with 1 to 64 of A-Z a-z 0-9 _ - after the dot",
        pattern: "^(app|attributes)\\.[A-Za-z0-9_-]{1,64}$", text: \.text, parse: ClaimSource.init)
}

extension TokenProfile {
    /// Refuses names that have another meaning, and values that would be in a token twice.
    func checkMappedClaims(_ section: PolicySection) {
        for (index, claim) in mappedClaims.enumerated() {
            if MappedClaim.reservedNames.contains(claim.name.lowercased()) {
                section.refuse(
                    "mappedClaims", item: ".\(claim.name)",
                    "is a reserved claim, whose value readers of tokens know. Use another name.")
            }
            if mappedClaims[..<index].contains(where: { $0.source == claim.source }) {
                section.refuse(
                    "mappedClaims", item: ".\(claim.name)",
                    "\(claim.source.text) is mapped already. Map each member once.")
            }
        }
    }
}

extension KeyForm where Value == [MappedClaim] {
    /// A section whose keys are names of claims.
    static var mappedClaims: KeyForm {
        .named(0...MappedClaim.countMax, .name, \.name, .text(ClaimSource.rule), \.source) {
            MappedClaim(name: $0, source: $1)
        }
    }
}
