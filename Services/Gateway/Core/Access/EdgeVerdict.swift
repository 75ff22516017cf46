import AccessTokens
import InternalAPI
import Policies

/// The edge's verdict on a request's credentials.
enum EdgeVerdict: Sendable, Equatable {
    /// The request goes on, with the identity of its token if the route needs one.
    case allow(TokenIdentity?)
    case unauthorized(Rejection)
    /// The user is deactivated, or lacks the route's role.
    case forbidden(Rejection)
    /// Redis or token-service would have to be asked and cannot be: 503, never 401.
    case unavailable(Rejection)

    /// The reason of a refusal; the label of `auth_token_rejections_total`.
    enum Rejection: Hashable, Sendable, CaseIterable {
        case missing, malformed, invalid, expired, role
        /// The user showed who they are too long ago for the route.
        case authenticationAge
        /// The user has shown too little for the route.
        case authenticationLevel
        case keysUnavailable, revocationUnknown
        case revoked(RevocationReason)

        static let allCases: [Rejection] =
            [
                .missing, .malformed, .invalid, .expired, .role, .authenticationAge, .authenticationLevel,
                .keysUnavailable, .revocationUnknown,
            ]
            + RevocationReason.allCases.map { .revoked($0) }

        /// The label `reason`.
        var label: String {
            switch self {
            case .missing: "missing"
            case .malformed: "malformed"
            case .invalid: "invalid"
            case .expired: "expired"
            case .role: "role"
            case .authenticationAge: "authentication_age"
            case .authenticationLevel: "authentication_level"
            case .keysUnavailable: "keys_unavailable"
            case .revocationUnknown: "revocation_unknown"
            case .revoked: "revoked"
            }
        }

        /// The label `revocation`: why the session, or the token's version, was revoked.
        var revocationLabel: String { if case .revoked(let reason) = self { reason.rawValue } else { "none" } }
    }

    /// Judges a verified token's standing on a route.
    ///
    /// - Parameter now: Unix seconds; a token is refused at or after its `exp` and the leeway (RFC 7519 section 4.1.4).
    static func judge(
        _ token: TokenIdentity, revocation: RevocationReplica.Answer, roles: [String]?, now: Int64
    ) -> EdgeVerdict {
        guard now < token.acceptedUntil else { return .unauthorized(.expired) }
        switch revocation {
        case .revoked(.inactive): return .forbidden(.revoked(.inactive))
        case .revoked(let reason): return .unauthorized(.revoked(reason))
        case .unknown: return .unavailable(.revocationUnknown)
        case .live: break
        }
        guard let roles else { return .allow(token) }
        guard let role = token.role, roles.contains(role) else { return .forbidden(.role) }
        return .allow(token)
    }
}
