import InternalAPI
import Storage
import UserCore

/// Writes rows of `identities` and of unverified email addresses.
enum IdentityRows {
    /// The value of `last_used_at` if there was no sign-in with the identity.
    static let never: Int64 = 0

    /// Gives `identity` to a user; any other user loses it. If the user has it already, its creation time stays.
    ///
    /// No two identities of a user and a kind have the same creation time, since it identifies a lost one in security decisions.
    ///
    /// - Parameters:
    ///   - since: the Unix time in seconds since which the user has it.
    ///   - usedAt: the Unix time in seconds of the last sign-in, or `never`.
    static func assign(
        _ identity: VerifiedIdentity, to user: UserID, since: Int64, usedAt: Int64, in transaction: any Transaction
    ) throws {
        try transaction.run(
            """
            INSERT INTO identities (kind, value, user_id, created_at, last_used_at) VALUES ($1, $2, $3, (
                SELECT greatest(CAST($4 AS bigint), coalesce(max(created_at) + 1, 0)) FROM identities
                WHERE user_id = $3 AND kind = $1), $5)
            ON CONFLICT (kind, value) DO UPDATE SET user_id = excluded.user_id, last_used_at = excluded.last_used_at,
                created_at = CASE WHEN identities.user_id = excluded.user_id THEN identities.created_at
                    ELSE excluded.created_at END
            """, identity.kind.rawValue, identity.value, user.bytes, since, usedAt)
    }

    /// Gives an identity another value, which no identity has yet.
    static func rename(_ old: VerifiedIdentity, to new: VerifiedIdentity, in transaction: any Transaction) throws {
        try transaction.run(
            "UPDATE identities SET value = $3 WHERE kind = $1 AND value = $2", old.kind.rawValue, old.value, new.value)
    }

    /// Records a sign-in, since a phone number that is not used for long may belong to somebody else by now.
    static func touch(_ identity: VerifiedIdentity, now: Int64, in transaction: any Transaction) throws {
        try transaction.run(
            "UPDATE identities SET last_used_at = greatest(last_used_at, $3) WHERE kind = $1 AND value = $2",
            identity.kind.rawValue, identity.value, now)
    }

    /// Refuses tokens that the identity's provider issued before a Unix time in seconds. An earlier call's later time stays.
    static func refuseTokens(of identity: VerifiedIdentity, before time: Int64, in transaction: any Transaction) throws
    {
        try transaction.run(
            "UPDATE identities SET tokens_from = greatest(tokens_from, $3) WHERE kind = $1 AND value = $2",
            identity.kind.rawValue, identity.value, time)
    }

    /// Removes an identity from its holder.
    static func delete(_ identity: VerifiedIdentity, in transaction: any Transaction) throws {
        try transaction.run(
            "DELETE FROM identities WHERE kind = $1 AND value = $2", identity.kind.rawValue, identity.value)
    }

    /// Gives a user an email address that they have not verified.
    static func claim(_ address: String, by user: UserID, now: Int64, in transaction: any Transaction) throws {
        try transaction.run(
            "INSERT INTO unverified_addresses (address, user_id, created_at) VALUES ($1, $2, $3)", address, user.bytes,
            now)
    }

    static func endClaims(of user: UserID, in transaction: any Transaction) throws {
        try transaction.run("DELETE FROM unverified_addresses WHERE user_id = $1", user.bytes)
    }

    static func endClaim(_ identity: VerifiedIdentity, in transaction: any Transaction) throws {
        try transaction.run("DELETE FROM unverified_addresses WHERE address = $1", identity.value)
    }
}
