import Storage
import UserCore

/// Appends records to the audit, in the transaction of the change, so that no change is without its record.
enum AuditRows {
    static let columns = ["at", "event", "subject", "method", "session_id", "request_id", "detail"]
    private static let chain = AuditChain(columns: columns)

    static func append(_ entry: AuditEntry, now: Int64, in transaction: any Transaction) throws {
        let origin = entry.origin
        let reason = origin.reason.map { "reason: \($0)" }
        let detail = [entry.detail, reason].compactMap { $0 }.joined(separator: " ")
        try chain.append(
            [
                .integer(now), .text(entry.event.rawValue), .bytes(entry.subject.bytes), origin.method.sqlValue,
                origin.sessionID.sqlValue, origin.requestID.sqlValue, (detail.isEmpty ? nil : detail).sqlValue,
            ], in: transaction)
    }
}
