package import Storage

/// The connection of a command that reads or changes all rows of a schema, with more time than a service's.
package final class WholeSchema {
    private let session: Session

    /// Connects and checks that this release can use the schema; blocks its thread.
    ///
    /// - Parameters:
    ///   - migrations: The steps that the schema must have; none if it need not exist.
    ///   - isAlone: Whether the command fails while a service uses the schema, and keeps services out until it ends.
    /// - Throws: `StorageError` with one line for the operator.
    package init(
        _ configuration: PostgreSQLConfiguration, migrations: [Migration], isAlone: Bool
    ) throws(StorageError) {
        session = try StorageError.converting {
            let session = try Session.connect(configuration, .wholeSchema)
            if !migrations.isEmpty { try Migration.require(migrations, in: session) }
            guard isAlone else { return session }
            try RoleRights(of: session).requireOwner(of: session.schema)
            try SchemaUse(of: session.schema).beginAlone(in: session)
            return session
        }
    }

    /// Reads with single statements; blocks its thread.
    package func read<Value>(_ body: (any StatementReader) throws -> Value) throws(StorageError) -> Value {
        try StorageError.converting { try body(session) }
    }

    /// Reads what one moment has committed; blocks its thread.
    package func snapshot<Value>(_ body: (any StatementReader) throws -> Value) throws(StorageError) -> Value {
        try StorageError.converting {
            _ = try session.run([.beginSnapshot])
            do {
                let value = try body(session)
                _ = try session.run([.commit])
                return value
            } catch {
                if !session.isBroken { _ = try session.run([.rollback]) }
                throw error
            }
        }
    }

    /// Runs `body` in one transaction and returns once it is durable; blocks its thread.
    ///
    /// - Throws: The error of `body`, and then nothing was written; `unknown` if the connection broke during the commit.
    package func write<Value>(_ body: (any Transaction) throws -> Value) throws(StorageError) -> Value {
        try StorageError.converting { try session.transaction(body) }
    }
}
