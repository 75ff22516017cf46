import GRDB

@testable import SQLiteStore

extension Replica {
    /// Returns the audit's details of events of one kind, oldest first.
    func auditDetails(of event: String) async throws -> [String] {
        try await database.withReader { database in
            try String.fetchAll(
                database, sql: "SELECT COALESCE(detail, '') FROM audit WHERE event = ? ORDER BY number",
                arguments: [event])
        }
    }

    /// From now on no session can be read.
    func breakStore() async throws {
        try await database.withWriter { try $0.execute(sql: "ALTER TABLE sessions RENAME TO elsewhere") }
    }
}
