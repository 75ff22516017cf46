import InternalAPI
import Storage
import TokenCore

/// The audit record of one operation, written in its transaction (security guide R-102).
struct AuditRecord: Sendable {
    static let columns = ["at", "event", "user_id", "sid", "detail"]
    private static let chain = AuditChain(columns: columns)

    let event: AuditEvent
    /// The user's public id.
    var userID: String?
    var session: SessionID?
    /// A reason, a method, a generation or a `kid`; no secret and no phone number.
    var detail: String?
    /// The operator who requested the operation; `nil` if it was somebody else.
    var operatorName: OperatorName?

    func insert(at now: Int64, _ userIDs: StoredUserID?, into transaction: any Transaction) throws {
        let user = userID.flatMap { id in userIDs.map { $0.value(id) } }
        try Self.chain.append(
            [
                .integer(now), .text(event.rawValue), user.sqlValue, (session?.bytes).sqlValue,
                OperatorName.detail(detail, by: operatorName).sqlValue,
            ], in: transaction)
    }
}
