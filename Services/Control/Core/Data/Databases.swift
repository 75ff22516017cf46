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
            DatabaseLocation(
                name: name, path: folder(of: service, in: dataDirectory) + "/" + name, migrations: migrations)
        }
    }

    /// Returns the folder of a process's files: its own one in the data directory if there is one, or the data directory.
    static func folder(of process: String, in dataDirectory: String) -> String {
        let own = dataDirectory + "/" + process
        return isFolder(own) ? own : dataDirectory
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
