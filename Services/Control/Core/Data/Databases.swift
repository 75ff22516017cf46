internal import ArgumentParser
internal import Foundation
internal import SQLiteStore

/// The database files of a deployment.
enum Databases {
    static let help: ArgumentHelp = "The data directory, with both files, or token/tokens.sqlite, user/users.sqlite."
    private static let names = [("token", "tokens.sqlite"), ("user", "users.sqlite")]

    /// Those of a data directory: side by side, or each in the folder of its service, where that is a volume of its own.
    static func locations(in dataDirectory: String) -> [DatabaseLocation] {
        names.map { service, name in
            let own = dataDirectory + "/" + service
            return DatabaseLocation(name: name, path: (isFolder(own) ? own : dataDirectory) + "/" + name)
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        (try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType) == .typeDirectory
    }
}
