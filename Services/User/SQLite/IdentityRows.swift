import GRDB
import InternalAPI
import UserCore

/// Reads and writes rows of `identities`, inside the caller's transaction.
struct IdentityRows {
    /// The value of `last_used_at` if there was no sign-in with the identity.
    private static let never: Int64 = 0

    let database: Database

    /// Gives `identity` to a user; any other user loses it. If the user has it already, its creation time stays.
    ///
    /// No two identities of a user and a kind have the same creation time, since it identifies a lost one in security decisions.
    ///
    /// - Parameter isUsed: whether the user has signed in with the identity; `false` if it was only imported.
    func assign(_ identity: ProvedIdentity, to user: UserID, isUsed: Bool = true, now: Int64) throws {
        try database.run(
            """
            INSERT INTO identities (kind, value, user_id, created_at, last_used_at) VALUES (?1, ?2, ?3, (
                SELECT max(?4, ifnull(max(created_at) + 1, 0)) FROM identities WHERE user_id = ?3 AND kind = ?1), ?5)
            ON CONFLICT (kind, value) DO UPDATE SET user_id = excluded.user_id,
                created_at = iif(user_id = excluded.user_id, created_at, excluded.created_at),
                last_used_at = excluded.last_used_at
            """, [identity.kind.rawValue, identity.value, user, now, isUsed ? now : Self.never])
    }

    /// Gives an identity another value, which no identity has yet.
    func rename(_ old: ProvedIdentity, to new: ProvedIdentity) throws {
        try database.run(
            "UPDATE identities SET value = ? WHERE kind = ? AND value = ?", [new.value, old.kind.rawValue, old.value])
    }

    /// Records a sign-in, since a phone number that is not used for long may belong to somebody else by now.
    func touch(_ identity: ProvedIdentity, now: Int64) throws {
        try database.run(
            "UPDATE identities SET last_used_at = max(last_used_at, ?) WHERE kind = ? AND value = ?",
            [now, identity.kind.rawValue, identity.value])
    }

    /// Returns the user who holds `identity`.
    func holder(of identity: ProvedIdentity) throws -> UserID? {
        try database.value(
            "SELECT user_id FROM identities WHERE kind = ? AND value = ?", [identity.kind.rawValue, identity.value])
    }

    /// Returns the Unix time in seconds before which the provider's tokens for an identity are refused.
    func tokensFrom(of identity: ProvedIdentity) throws -> Int64? {
        try database.value(
            "SELECT tokens_from FROM identities WHERE kind = ? AND value = ?", [identity.kind.rawValue, identity.value])
    }

    func refuseTokens(of identity: ProvedIdentity, before time: Int64) throws {
        try database.run(
            """
            UPDATE identities SET tokens_from = max(ifnull(tokens_from, 0), ?) WHERE kind = ? AND value = ?
            """, [time, identity.kind.rawValue, identity.value])
    }

    /// Removes an identity from its holder.
    func delete(_ identity: ProvedIdentity) throws {
        try database.run(
            "DELETE FROM identities WHERE kind = ? AND value = ?", [identity.kind.rawValue, identity.value])
    }

    /// Returns the Unix time in seconds of the last sign-in with an identity; 0 if there was none.
    func lastUse(of identity: ProvedIdentity) throws -> Int64 {
        try database.value(
            "SELECT last_used_at FROM identities WHERE kind = ? AND value = ?",
            [identity.kind.rawValue, identity.value])
            ?? Self.never
    }

    /// Whether a user has an identity besides this one.
    func hasOther(_ user: UserID, than identity: ProvedIdentity) throws -> Bool {
        try database.value(
            "SELECT EXISTS (SELECT 1 FROM identities WHERE user_id = ? AND NOT (kind = ? AND value = ?))",
            [user, identity.kind.rawValue, identity.value]) ?? false
    }

    /// Whether a user has a verified identity.
    func hasAny(_ user: UserID) throws -> Bool {
        try database.value("SELECT EXISTS (SELECT 1 FROM identities WHERE user_id = ?)", [user]) ?? false
    }

    /// Returns a user's identities at Apple and OpenID Connect providers, oldest first.
    func atProviders(of user: UserID) throws -> [ProvedIdentity] {
        try database.rows(
            """
            SELECT kind, value FROM identities WHERE user_id = ? AND kind NOT IN ('phone', 'email')
            ORDER BY created_at, kind, value
            """, [user]
        ).compactMap { row in
            ProvedIdentity.Kind(rawValue: row[0]).map { ProvedIdentity(kind: $0, value: row[1]) }
        }
    }

    /// Returns the Unix time in seconds at which a user last signed in with any of their identities.
    func lastUse(by user: UserID) throws -> Int64? {
        try database.value(
            "SELECT nullif(max(last_used_at), ?) FROM identities WHERE user_id = ?", [Self.never, user])
    }
}
