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
    let metadata: UserMetadata?

    init(_ user: UserSummary) {
        (id, phoneNumber, email, name) = (user.id, user.phoneNumber, user.email, user.name)
        (role, isActive, attributes) = (user.role, user.isActive, user.attributes ?? UserAttributes())
        (createdAt, updatedAt, lastSignInAt) = (user.createdAt, user.updatedAt, user.lastSignInAt)
        (deletionDueAt, sessionCount, isForReview) = (user.deletionDueAt, user.sessionCount, user.isForReview)
        identities = user.identities?.map { AdminIdentity(provider: $0.provider, subject: $0.subject) }
        pending = user.pending?.map(AdminPending.init)
        (legacyId, mergedInto, version) = (user.legacyID, user.mergedInto, user.version)
        metadata = user.metadata
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

/// A change of a user by an administrator. Missing members keep their values; a `name` of null is removed.
struct AdminChange: Decodable, Sendable, ShapeStating {
    private enum CodingKeys: String, CodingKey { case role, name, isActive }

    let role: String?
    /// Empty for none.
    let name: String?
    let isActive: Bool?
    /// A JSON merge patch of the metadata's `app`, as JSON.
    let appPatch: String?

    static var shape: JSONShape {
        .object(
            name: "AdminChange",
            [
                .init(name: "role", shape: .string, isRequired: false),
                .init(name: "name", shape: .nullable(.string), isRequired: false),
                .init(name: "isActive", shape: .boolean, isRequired: false), MetadataPatch.shape(of: "app"),
            ])
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        role = try members.decodeIfPresent(String.self, forKey: .role)
        let removesName = try members.contains(.name) && members.decodeNil(forKey: .name)
        name = removesName ? "" : try members.decodeIfPresent(String.self, forKey: .name)
        isActive = try members.decodeIfPresent(Bool.self, forKey: .isActive)
        appPatch = try MetadataPatch.text(of: "app", in: try decoder.container(keyedBy: MemberName.self))
    }
}

/// A new user. At least one of `phoneNumber` and `email` is required.
struct AdminCreation: Codable, Sendable {
    let phoneNumber: String?
    let email: String?
    let emailVerified: Bool?
    let name: String?
    let role: String?
}

/// A phone number: a new one for a user who has lost theirs, or one that is unlocked or under review access.
struct AdminPhone: Codable, Sendable {
    let phoneNumber: String
}

/// The response to an unlocking.
struct AdminUnlocked: Codable, Sendable {
    let wasLocked: Bool
}

/// An invitation.
struct AdminInvitation: Codable, Sendable {
    let to: String
    let role: String?
}

/// The response to an invitation.
struct AdminInvited: Codable, Sendable {
    let expiresAt: Int64
    let isMailed: Bool
}

/// The response to a deletion.
struct AdminDeletion: Codable, Sendable {
    let deletionDueAt: Int64
}

/// The response to an end of sessions.
struct AdminEndedSessions: Codable, Sendable {
    let endedCount: Int
}

/// A page of the open reviews of accounts; times are Unix seconds.
struct AdminReviewPage: Codable, Sendable {
    struct AdminReview: Codable, Sendable {
        let userId: String
        let since: Int64
        let openedAt: Int64
    }

    let reviews: [AdminReview]
    let nextCursor: String?

    init(_ page: AccountReviewPage) {
        reviews = page.reviews.map { AdminReview(userId: $0.userID, since: $0.since, openedAt: $0.openedAt) }
        nextCursor = page.reviews.count == AccountReviewPage.reviewsMax ? page.reviews.last?.userID : nil
    }
}

/// The end of a review.
struct AdminReviewDecision: Codable, Sendable {
    enum Decision: String, Codable, Sendable, CaseIterable {
        /// The account is its user's. Everything that it has signs in.
        case clear
        /// It is not known whose the account is. It is deactivated, and the review stays open.
        case block
    }

    let decision: Decision
}
