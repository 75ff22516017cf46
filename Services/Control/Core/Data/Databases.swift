internal import ArgumentParser
internal import Foundation
internal import SQLiteStore

/// The database files of a deployment.
enum Databases {
    static let help: ArgumentHelp = "The data directory, with both files, or token/tokens.sqlite, user/users.sqlite."
    private static let files = [(service: "token", name: "tokens.sqlite"), (service: "user", name: "users.sqlite")]

    /// Those of a data directory: side by side, or each in the folder of its service, where that is a volume of its own.
    static func locations(in dataDirectory: String) throws(CommandFailure) -> [DatabaseLocation] {
        var locations: [DatabaseLocation] = []
        for (service, name) in files {
            let own = dataDirectory + "/" + service
            let folder = try isFolder(own) ? own : dataDirectory
            locations.append(DatabaseLocation(name: name, path: folder + "/" + name))
        }
        return locations
    }

    private static func isFolder(_ path: String) throws(CommandFailure) -> Bool {
        do {
            let type = try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
            return type == .typeDirectory
        } catch let error as CocoaError where [.fileReadNoSuchFile, .fileNoSuchFile].contains(error.code) {
            return false
        } catch {
            throw CommandFailure(description: "\(path) cannot be looked at: \(error.localizedDescription)")
        }
    }
}
