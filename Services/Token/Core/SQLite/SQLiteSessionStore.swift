internal import Foundation
internal import GRDB
internal import InternalAPI
internal import SQLiteStore

/// Sessions in `tokens.sqlite`, shared with the replicas on this host.
struct SQLiteSessionStore: SessionStore {
    let database: SQLiteDatabase
    let userIDs: StoredUserID
    /// Whether successful refreshes leave audit records too (`audit.refresh: full`).
    let auditsRefreshes: Bool

    private static let byLocator = "SELECT \(SessionRecord.columns) FROM sessions WHERE locator = ?"

    func session(at locator: Int64) async throws -> SessionRecord? {
        try await database.read { try record(at: locator, in: $0) }
    }

    /// The session of a row.
    func record(at locator: Int64, in database: Database) throws -> SessionRecord? {
        // Off the cursor: fetching the row itself would copy every column of it once more. It ends with the cursor.
        let cursor = try Row.fetchCursor(database.cachedStatement(sql: Self.byLocator), arguments: [locator])
        return try withExtendedLifetime(cursor) {
            try cursor.next().flatMap { SessionRecord(row: $0, userIDs: userIDs) }
        }
    }

    /// The session of a `sid`.
    func record(named id: SessionID, in database: Database) throws -> SessionRecord? {
        let statement = try database.cachedStatement(sql: "SELECT \(SessionRecord.columns) FROM sessions WHERE sid = ?")
        return try Row.fetchOne(statement, arguments: [Data(id.bytes)])
            .flatMap { SessionRecord(row: $0, userIDs: userIDs) }
    }
}
