import PostgreSQL
import UserCore

/// Appends records to the audit, in the transaction of the change, so that no change is without its record.
enum AuditRows {
    static let columns = ["at", "event", "subject", "method", "session_id", "request_id", "detail"]
    private static let chain = AuditChain(columns: columns)

    static func append(_ entry: AuditEntry, now: Int64, in transaction: Transaction) throws {
        let origin = entry.origin
        var content = AuditContent()
        content.append(now)
        content.append(entry.event.rawValue)
        content.append(entry.subject.bytes)
        for text in [origin.method, origin.sessionID, origin.requestID, entry.detail] { content.append(text) }
        try chain.append(
            content,
            [
                now, entry.event.rawValue, entry.subject.bytes, origin.method, origin.sessionID, origin.requestID,
                entry.detail,
            ], in: transaction)
    }
}
