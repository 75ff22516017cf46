import GRDB
import Storage

/// A transaction on the writing connection of a file. A file has one at a time in all processes, so that it needs no locks.
final class SQLiteTransaction: Transaction {
    let kind = DatabaseKind.sqlite
    private let reader: SQLiteReader
    /// The chain of audit records as it is after this transaction; `nil` if the transaction has left no record.
    private var newSlot: AuditSlot?

    private init(_ database: Database) { reader = SQLiteReader(database) }

    /// Runs `body` inside the open transaction or savepoint, and stores the end of the audit's chain.
    static func run<Value>(in database: Database, _ body: (any Transaction) throws -> Value) throws -> Value {
        let transaction = SQLiteTransaction(database)
        let value = try body(transaction)
        if let slot = transaction.newSlot { try transaction.run([slot.storing]) }
        return value
    }

    func results(_ statements: [Storage.Statement]) throws -> [Rows] { try reader.results(statements) }

    func run(_ statements: [Storage.Statement]) throws {
        for statement in statements { _ = try reader.rows(of: statement) }
    }

    func lock(_ locks: [AdvisoryLock]) {}

    func lock(_ kind: AdvisoryLock.Kind, namedBy statement: Storage.Statement) {}

    /// Reads the end, since another process may have added records after this one's last transaction.
    func auditSlot() throws -> AuditSlot {
        if let newSlot { return newSlot }
        guard let slot = try AuditSlot.read(AuditSlot.ofFile, in: reader) else {
            throw StorageError(.corrupt, "the end of the audit is missing")
        }
        return slot
    }

    func setAuditSlot(_ slot: AuditSlot) { newSlot = slot }
}
