import AuthAPI
import InternalAPI

/// A session's tokens (aarokya, steps 2 and 4, and `TokenStore`).
struct AarokyaTokens: Codable {
    let accessToken: String
    @CookieToken var refreshToken: String
    /// The time at which the access token expires, in Unix seconds.
    let accessTokenExpiresAt: Int64
    /// Whether the user is new; only in the response to a sign-in.
    let isNewUser: Bool?

    enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
        case accessTokenExpiresAt = "access_token_expires_at"
        case isNewUser = "is_new_user"
    }

    init(_ tokens: TokenSet, isNewUser: Bool? = nil) {
        accessToken = tokens.accessToken
        refreshToken = tokens.refreshToken
        accessTokenExpiresAt = tokens.accessExpiresAt
        self.isNewUser = isNewUser
    }
}

/// The native profile with its members in snake_case. aarokya's document shows no profile.
struct AarokyaProfile: Encodable {
    let profile: UserProfile

    /// The members of `encode`.
    static let shape = JSONShape.object(
        name: "User",
        [
            .init(name: "id", shape: .string), .init(name: "phone_number", shape: .string, isRequired: false),
            .init(name: "email", shape: .string, isRequired: false),
            .init(name: "name", shape: .string, isRequired: false),
            .init(name: "role", shape: .string), .init(name: "created_at", shape: .integer),
        ], hasAttributes: true)

    init(_ profile: UserProfile) { self.profile = profile }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: MemberName.self)
        try members.encode(profile.id, forKey: MemberName("id"))
        try members.encodeIfPresent(profile.phoneNumber, forKey: MemberName("phone_number"))
        try members.encodeIfPresent(profile.email, forKey: MemberName("email"))
        try members.encodeIfPresent(profile.name, forKey: MemberName("name"))
        for (name, value) in profile.attributes.inOrder {
            try members.encode(value, forKey: MemberName(Self.snakeCase(name)))
        }
        try members.encode(profile.role, forKey: MemberName("role"))
        try members.encode(profile.createdAt, forKey: MemberName("created_at"))
    }

    /// Converts a name to snake_case, such as `isChecker` to `is_checker`. No two attributes of a policy become equal.
    static func snakeCase(_ name: String) -> String {
        name.reduce(into: "") { text, character in
            if character.isUppercase, !text.isEmpty, text.last != "_" { text.append("_") }
            text.append(contentsOf: character.lowercased())
        }
    }
}
