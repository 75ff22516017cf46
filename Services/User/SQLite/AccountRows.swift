import Foundation
import GRDB
import InternalAPI
import SQLiteStore
import UserCore

/// Reads and writes passwords, registrations, invitations, links and first responses, inside the caller's transaction.
struct AccountRows {
    let database: Database

    // MARK: - Reading

    func password(of user: UserID) throws -> StoredPassword? {
        try database.row("SELECT hash, version, changed_at FROM passwords WHERE user_id = ?", [user]).map {
            StoredPassword(
                hash: try $0.decode(forColumn: "hash"), version: try $0.decode(forColumn: "version"),
                changedAt: try $0.decode(forColumn: "changed_at"))
        }
    }

    func registrations(of address: String, openAt now: Int64) throws -> [Registration] {
        try database.rows(
            """
            SELECT id, hash, name, created_at, expires_at FROM registrations
            WHERE address = ? AND expires_at > ? ORDER BY created_at, id
            """, [address, now]
        ).map { row in
            Registration(
                id: try row.decode(forColumn: "id"), address: address, passwordHash: try row.decode(forColumn: "hash"),
                name: try row.decode(forColumn: "name"), createdAt: try row.decode(forColumn: "created_at"),
                expiresAt: try row.decode(forColumn: "expires_at"))
        }
    }

    func invitation(of identity: ProvedIdentity, openAt now: Int64) throws -> Invitation? {
        try database.row(
            "SELECT id, role, expires_at FROM invitations WHERE kind = ? AND value = ? AND expires_at > ?",
            [identity.kind.rawValue, identity.value, now]
        ).map { try Self.invitation($0, identity) }
    }

    /// Open invitations, the first to expire first.
    func invitations(openAt now: Int64, limit: Int) throws -> [Invitation] {
        try database.rows(
            """
            SELECT id, kind, value, role, expires_at FROM invitations WHERE expires_at > ?
            ORDER BY expires_at, value LIMIT ?
            """, [now, limit]
        ).compactMap { row in
            guard let kind = ProvedIdentity.Kind(rawValue: try row.decode(forColumn: "kind")) else { return nil }
            return try Self.invitation(row, ProvedIdentity(kind: kind, value: try row.decode(forColumn: "value")))
        }
    }

    private static func invitation(_ row: Row, _ identity: ProvedIdentity) throws -> Invitation {
        Invitation(
            id: try row.decode(forColumn: "id"), identity: identity, role: try row.decode(forColumn: "role"),
            expiresAt: try row.decode(forColumn: "expires_at"))
    }

    func link(_ hash: [UInt8], openAt now: Int64) throws -> AccountLink? {
        try database.row(
            "SELECT purpose, subject, address, expires_at FROM account_links WHERE hash = ? AND expires_at > ?",
            [Data(hash), now]
        ).flatMap { row in
            guard let purpose = AccountLink.Purpose(rawValue: try row.decode(forColumn: "purpose")) else { return nil }
            return AccountLink(
                hash: hash, purpose: purpose, subject: try row.decode(forColumn: "subject"),
                address: try row.decode(forColumn: "address"), expiresAt: try row.decode(forColumn: "expires_at"))
        }
    }

    func firstAnswer(_ call: CallTag, at now: Int64) throws -> FirstAnswer? {
        try database.row(
            "SELECT answer, user_id, ends_sessions, expires_at FROM first_answers WHERE call = ? AND expires_at > ?",
            [Data(call.bytes), now]
        ).map { row in
            FirstAnswer(
                call: call, answer: Array(try row.decode(Data.self, forColumn: "answer")),
                user: try row.decode(forColumn: "user_id"), endsSessions: try row.decode(forColumn: "ends_sessions"),
                expiresAt: try row.decode(forColumn: "expires_at"))
        }
    }

    // MARK: - Writing

