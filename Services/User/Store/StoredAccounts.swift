import InternalAPI
import Storage
import UserCore

/// Reads accounts for the copies of users' data.
enum StoredAccounts {
    /// Reads an account and everything that belongs to it, in one round trip; `nil` if there is no such user.
    static func account(_ id: UserID, in reader: any StatementReader) throws -> StoredAccount? {
        let results = try reader.results(statements.map { Statement($0, id.bytes) })
        guard results.count == statements.count, let user = try results[0].first.flatMap(UserRows.user) else {
            return nil
        }
        return StoredAccount(
            user: user, identities: results[1].map(identity), passkeys: try results[9].map(PasskeyRows.passkey),
            unverifiedEmails: results[2].map { ExportedAddress(address: $0.text(0), addedAt: $0.integer(1)) },
            hasPassword: !results[3].isEmpty, passwordChangedAt: results[3].first?.optionalInteger(0),
            appleTokens: results[4].map {
                ExportedAppleToken(subject: $0.text(0), clientID: $0.text(1), signedInAt: $0.integer(2))
            },
            pendingChanges: try results[5].map(PendingRows.change),
            review: try results[6].first.map(ReviewRows.review), merged: try results[7].map(MergedRows.merged),
            links: results[8].map {
                ExportedLink(
                    purpose: $0.text(0), address: $0.text(1), createdAt: $0.integer(2), expiresAt: $0.integer(3))
            }, hasTOTP: !results[10].isEmpty, recoveryCodesLeft: results[11].first?.integer(0) ?? 0)
    }

    static let decisions: SQL = """
        SELECT sequence, at, kind, subject, detail FROM decisions WHERE subject = $1 AND sequence > $2
        ORDER BY sequence LIMIT $3
        """

    private static let statements: [SQL] = [
        UserRows.byID,
        """
        SELECT kind, value, created_at, nullif(last_used_at, \(IdentityRows.never)), tokens_from FROM identities
        WHERE user_id = $1 ORDER BY created_at, kind, value
        """,
        "SELECT address, created_at FROM unverified_addresses WHERE user_id = $1 ORDER BY address",
        "SELECT changed_at FROM passwords WHERE user_id = $1",
        "SELECT subject, client_id, signed_in_at FROM apple_tokens WHERE user_id = $1 ORDER BY subject, client_id",
        PendingRows.ofUser,
        "SELECT user_id, since, opened_at FROM reviews WHERE user_id = $1",
        "\(MergedRows.intoUser) ORDER BY id",
        """
        SELECT purpose, address, created_at, expires_at FROM account_links WHERE subject = $1
        ORDER BY created_at, purpose, address
        """,
        PasskeyRows.ofUser,
        "SELECT 1 FROM totp WHERE user_id = $1 AND activated_at IS NOT NULL",
        "SELECT count(*) FROM recovery_codes WHERE user_id = $1 AND used_at IS NULL",
    ]

    private static func identity(_ row: Row) -> ExportedIdentity {
        ExportedIdentity(
            kind: row.text(0), value: row.text(1), addedAt: row.integer(2), lastUsedAt: row.optionalInteger(3),
            tokensRefusedBefore: row.optionalInteger(4))
    }
}
