import Foundation

/// A database file of a deployment.
package struct DatabaseLocation: Sendable, Equatable {
    /// The database's name in a backup.
    package let name: String
    package let path: String

    package init(name: String, path: String) {
        self.name = name
        self.path = path
        folder = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
    }

    /// The folder of the file.
    let folder: String
}
