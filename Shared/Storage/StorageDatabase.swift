/// A database of a service, shared by the service's replicas: nothing is acknowledged before it is durable.
package protocol StorageDatabase: StorageEngine {
    var kind: DatabaseKind { get }

    /// Reads with one statement, or with several that do not have to agree.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any StatementReader) throws -> Value
    ) async throws -> Value

    /// Reads a few rows with one statement, if a write of the same rows follows nearly always. It sees everything that was durable
    /// when it was called.
    func readBeforeWrite<Value: Sendable>(
        _ body: @escaping @Sendable (any StatementReader) throws -> Value
    ) async throws -> Value

    /// Reads, and returns once all that it has read is durable.
    func readDurably<Value: Sendable>(
        _ body: @escaping @Sendable (any StatementReader) throws -> Value
    ) async throws -> Value

    /// Returns once all that could be read is durable.
    func confirm() async throws

    /// Runs `body` in a transaction and returns once it is durable.
    ///
    /// `body` runs on a connection's thread: keep it short. It runs again after a deadlock or a lost connection, so it must have no
    /// effects but its statements. In a call with a `CallDeadline` that has passed when it is the body's turn, it does not run, and
    /// fails as `late`.
    /// - Throws: The error of `body`, and then nothing was written; `StorageError`, with the code `unknown` if it is not known whether
    ///   the changes are durable.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any Transaction) throws -> Value
    ) async throws -> Value
}

/// The two kinds of databases.
package enum DatabaseKind: String, Sendable, CaseIterable {
    case sqlite, postgreSQL
}
