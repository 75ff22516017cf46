import ServiceLifecycle
import Spans
import Tracing

/// A database whose calls have spans in the traces of their tasks.
package struct SpannedDatabase: StorageDatabase {
    private let database: any StorageDatabase

    /// Returns a database whose calls have spans; the database itself if the process exports none.
    package static func over(_ database: any StorageDatabase) -> any StorageDatabase {
        CurrentTrace.isExported ? SpannedDatabase(database: database) : database
    }

    package var kind: DatabaseKind { database.kind }

    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (any StatementReader) throws -> Value
    ) async throws -> Value {
        try await spanned("read") { try await database.read(body) }
    }

    package func readBeforeWrite<Value: Sendable>(
        _ body: @escaping @Sendable (any StatementReader) throws -> Value
    ) async throws -> Value {
        try await spanned("readBeforeWrite") { try await database.readBeforeWrite(body) }
    }

    package func readDurably<Value: Sendable>(
        _ body: @escaping @Sendable (any StatementReader) throws -> Value
    ) async throws -> Value {
        try await spanned("readDurably") { try await database.readDurably(body) }
    }

    package func confirm() async throws { try await spanned("confirm") { try await database.confirm() } }

    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (any Transaction) throws -> Value
    ) async throws -> Value {
        try await spanned("write") { try await database.write(body) }
    }

    private func spanned<Value>(_ operation: String, _ call: () async throws -> Value) async throws -> Value {
        try await withClientSpan("database") { span in
            span?.attributes[.database] = kind.rawValue.lowercased()
            span?.attributes[.operation] = operation
            return try await call()
        }
    }

    package func run() async throws { try await database.run() }

    package func problem() async -> String? { await database.problem() }

    package func wipeRemoved() { database.wipeRemoved() }

    package func exchangeServerRank(_ other: Int64?) -> Int64? { database.exchangeServerRank(other) }
}
