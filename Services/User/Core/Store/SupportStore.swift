package import InternalAPI

/// Users as the operator and administrators see them; no look without its audit record, durable before any call returns.
package protocol SupportStore: Sendable {
    /// The user whom a key means; nil for none.
    func look(for key: UserKey, origin: RequestOrigin, now: Int64) async throws -> SeenUser?

    /// Users in the order of their ids, newest first, behind `last`.
    ///
    /// - Parameter looker: under whom the record stands; `Pseudonym.nobody` for the operator.
    func look(
        behind last: UserID?, limit: Int, by looker: Pseudonym, origin: RequestOrigin, now: Int64
    ) async throws -> [SeenUser]

    /// Notes that somebody who may not look at users has asked to.
    func noteRefusedLook(by asker: Pseudonym, origin: RequestOrigin, now: Int64) async throws
}

/// What tells one user from all others.
package enum UserKey: Sendable, Equatable {
    case id(UserID)
    case identity(ProvedIdentity)
}

/// A user, and when he last signed in.
package struct SeenUser: Sendable, Equatable {
    package let user: User
    /// Unix time in seconds; nil for a user whose identities went to another account, or who was moved in and has not signed in
    /// since.
    package let lastSignInAt: Int64?

    package init(user: User, lastSignInAt: Int64?) {
        self.user = user
        self.lastSignInAt = lastSignInAt
    }
}
