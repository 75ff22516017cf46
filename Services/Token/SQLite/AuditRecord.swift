import Foundation
import GRDB
import InternalAPI
import SQLiteStore
import TokenCore

/// The audit record of one operation, written in its transaction (security guide R-102).
struct AuditRecord: Sendable {
    private static let chain = AuditChain(columns: ["at", "event", "user_id", "sid", "detail"])

    let event: AuditEvent
    var userID: DatabaseValue = .null
    var session: SessionID?
    /// A reason, a method, a generation or a `kid`; no secret and no phone number.
    var detail: String?
    /// The operator who requested the operation; `nil` if it was somebody else.
    var operatorName: OperatorName?

    func insert(at now: Int64, into database: Database) throws {
        try Self.chain.append(
            [
                now.databaseValue, event.rawValue.databaseValue, userID,
                session.map { Data($0.bytes) }.databaseValue,
                OperatorName.detail(detail, by: operatorName).databaseValue,
            ], in: database)
    }
}
