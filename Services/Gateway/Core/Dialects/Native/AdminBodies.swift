import AuthAPI
import InternalAPI

/// A user, as administrators see them; times are Unix seconds.
struct AdminUser: Codable, Sendable {
    let id: String
    let phoneNumber: String?
    let email: String?
    let name: String?
    let role: String
    let isActive: Bool
    let attributes: UserAttributes
    let createdAt: Int64
    let updatedAt: Int64?
    let lastSignInAt: Int64?
    let deletionDueAt: Int64?
    let sessionCount: Int?
    let identities: [AdminIdentity]?
    let pending: [AdminPending]?
    let isForReview: Bool?
    let legacyId: String?
    let mergedInto: String?
    let version: String?

    init(_ user: UserSummary) {
        (id, phoneNumber, email, name) = (user.id, user.phoneNumber, user.email, user.name)
        (role, isActive, attributes) = (user.role, user.isActive, user.attributes ?? UserAttributes())
        (createdAt, updatedAt, lastSignInAt) = (user.createdAt, user.updatedAt, user.lastSignInAt)
        (deletionDueAt, sessionCount, isForReview) = (user.deletionDueAt, user.sessionCount, user.isForReview)
        identities = user.identities?.map { AdminIdentity(provider: $0.provider, subject: $0.subject) }
        pending = user.pending?.map(AdminPending.init)
        (legacyId, mergedInto, version) = (user.legacyID, user.mergedInto, user.version)
    }
}

/// An account at Apple or an OpenID Connect provider.
struct AdminIdentity: Codable, Sendable {
    let provider: String
    let subject: String
}

/// A change of a user's identities that waits.
struct AdminPending: Codable, Sendable {
    let kind: String
    let movesAt: Int64?
    let phoneNumber: String?
    let from: String?
    let into: String?

    init(_ pending: PendingSummary) {
        (kind, movesAt, phoneNumber) = (pending.kind.rawValue, pending.movesAt, pending.number)
        (from, into) = (pending.from, pending.into)
    }
}

/// A page of users.
struct AdminUserPage: Codable, Sendable {
    let users: [AdminUser]
    let nextCursor: String?

    init(_ page: UserPage) { (users, nextCursor) = (page.users.map(AdminUser.init), page.next) }
}
