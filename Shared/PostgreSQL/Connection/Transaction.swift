import CPostgreSQL

/// The statements of one transaction. It stays on its connection's thread.
///
/// A statement whose rows are not read waits for the next one whose rows are read, or for the COMMIT, and travels with it. A
/// transaction takes as many round trips as it has calls of `rows`, and one more.
package final class Transaction: StatementReader {
    private let session: Session
    private var waiting: [Statement]
    /// Whether the server has received BEGIN.
    private(set) var hasBegun = false
    /// The chain of audit records as it is after this transaction; `nil` if the transaction leaves no record.
    private var auditSlot: AuditSlot?

    init(_ session: Session) {
        self.session = session
        waiting = [.begin]
    }

    /// Adds a statement whose rows are not needed; its failure fails the transaction later.
    package func run(_ sql: String, _ values: any SQLConvertible...) { waiting.append(Statement(sql, values)) }

    /// Runs the statements so far and these, and returns the rows of these.
    package func results(_ statements: [Statement]) throws -> [Rows] {
        waiting += statements
        return try send().suffix(statements.count).map { Rows($0) }
    }

    /// Waits for all other transactions that have the lock, before the next statement.
    ///
    /// Locks are taken in the order of `AdvisoryLock.Kind`, and before any row is changed.
    package func lock(_ locks: AdvisoryLock...) { lock(locks) }

    /// Takes several locks, in the order that all transactions keep.
    package func lock(_ locks: [AdvisoryLock]) {
        let numbers = locks.map { $0.order(in: session.schema) }.sorted().map(\.number)
        run("SELECT pg_advisory_xact_lock(number) FROM unnest($1::bigint[]) AS t (number)", SQLValue.array(numbers))
    }

    /// Adds an audit record to the chain of this connection.
    func appendToAudit(_ content: AuditContent, insertion: String, _ values: [any SQLConvertible]) throws {
        var slot = try auditSlot ?? session.auditSlot ?? AuditSlot.take(in: self, schema: session.schema)
        slot.append(content)
        auditSlot = slot
        waiting.append(Statement(insertion, [slot.number, slot.newest, slot.newestHash] + values))
    }

    /// Makes the changes durable.
    ///
    /// - Throws: `unknown` if the connection broke after COMMIT was sent, or if a warning came: it tells that the server did not
    ///   wait for a standby.
    func commit() throws(PostgreSQLError) {
        guard hasBegun || waiting.count > 1 else { return }
        waiting.append(auditSlot?.storing ?? .mark)
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
        if let auditSlot { session.auditSlot = auditSlot }
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
    func transaction<Value>(_ body: (Transaction) throws -> Value) throws -> Value {
        let transaction = Transaction(self)
        do {
            let value = try body(transaction)
            try transaction.commit()
            return value
        } catch {
            auditSlot = nil
            if transaction.hasBegun, !isBroken { _ = try run([.rollback]) }
            throw error
        }
    }
}
