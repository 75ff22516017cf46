import Foundation
import GRDB
import InternalAPI
import SQLiteStore
import TokenCore

/// The sessions in `tokens.sqlite`, shared with the replicas on this host.
struct SQLiteSessionStore: SessionStore {
    let database: SQLiteDatabase
    let userIDs: StoredUserID
    /// Whether successful refreshes leave audit records too (`audit.refresh: full`).
    let auditsRefreshes: Bool
    let locators: LocatorSupply

    var revocations: SQLiteRevocations { SQLiteRevocations(database: database, userIDs: userIDs) }

    private static let byLocator = "SELECT \(SessionRecord.columns) FROM sessions WHERE locator = ?"
    private static let bySessionID = "SELECT \(SessionRecord.columns) FROM sessions WHERE sid = ?"

    func reserveLocator() async throws -> Int64 { try await locators.next() }

    func session(at locator: Int64) async throws -> SessionRecord? {
        try await database.readOnWriter { try record(at: locator, in: $0) }
    }

    /// Returns the session of a row.
    func record(at locator: Int64, in database: Database) throws -> SessionRecord? {
        try database.cachedStatement(sql: Self.byLocator).first([locator]) { SessionRecord($0, userIDs: userIDs) }
    }

    /// Returns the session of a `sid`.
    func record(named id: SessionID, in database: Database) throws -> SessionRecord? {
        let statement = try database.cachedStatement(sql: Self.bySessionID)
        return try statement.first([Data(id.bytes)]) { SessionRecord($0, userIDs: userIDs) }
    }
}
