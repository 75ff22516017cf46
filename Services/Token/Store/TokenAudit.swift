import CryptoPrimitives
import InternalAPI
import Storage
import TokenCore

/// Reads the audit.
struct TokenAudit: AuditQueries {
    let database: any StorageDatabase
    let userIDs: StoredUserID

    func records(_ request: AuditRequest) async throws -> AuditPage {
        let scan = AuditScan(
            before: request.before, since: request.since ?? .min, until: request.until ?? .max, limit: request.limit)
        let user = request.userID.map { userIDs.value($0) }
        return try await database.read { reading in
            let (rows, next) = try scan.rows(
                AuditRecord.columns, where: [("event", request.event), ("user_id", user)], in: reading)
            return AuditPage(records: rows.map(record), next: next)
        }
    }

    func tail(after places: [Int64: Int64], limit: Int) async throws -> [AuditTailPage.Record] {
        try await database.read { reading in
            try AuditTail(after: places, limit: limit).records(AuditRecord.columns, in: reading) {
                AuditTailPage.Record(slot: $0, record: record($1))
            }
        }
    }

    func noteLookUp(_ subject: String, ofUser userID: String?, by name: OperatorName?, now: Int64) async throws {
        let user = userID.flatMap { userIDs.own($0) == nil ? nil : $0 }
        try await database.write { transaction in
            try AuditRecord(event: .lookedUp, userID: user, detail: subject, operatorName: name)
                .insert(at: now, userIDs, into: transaction)
        }
    }

    private func record(_ row: Row) -> AuditPage.Record {
        AuditPage.Record(
            number: row.integer(0), at: row.integer(1), event: row.text(2),
            subject: row.optionalBytes(3).map { userIDs.text($0) },
            sessionID: row.optionalBytes(4).map { Hex.encode($0) }, detail: row.optionalText(5))
    }
}
