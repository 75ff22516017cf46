import Foundation
import GRDB
import InternalAPI
import UserCore

/// Reads and writes rows of `identities`, inside the caller's transaction.
struct IdentityRows {
    /// Stands where nobody has signed in with it here.
    private static let never: Int64 = 0

    let database: Database

    /// Gives `identity` to a user, and takes it from any other. A user who has it already keeps the time since which they do.
    ///
    /// - Parameter isUsed: whether he has signed in with it, and not only brought it along.
    func assign(_ identity: ProvedIdentity, to user: UserID, isUsed: Bool = true, now: Int64) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO identities (kind, value, user_id, created_at, last_used_at) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (kind, value) DO UPDATE SET user_id = excluded.user_id,
                    created_at = iif(user_id = excluded.user_id, created_at, excluded.created_at),
                    last_used_at = excluded.last_used_at
                """
        ).execute(
            arguments: [
                identity.kind.rawValue, identity.value, Data(user.bytes), now, isUsed ? now : Self.never,
            ])
    }

    /// Gives an identity another value, which no identity has.
    func rename(_ old: ProvedIdentity, to new: ProvedIdentity) throws {
        try database.cachedStatement(sql: "UPDATE identities SET value = ? WHERE kind = ? AND value = ?")
            .execute(arguments: [new.value, old.kind.rawValue, old.value])
    }

    /// Notes a sign-in: a number that is not used for long may belong to somebody else by now.
    func touch(_ identity: ProvedIdentity, now: Int64) throws {
        try database.cachedStatement(
            sql: "UPDATE identities SET last_used_at = max(last_used_at, ?) WHERE kind = ? AND value = ?"
        ).execute(arguments: [now, identity.kind.rawValue, identity.value])
    }

    /// The user who holds `identity`.
    func holder(of identity: ProvedIdentity) throws -> UserID? {
        let statement = try database.cachedStatement(
            sql: "SELECT user_id FROM identities WHERE kind = ? AND value = ?")
        return try Data.fetchOne(statement, arguments: [identity.kind.rawValue, identity.value])
            .flatMap { UserID(bytes: Array($0)) }
    }

    /// Whether a user has proved anything.
    func hasAny(_ user: UserID) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM identities WHERE user_id = ?)"),
            arguments: [Data(user.bytes)]) ?? false
    }

    /// A user's identities at Apple and OpenID Connect providers, oldest first.
    func atProviders(of user: UserID) throws -> [ProvedIdentity] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT kind, value FROM identities WHERE user_id = ? AND kind IN ('apple', 'oidc')
                ORDER BY created_at, kind, value
                """)
        return try Row.fetchAll(statement, arguments: [Data(user.bytes)]).compactMap { row in
            ProvedIdentity.Kind(rawValue: row[0]).map { ProvedIdentity(kind: $0, value: row[1]) }
        }
    }

    /// When a user last signed in with any of his; Unix seconds.
    func lastUse(by user: UserID) throws -> Int64? {
        try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT nullif(max(last_used_at), ?) FROM identities WHERE user_id = ?"),
            arguments: [Self.never, Data(user.bytes)])
    }
}
