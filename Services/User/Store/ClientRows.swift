import Storage
import UserCore

/// Reads and writes rows of `clients`.
enum ClientRows {
    private static let columns: SQL =
        "id, sid, role, created_at, secret, secret_at, older_secret, older_secret_at, key, older_key, revoked_at"

    static let byID: SQL = "SELECT \(columns) FROM clients WHERE id = $1"
    static let all: SQL = "SELECT \(columns) FROM clients ORDER BY id"

    static func client(_ row: Row) -> APIClient {
        let newest = APIClient.Secret(hash: row.bytes(4), madeAt: row.integer(5))
        let older = row.optionalBytes(6).map { APIClient.Secret(hash: $0, madeAt: row.integer(7)) }
        return APIClient(
            id: row.text(0), sid: row.bytes(1), role: row.text(2), createdAt: row.integer(3),
            secrets: [newest] + [older].compactMap { $0 },
            keys: [row.optionalText(8), row.optionalText(9)].compactMap { $0 },
            revokedAt: row.optionalInteger(10))
    }

    static func store(_ client: APIClient, in transaction: any Transaction) throws {
        guard let newest = client.secrets.first else { throw StorageError(.other, "a client without a secret") }
        let older = client.secrets.dropFirst().first
        try transaction.run(
            """
            INSERT INTO clients (\(columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
            ON CONFLICT (id) DO UPDATE SET secret = excluded.secret, secret_at = excluded.secret_at,
                older_secret = excluded.older_secret, older_secret_at = excluded.older_secret_at, key = excluded.key,
                older_key = excluded.older_key, revoked_at = excluded.revoked_at
            """, client.id, client.sid, client.role, client.createdAt, newest.hash, newest.madeAt, older?.hash,
            older?.madeAt, client.keys.first, client.keys.dropFirst().first, client.revokedAt)
    }

    static func remove(_ id: String, in transaction: any Transaction) throws {
        try transaction.run("DELETE FROM clients WHERE id = $1", id)
    }
}