    func setPassword(_ password: StoredPassword, of user: UserID) throws {
        try database.run(
            """
            INSERT INTO passwords (user_id, hash, version, changed_at) VALUES (?, ?, ?, ?)
            ON CONFLICT (user_id) DO UPDATE SET hash = excluded.hash, version = excluded.version,
                changed_at = coalesce(excluded.changed_at, changed_at)
            """, [user, password.hash, password.version, password.changedAt])
    }

    func removePassword(of user: UserID) throws {
        try database.run("DELETE FROM passwords WHERE user_id = ?", [user])
    }

    func insert(_ registration: Registration) throws {
        try database.run(
            "INSERT INTO registrations (id, address, hash, name, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)",
            [
                registration.id, registration.address, registration.passwordHash, registration.name,
                registration.createdAt, registration.expiresAt,
            ])
    }

    func endRegistration(_ id: UserID) throws {
        try endLinks(of: id)
        try database.run("DELETE FROM registrations WHERE id = ?", [id])
    }

    func endRegistrations(of address: String) throws {
        try database.run(
            "DELETE FROM account_links WHERE subject IN (SELECT id FROM registrations WHERE address = ?)", [address])
        try database.run("DELETE FROM registrations WHERE address = ?", [address])
    }

    func insert(_ link: AccountLink) throws {
        try database.run(
            "INSERT INTO account_links (hash, purpose, subject, address, expires_at) VALUES (?, ?, ?, ?, ?)",
            [Data(link.hash), link.purpose.rawValue, link.subject, link.address, link.expiresAt])
    }

    func setExpiry(of hash: [UInt8], to expiresAt: Int64) throws {
        try database.run("UPDATE account_links SET expires_at = ? WHERE hash = ?", [expiresAt, Data(hash)])
    }

    func endLinks(of subject: UserID) throws {
        try database.run("DELETE FROM account_links WHERE subject = ?", [subject])
    }

    /// Removes all links, since a restored file contains links that were used after the backup.
    func endAllLinks() throws { try database.run("DELETE FROM account_links") }

    func insert(_ invitation: Invitation) throws {
        try database.run(
            """
            INSERT INTO invitations (kind, value, id, role, expires_at) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (kind, value) DO UPDATE SET id = excluded.id, role = excluded.role,
                expires_at = excluded.expires_at
            """,
            [
                invitation.identity.kind.rawValue, invitation.identity.value, invitation.id,
                invitation.role, invitation.expiresAt,
            ])
    }

    /// Moves an invitation to a new value, which has at most an expired invitation. Its id and its expiry stay.
    func rename(_ invitation: Invitation, to new: ProvedIdentity) throws {
        let (kind, old) = (invitation.identity.kind.rawValue, invitation.identity.value)
        try database.run("DELETE FROM invitations WHERE kind = ? AND value = ?", [kind, new.value])
        try database.run("UPDATE invitations SET value = ? WHERE kind = ? AND value = ?", [new.value, kind, old])
    }

    func endInvitation(_ invitation: Invitation) throws {
        try endLinks(of: invitation.id)
        try database.run(
            "DELETE FROM invitations WHERE kind = ? AND value = ?",
            [invitation.identity.kind.rawValue, invitation.identity.value])
    }

    /// Stores a response, which replaces an expired one with the same tag.
    func insert(_ answer: FirstAnswer) throws {
        try database.run(
            """
            INSERT INTO first_answers (call, answer, user_id, ends_sessions, expires_at) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (call) DO UPDATE SET answer = excluded.answer, user_id = excluded.user_id,
                ends_sessions = excluded.ends_sessions, expires_at = excluded.expires_at
            """,
            [
                Data(answer.call.bytes), Data(answer.answer), answer.user, answer.endsSessions,
                answer.expiresAt,
            ])
    }

    /// Removes all responses that concern a user. Few are stored, and not for long, so there is no index.
    func deleteAnswers(about user: UserID) throws {
        try database.run("DELETE FROM first_answers WHERE user_id = ?", [user])
    }
}
