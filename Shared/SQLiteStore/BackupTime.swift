package import PrivateFiles
import Storage

/// The time of the last backup of a database, in a file next to it, so that the services can show its age.
package enum BackupTime {
    private static let suffix = ".backup"
    private static let bytesMax = 32

    /// - Parameter time: Unix time in seconds.
    package static func note(_ time: Int64, databasePath: String) throws(FileFailure) {
        let path = Self.path(databasePath)
        try PrivateFile.write(Array("\(time)".utf8), to: path)
        do throws(StorageError) { try FileOwner.give(path, toOwnerOf: databasePath) } catch {
            throw FileFailure(error.description)
        }
    }

    /// Returns the Unix time in seconds of the last backup; `nil` if there was none, or if the file does not read.
    static func read(databasePath: String) -> Int64? {
        let path = path(databasePath)
        guard PrivateFile.exists(path) else { return nil }
        do throws(FileFailure) {
            return Int64(String(decoding: try PrivateFile.bytes(path, max: bytesMax), as: UTF8.self))
        } catch { return nil }
    }

    private static func path(_ databasePath: String) -> String { FileFacts.target(of: databasePath) + suffix }
}
