import Storage
import UserCore

extension FactStatements {
    static let columns = "\(UserRows.columns), p.hash, p.version, p.changed_at, r.since, r.ends_at"
    static let parts =
        "LEFT JOIN passwords AS p ON p.user_id = u.id LEFT JOIN reviews AS r ON r.user_id = u.id"
    static let holder: SQL = "SELECT \(columns), CAST(NULL AS bigint) FROM users AS u \(parts)"
    static let holderByID: SQL = "\(holder) WHERE u.id = $1"
    static let holderByLegacyID: SQL = "\(holder) WHERE u.legacy_id = $1"
    static let holderByIdentity: SQL = """
        SELECT \(columns), i.created_at FROM identities AS i JOIN users AS u ON u.id = i.user_id \(parts)
        WHERE i.kind = $1 AND i.value = $2
        """
    static let holderByPasskey: SQL =
        "\(holder) WHERE u.id = (SELECT user_id FROM passkeys WHERE key = $1)"
    static let identitiesOfUser: SQL = """
        SELECT kind, value, created_at, last_used_at FROM identities WHERE user_id = $1 ORDER BY created_at, kind, value
        """
    static let tokensFrom: SQL = "SELECT tokens_from FROM identities WHERE kind = $1 AND value = $2"
    static let atProvider: SQL = """
        SELECT i.last_used_at, EXISTS (
            SELECT 1 FROM identities AS o WHERE o.user_id = i.user_id AND (o.kind, o.value) <> (i.kind, i.value))
        FROM identities AS i WHERE i.kind = $1 AND i.value = $2
        """
    /// The first condition is that of the index.
    static let administrators: SQL = """
        SELECT id FROM users WHERE role <> '\(User.defaultRole)' AND role = '\(User.administratorRole)' AND is_active
            AND deletion_due_at IS NULL LIMIT 2
        """
    static let claimant: SQL = """
        SELECT \(UserRows.columns), EXISTS (SELECT 1 FROM identities WHERE user_id = u.id)
            OR EXISTS (SELECT 1 FROM passkeys WHERE user_id = u.id)
        FROM unverified_addresses AS a JOIN users AS u ON u.id = a.user_id WHERE a.address = $1
        """
    static let removal: SQL = """
        SELECT 1 FROM removed_users WHERE id = $1 UNION ALL SELECT 1 FROM merged_users WHERE id = $1
        """
    static let invitation: SQL = """
        SELECT id, role, expires_at FROM invitations WHERE kind = $1 AND value = $2 AND expires_at > $3
        """
    static let registrations: SQL = """
        SELECT id, hash, name, created_at, expires_at FROM registrations
        WHERE address = $1 AND expires_at > $2 ORDER BY created_at, id
        """
    static let answer: SQL = """
        SELECT answer, user_id, ends_sessions, expires_at FROM first_answers WHERE call = $1 AND expires_at > $2
        """
}
