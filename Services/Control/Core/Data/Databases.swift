import ArgumentParser
import Foundation
import SQLiteStore
import TokenTables
import UserTables

/// The database files of a deployment.
enum Databases {
    static let help: ArgumentHelp = "The data directory, with both files, or token/tokens.sqlite, user/users.sqlite."
    /// The file that contains users.
    static let users = "users.sqlite"
    private static let files = [
        (service: "token", name: "tokens.sqlite", migrations: TokenDatabase.fileSteps),
        (service: "user", name: users, migrations: UserDatabase.fileSteps),
    ]

    /// Returns the database files of a data directory: side by side, or each in the folder of its service if that is a volume
    /// of its own.
    static func locations(in dataDirectory: String) -> [DatabaseLocation] {
        files.map { service, name, migrations in
            let own = dataDirectory + "/" + service
            return DatabaseLocation(
                name: name, path: (isFolder(own) ? own : dataDirectory) + "/" + name, migrations: migrations)
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
