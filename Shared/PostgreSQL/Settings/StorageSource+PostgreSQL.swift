package import ServiceKit
import Storage

extension StorageSource {
    /// Returns a PostgreSQL database as an engine.
    ///
    /// While the server is away, or the schema is not one that this release can use, the process waits. With a server that must
    /// not be used it exits, with one line for the operator.
    /// - Parameters:
    ///   - names: The variables of its settings.
    ///   - schema: The schema that contains its tables.
    ///   - open: Opens the stores, blocking the thread.
    package static func postgreSQL(
        _ names: DatabaseSettings, schema: String,
        open: @escaping @Sendable (PostgreSQLConfiguration, ProcessContext) throws -> Stores
    ) -> Self {
        StorageSource(
            check: { _ = try PostgreSQLConfiguration($0, names, schema: schema) },
            open: { context in
                let configuration = try PostgreSQLConfiguration(context.settings, names, schema: schema)
                do { return try open(configuration, context) } catch let error as StorageError {
                    guard error.mayPass else { throw DatabaseRefusal(variable: names.url, problem: error.message) }
                    throw NotReadyYet(error.message)
                }
            })
    }
}

extension StorageError {
    /// Whether another attempt may succeed without another start.
    fileprivate var mayPass: Bool { [.io, .busy, .readOnly, .unknown, .schema].contains(code) }
}

/// A database that a process must not use, and why.
struct DatabaseRefusal: Error, CustomStringConvertible {
    let variable: String
    let problem: String

    var description: String { "\(variable): \(problem)." }
}
