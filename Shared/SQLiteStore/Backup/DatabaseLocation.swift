import Foundation
import PrivateFiles
package import Storage

/// A database file of a deployment.
package struct DatabaseLocation: Sendable {
    /// The database's name in a backup.
    package let name: String
    package let path: String
    /// The steps of the database's schema.
    let migrations: [Migration]

    package init(name: String, path: String, migrations: [Migration]) {
        self.name = name
        self.path = path
        self.migrations = migrations
        folder = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
    }

    /// Refuses a file that this release cannot use, and changes nothing in it.
    func requireSchema(of file: String) throws(FileFailure) {
        do { try Migration.requireUsable(for: migrations, inFile: file) } catch {
            throw FileFailure("\(file): \(error.message)")
        }
    }

    /// The folder of the file.
    let folder: String
}
