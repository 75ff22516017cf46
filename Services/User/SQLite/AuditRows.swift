import Foundation
import GRDB
import SQLiteStore
import UserCore

/// Appends rows to `audit`, inside the transaction of the change, so that no change is without its record.
struct AuditRows {
    private static let chain = AuditChain(
        columns: ["at", "event", "subject", "method", "session_id", "request_id", "detail"])

    let database: Database

    func append(_ entry: AuditEntry, now: Int64) throws {
        let origin = entry.origin
        try Self.chain.append(
            [
                now.databaseValue, entry.event.rawValue.databaseValue, Data(entry.subject.bytes).databaseValue,
                origin.method.databaseValue, origin.sessionID.databaseValue, origin.requestID.databaseValue,
                entry.detail.databaseValue,
            ], in: database)
    }
}
