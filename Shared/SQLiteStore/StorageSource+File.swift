import Logging
package import ServiceKit
import Storage

extension StorageSource {
    /// Returns a file in `LATCHKEY_DATA_DIR` as an engine.
    ///
    /// With a file that cannot be used the process exits, with one line for the operator.
    /// - Parameters:
    ///   - name: The file's name.
    ///   - table: A table that has rows if the file is in use.
    ///   - open: Opens the stores of a path, blocking the thread.
    package static func file(
        _ name: String, table: String,
        open: @escaping @Sendable (_ path: String, ProcessContext) throws -> Stores
    ) -> Self {
        StorageSource(
            check: { _ = try $0.databasePath(name) },
            open: { context in
                SQLiteVersion.linked.report(to: context.logger)
                let path = try context.settings.databasePath(name)
                do { return try open(path, context) } catch let error as StorageError {
                    throw OpeningFailure(path, error)
                }
            }, unused: { UnusedFile.finding(in: "\($0.settings.dataDirectory)/\(name)", table: table) })
    }
}
