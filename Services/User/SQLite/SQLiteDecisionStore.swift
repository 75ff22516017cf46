import SQLiteStore
import Storage
import UserCore

/// Security decisions in `users.sqlite`.
struct SQLiteDecisionStore: DecisionStore {
    let database: SQLiteDatabase

    func decisions(after sequence: Int64, limit: Int) async throws -> [RecordedDecision] {
        try await database.read { try DecisionRows(database: $0).decisions(after: sequence, limit: limit) }
    }

    func take(_ lease: Lease, now: Int64) async throws -> Bool {
        try await SQLiteLeases(database: database).take(lease, now: now)
    }
}
