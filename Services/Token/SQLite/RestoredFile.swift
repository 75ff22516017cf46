import GRDB
import SQLiteStore
import TokenCore

/// Revokes everything that a backup restored, since sessions that were signed out after the backup would be live again.
enum RestoredFile {
    /// Runs in the transaction that handles a restore, before a replica serves any request.
    ///
    /// Access tokens become invalid with their keys: the `kid`s are published to Redis like those of an emergency. Earlier grants
    /// are below the epoch. Names of keys are kept, so that none is used twice.
    static func begin(_ floor: Int64, now: Int64, in database: Database) throws {
        let sessions = try Int64.fetchOne(database, sql: "SELECT count(*) FROM sessions WHERE is_revoked = 0") ?? 0
        try endSessions(floor, in: database)
        try endKeys(now: now, in: database)
        try AuditRecord(event: .epochBegun, detail: "epoch \(floor), \(sessions) sessions ended")
            .insert(at: now, into: database)
    }

    private static func endSessions(_ floor: Int64, in database: Database) throws {
        // Without a condition SQLite frees the table's pages unread: a million rows take milliseconds.
        try database.execute(sql: "DELETE FROM sessions")
        try database.execute(sql: "DELETE FROM user_epochs WHERE epoch <= ?", arguments: [floor])
        let last = try SessionRecord.locator(beforeEpoch: floor)
        try database.execute(
            sql: """
                INSERT INTO sqlite_sequence (name, seq) SELECT 'sessions', 0
                    WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'sessions');
                UPDATE sqlite_sequence SET seq = max(seq, \(last)) WHERE name = 'sessions'
                """)
    }

    private static func endKeys(now: Int64, in database: Database) throws {
        let ended = try String.fetchAll(
            database, sql: "SELECT kid FROM signing_keys WHERE state <> 'gone' ORDER BY kid")
        try database.execute(sql: "UPDATE key_revocations SET published = 0")
        for keyID in ended { try SQLiteSigningKeys.end(keyID, by: nil, now: now, in: database) }
    }
}
