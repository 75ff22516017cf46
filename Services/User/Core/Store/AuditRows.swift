internal import Foundation
internal import GRDB

/// Appends rows to `audit`, inside the transaction of the act: no audit, no act.
struct AuditRows {
    let database: Database

    func append(_ entry: AuditEntry, now: Int64) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO audit (at, event, subject, method, session_id, request_id, detail)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                now, entry.event.rawValue, Data(entry.subject.bytes), entry.origin.method, entry.origin.sessionID,
                entry.origin.requestID, entry.detail,
            ])
    }
}
