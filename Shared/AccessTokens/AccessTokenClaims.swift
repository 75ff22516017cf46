package import StrictJSON

/// The claims of an access token (design section 5, RFC 9068 §2.2); times are Unix seconds.
package struct AccessTokenClaims: Sendable, Equatable {
    /// `iss`
    package var issuer: String
    /// `aud`; a single value is written as a string, several as an array.
    package var audience: [String]
    /// `sub`: the public user id.
    package var subject: String
    /// `iat`
    package var issuedAt: Int64
    /// `exp`: the token is refused from this second on.
    package var expiresAt: Int64
    /// `jti`
    package var tokenID: String
    /// `sid`
    package var sessionID: String
    /// `ver`: the user's version of role and claims; 0 if the token has none.
    package var version: Int64
    /// The `sub` of `act`: the id of the person who acts as the user (RFC 8693 §4.1); `nil` if it is the user.
    package var actor: String?
    /// The claims that the profile adds, e.g. `role`. Reading skips claims whose values are not a `ClaimValue`.
    package var additional: [String: ClaimValue]

    package init(
        issuer: String, audience: [String], subject: String, issuedAt: Int64, expiresAt: Int64, tokenID: String,
        sessionID: String, version: Int64, actor: String? = nil, additional: [String: ClaimValue] = [:]
    ) {
        self.issuer = issuer
        self.audience = audience
        self.subject = subject
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.tokenID = tokenID
        self.sessionID = sessionID
        self.version = version
        self.actor = actor
        self.additional = additional
    }

    /// The claims with members of their own, which `additional` must not contain.
    static let registeredNames: Set<String> = ["iss", "aud", "sub", "iat", "nbf", "exp", "jti", "sid", "ver", "act"]
}

/// The value of an additional claim.
package enum ClaimValue: Sendable, Equatable {
    case string(String)
    case integer(Int64)
    case bool(Bool)
    case strings([String])
}

/// In JSON the value itself. A list is one of strings only.
extension ClaimValue: Codable {
    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        do { self = .bool(try value.decode(Bool.self)) } catch DecodingError.typeMismatch {
            do { self = .integer(try value.decode(Int64.self)) } catch DecodingError.typeMismatch {
                do { self = .string(try value.decode(String.self)) } catch DecodingError.typeMismatch {
                    self = .strings(try value.decode([String].self))
                }
            }
        }
    }

    package func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }

    /// The value as JSON.
    package var json: JSONValue {
        switch self {
        case .string(let string): .string(string)
        case .integer(let integer): .integer(integer)
        case .bool(let bool): .bool(bool)
        case .strings(let strings): .array(strings.map(JSONValue.string))
        }
    }
}
