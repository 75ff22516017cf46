import Foundation
import GRDB
import InternalAPI
import SQLiteStore
import UserCore

extension SQLiteUserStore {
    func audit(
        _ request: AuditRequest, of subject: Pseudonym?
    ) async throws -> (records: [RecordedAuditEntry], next: Int64?) {
        let scan = AuditScan(before: request.before, since: request.since ?? .min, limit: request.limit)
        let conditions =
            (request.event.map { [(column: "event", value: $0.databaseValue)] } ?? [])
            + (subject.map { [(column: "subject", value: Data($0.bytes).databaseValue)] } ?? [])
        return try await database.read { database in
            let (rows, next) = try scan.rows(
                ["at", "event", "subject", "method", "session_id", "request_id", "detail"], where: conditions,
                in: database)
            return (rows.map(Self.recorded), next)
        }
    }

    private static func recorded(_ row: Row) -> RecordedAuditEntry {
        let subject: Data = row[3]
        return RecordedAuditEntry(
            number: row[0], at: row[1], event: row[2], subject: Pseudonym(bytes: Array(subject)) ?? .zero,
            origin: RequestOrigin(requestID: row[6], sessionID: row[5], method: row[4]), detail: row[7])
    }
}
