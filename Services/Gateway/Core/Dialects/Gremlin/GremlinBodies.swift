import AuthAPI
import InternalAPI
import ServiceKit

/// The response to a sign-in ("Sign In").
struct GremlinSignIn: Codable {
    let user: GremlinUser
    let session: GremlinSession
}

/// The response to a refresh.
struct GremlinRefresh: Codable {
    let session: GremlinSession
}

/// A session's tokens. The client takes the session to be over when its JWT expires.
struct GremlinSession: Codable {
    @CookieToken var token: String
    @CookieToken var refreshToken: String
    /// The time at which the JWT expires, such as `2026-04-13T16:00:00Z`.
    let expiresAt: String

    init(_ tokens: TokenSet) {
        token = tokens.accessToken
        refreshToken = tokens.refreshToken
        expiresAt = ISOTime.text(tokens.accessExpiresAt) + "Z"
    }
}

/// A user, as the user themselves and administrators see them.
struct GremlinUser: Codable, ShapeStating {
    let id: String
    let email: String?
    let name: String?
    let role: String
    let isActive: Bool

    private enum CodingKeys: String, CodingKey {
        case id, email, name, role
        case isActive = "is_active"
    }

    static var shape: JSONShape {
        .object(
            name: "User",
            [
                .init(name: "id", shape: .string), .init(name: "email", shape: .nullable(.string)),
                .init(name: "name", shape: .nullable(.string)), .init(name: "role", shape: .string),
                .init(name: "is_active", shape: .boolean),
            ])
    }

    /// Creates the user of a sign-in, who is always active.
    init(_ user: UserDetails) {
        (id, email, name, role, isActive) = (user.id, user.email, user.name, user.role, true)
    }

    init(_ user: UserSummary) {
        (id, email, name, role, isActive) = (user.id, user.email, user.name, user.role, user.isActive)
    }

    /// Encodes the user, with null for each member that the user lacks.
    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(id, forKey: .id)
        try members.encode(email, forKey: .email)
        try members.encode(name, forKey: .name)
        try members.encode(role, forKey: .role)
        try members.encode(isActive, forKey: .isActive)
    }
}

/// A page of users, newest first.
struct GremlinUsers: Codable, ShapeStating {
    let users: [GremlinUser]
    /// The cursor of the next page; null after the last page.
    let nextCursor: String?

    private enum CodingKeys: String, CodingKey { case users, nextCursor }

    static var shape: JSONShape {
        .object(
            name: "UserPage",
            [
                .init(name: "users", shape: .array(GremlinUser.shape)),
                .init(name: "nextCursor", shape: .nullable(.string)),
            ])
    }

    init(_ page: UserPage) {
        users = page.users.map(GremlinUser.init)
        nextCursor = page.next
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(users, forKey: .users)
        try members.encode(nextCursor, forKey: .nextCursor)
    }
}
