import CPostgreSQL
import Storage

/// A transaction on a connection.
final class PostgreSQLTransaction: Transaction {
    let kind = DatabaseKind.postgreSQL
    private let session: Session
    private var waiting: [Statement]
    /// Whether the server has received BEGIN.
    private(set) var hasBegun = false
    /// The chain of audit records as it is after this transaction; `nil` if the transaction leaves no record.
    private var newSlot: AuditSlot?
    /// Whether this transaction added the slot, which the connection has no lock of then.
    private var hasAddedSlot = false

    /// Whether the transaction leaves an audit record.
    var hasAudited: Bool { newSlot != nil }

    init(_ session: Session) {
        self.session = session
        waiting = [.begin]
    }

    func run(_ statements: [Statement]) { waiting += statements }

    func results(_ statements: [Statement]) throws -> [Rows] {
        waiting += statements
        return try send().suffix(statements.count).map { Rows($0) }
    }

    func lock(_ locks: [AdvisoryLock]) {
        guard !locks.isEmpty else { return }
        let numbers = locks.map { $0.order(in: session.schema) }.sorted().map(\.number)
        run([
            Statement(
                "SELECT pg_advisory_xact_lock(number) FROM unnest($1::bigint[]) AS t (number)",
                SQLValue.integers(numbers))
        ])
    }

    /// The server computes the numbers of the locks as `AdvisoryLock.order` does.
    func lock(_ kind: AdvisoryLock.Kind, namedBy statement: Statement) {
        let prefix = AdvisoryLock.prefix(of: kind, in: session.schema)
        let sql: SQL = """
            SELECT pg_advisory_xact_lock(number) FROM (
                SELECT DISTINCT ('x' || encode(substr(sha256($\(statement.values.count + 1)::bytea || name), 1, 8), 'hex'))
                    ::bit(64)::bigint AS number
                FROM (\(statement.sql)) AS selected (name) WHERE name IS NOT NULL ORDER BY number
            ) AS locks
            """
        run([Statement(sql, statement.values + [.bytes(prefix)])])
    }

    func auditSlot() throws -> AuditSlot {
        if let slot = try newSlot ?? session.auditSlot ?? AuditSlot.take(in: self, schema: session.schema) {
            return slot
        }
        hasAddedSlot = true
        return try AuditSlot.add(in: self)
    }

    func setAuditSlot(_ slot: AuditSlot) { newSlot = slot }

    /// Makes the changes durable.
    ///
    /// - Throws: `unknown` if the connection broke after COMMIT was sent, or if a warning came: it tells that the server did not
    ///   wait for a standby.
    func commit() throws(PostgreSQLError) {
        guard hasBegun || waiting.count > 1 else { return }
        waiting.append(newSlot?.storing ?? .mark)
        waiting.append(.commit)
        let (notices, start) = (session.connection.noticeCount, ContinuousClock.now)
        let results: [PQResult]
        do { results = try send() } catch {
            guard case .refused = error.kind else { throw unknown(error.message) }
            throw error
        }
        session.metrics.recordCommit(since: start)
        guard session.connection.noticeCount == notices else { throw unknown("the server warned during the commit") }
        guard results.last?.command == "COMMIT" else {
            throw PostgreSQLError(.refused(""), "the transaction was rolled back")
        }
        if let newSlot, !hasAddedSlot { session.auditSlot = newSlot }
    }

    private func unknown(_ message: String) -> PostgreSQLError {
        session.metrics.recordUnknown()
        return PostgreSQLError(.unknown, message)
    }

    private func send() throws(PostgreSQLError) -> [PQResult] {
        defer { waiting = [] }
        hasBegun = true
        return try session.run(waiting)
    }
}

extension Session {
    /// Runs a transaction; what throws is rolled back.
    func transaction<Value>(_ body: (any Transaction) throws -> Value) throws -> Value {
        let transaction = PostgreSQLTransaction(self)
        do {
            let value = try body(transaction)
            try transaction.commit()
            return value
        } catch {
            // The end of the chain is not known any more.
            if transaction.hasAudited { auditSlot = nil }
            if transaction.hasBegun, !isBroken { _ = try run([.rollback]) }
            throw error
        }
    }
}
