import CryptoPrimitives
import Foundation
import GRDB
import InternalAPI
import SQLiteStore
import TokenCore

/// The audit in `tokens.sqlite`.
struct SQLiteAuditQueries: AuditQueries {
    let database: SQLiteDatabase
    let userIDs: StoredUserID

    func records(_ request: AuditRequest) async throws -> AuditPage {
        let scan = AuditScan(before: request.before, since: request.since ?? .min, limit: request.limit)
        let conditions =
            (request.event.map { [(column: "event", value: $0.databaseValue)] } ?? [])
            + (request.userID.map { [(column: "user_id", value: userIDs.value($0))] } ?? [])
        return try await database.read { database in
            let (rows, next) = try scan.rows(
                ["at", "event", "user_id", "sid", "detail"], where: conditions, in: database)
            return AuditPage(records: rows.map(record), next: next)
        }
    }

    func noteLookUp(_ subject: String, ofUser userID: String?, by name: OperatorName?, now: Int64) async throws {
        let user = userID.flatMap { userIDs.own($0) } ?? .null
        try await database.write { database in
            try AuditRecord(event: .lookedUp, userID: user, detail: subject, operatorName: name)
                .insert(at: now, into: database)
        }
    }

    private func record(_ row: Row) -> AuditPage.Record {
        let user: DatabaseValue = row[3]
        let session: Data? = row[4]
        return AuditPage.Record(
            number: row[0], at: row[1], event: row[2], subject: user.isNull ? nil : userIDs.text(user),
            sessionID: session.map { Hex.encode(Array($0)) }, detail: row[5])
    }
}
