import InternalAPI
import ServiceKit

/// The answer to a sign-in ("Sign In").
struct GremlinSignIn: Encodable {
    let user: GremlinUser
    let session: GremlinSession
}

/// The answer to a refresh.
struct GremlinRefresh: Encodable {
    let session: GremlinSession
}

/// A session's tokens; it ends for the client when its JWT does.
struct GremlinSession: Encodable {
    let token: String
    let refreshToken: String
    /// E.g. `2026-04-13T16:00:00Z`.
    let expiresAt: String

    init(_ tokens: TokenSet) {
        token = tokens.accessToken
        refreshToken = tokens.refreshToken
        expiresAt = ISOTime.text(tokens.accessExpiresAt) + "Z"
    }
}

/// A user, as he and administrators see him.
struct GremlinUser: Encodable {
    let id: String
    let email: String?
    let name: String?
    let role: String
    let isActive: Bool

    private enum CodingKeys: String, CodingKey {
        case id, email, name, role
        case isActive = "is_active"
    }

    /// Whoever signs in is active.
    init(_ user: UserDetails) {
        (id, email, name, role, isActive) = (user.id, user.email, user.name, user.role, true)
    }

    init(_ user: UserSummary) {
        (id, email, name, role, isActive) = (user.id, user.email, user.name, user.role, user.isActive)
    }

    /// What a user lacks is null, not absent.
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
struct GremlinUsers: Encodable {
    let users: [GremlinUser]
    /// Null after the last page.
    let nextCursor: String?

    private enum CodingKeys: String, CodingKey { case users, nextCursor }

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
