import Foundation
import Storage

/// Remembers beside a database file that it was once filled, so that its loss is noticed.
///
/// SQLite takes a missing or empty file for a new database: after a lost disk or a wrong mount the service would start
/// with no users and no revocations. Whoever means to begin anew deletes the mark with the file.
struct ExistenceMark {
    private let databasePath: String
    private var path: String { databasePath + ".created" }

    /// The smallest file that can hold a database is one page of 512 bytes.
    private static let databaseBytesMin: Int64 = 512

    init(databasePath: String) {
        self.databasePath = databasePath
    }

    /// - Throws: `corrupt` when the file is missing or empty although the mark says that it existed.
    func check() throws(StorageError) {
        guard FileManager.default.fileExists(atPath: path), fileBytes < Self.databaseBytesMin else { return }
        throw StorageError(
            .corrupt, "\(databasePath) is missing or empty, but \(path) says that it existed: restore it")
    }

    /// Sets the mark; doing so again changes nothing.
    func set() throws(StorageError) {
        guard !FileManager.default.fileExists(atPath: path) else { return }
        guard FileManager.default.createFile(atPath: path, contents: Data()) else {
            throw StorageError(.readOnly, "cannot create \(path)")
        }
    }

    /// Size of the database file; 0 when it does not exist.
    var fileBytes: Int64 { FileFacts.byteCount(databasePath) }
}
