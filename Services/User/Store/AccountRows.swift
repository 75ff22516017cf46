import InternalAPI
import Storage
import UserCore

/// Writes passwords, registrations, links, invitations and first responses.
enum AccountRows {
    static func setPassword(_ password: StoredPassword, of user: UserID, in transaction: any Transaction) throws {
        try transaction.run(
            """
            INSERT INTO passwords (user_id, hash, version, changed_at) VALUES ($1, $2, $3, $4)
            ON CONFLICT (user_id) DO UPDATE SET hash = excluded.hash, version = excluded.version,
                changed_at = coalesce(excluded.changed_at, passwords.changed_at)
            """, user.bytes, password.hash, password.version, password.changedAt)
    }

    static func removePassword(of user: UserID, in transaction: any Transaction) throws {
        try transaction.run("DELETE FROM passwords WHERE user_id = $1", user.bytes)
    }

    static func insert(_ registration: Registration, in transaction: any Transaction) throws {
        try transaction.run(
            """
            INSERT INTO registrations (id, address, hash, name, created_at, expires_at)
            VALUES ($1, $2, $3, $4, $5, $6)
            """, registration.id.bytes, registration.address, registration.passwordHash, registration.name,
            registration.createdAt, registration.expiresAt)
    }

    static func endRegistration(_ id: UserID, in transaction: any Transaction) throws {
        try endLinks(of: id, in: transaction)
        try transaction.run("DELETE FROM registrations WHERE id = $1", id.bytes)
    }

    static func endRegistrations(of address: String, in transaction: any Transaction) throws {
        try transaction.run(
            "DELETE FROM account_links WHERE subject IN (SELECT id FROM registrations WHERE address = $1)", address)
        try transaction.run("DELETE FROM registrations WHERE address = $1", address)
    }

    static func insert(_ link: AccountLink, in transaction: any Transaction) throws {
        try transaction.run(
            """
            INSERT INTO account_links (hash, purpose, subject, address, created_at, expires_at)
            VALUES ($1, $2, $3, $4, $5, $6)
            """, link.hash, link.purpose.rawValue, link.subject.bytes, link.address, link.createdAt, link.expiresAt)
    }

    /// Removes the links of a user, a registration or an invitation, except those by which the user reports changes.
    static func endLinks(of subject: UserID, in transaction: any Transaction) throws {
        try transaction.run(
            "DELETE FROM account_links WHERE subject = $1 AND purpose <> $2", subject.bytes,
            AccountLink.Purpose.notMe.rawValue)
    }

    /// Removes the links by which a user reports changes since a Unix time in seconds.
    static func endNotMeLinks(of user: UserID, since: Int64, in transaction: any Transaction) throws {
        try transaction.run(
            "DELETE FROM account_links WHERE subject = $1 AND purpose = $2 AND created_at >= $3", user.bytes,
            AccountLink.Purpose.notMe.rawValue, since)
    }

    static func insert(_ invitation: Invitation, in transaction: any Transaction) throws {
        try transaction.run(
            """
            INSERT INTO invitations (kind, value, id, role, expires_at) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (kind, value) DO UPDATE SET id = excluded.id, role = excluded.role,
                expires_at = excluded.expires_at
            """, invitation.identity.kind.rawValue, invitation.identity.value, invitation.id.bytes, invitation.role,
            invitation.expiresAt)
    }

    /// Moves an invitation to a new value, which has at most an expired invitation. Its id and its expiry stay.
    static func rename(_ invitation: Invitation, to new: VerifiedIdentity, in transaction: any Transaction) throws {
        let (kind, old) = (invitation.identity.kind.rawValue, invitation.identity.value)
        try transaction.run("DELETE FROM invitations WHERE kind = $1 AND value = $2", kind, new.value)
        try transaction.run("UPDATE invitations SET value = $3 WHERE kind = $1 AND value = $2", kind, old, new.value)
    }

    static func endInvitation(_ invitation: Invitation, in transaction: any Transaction) throws {
        try endLinks(of: invitation.id, in: transaction)
        try transaction.run(
            "DELETE FROM invitations WHERE kind = $1 AND value = $2", invitation.identity.kind.rawValue,
            invitation.identity.value)
    }

    /// Stores a response, which replaces an expired one with the same tag.
    static func insert(_ answer: FirstAnswer, in transaction: any Transaction) throws {
        try transaction.run(
            """
            INSERT INTO first_answers (call, answer, user_id, ends_sessions, expires_at) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (call) DO UPDATE SET answer = excluded.answer, user_id = excluded.user_id,
                ends_sessions = excluded.ends_sessions, expires_at = excluded.expires_at
            """, answer.call.bytes, answer.answer, answer.user?.bytes, answer.endsSessions, answer.expiresAt)
    }

    /// Removes all responses that concern a user. Few are stored, and not for long, so there is no index.
    static func deleteAnswers(about user: UserID, in transaction: any Transaction) throws {
        try transaction.run("DELETE FROM first_answers WHERE user_id = $1", user.bytes)
    }
}
