import Foundation
import Storage

/// A mark next to a database file, which records that the file had contents, so that its loss is noticed.
///
/// SQLite takes a missing or empty file for a new database: after a lost disk or a wrong mount the service would start
/// without users and revocations. To start with an empty database, the operator deletes the mark with the file.
struct ExistenceMark {
    private let databasePath: String
    private var path: String { databasePath + ".created" }

    /// The smallest file that can hold a database is one page of 512 bytes.
    private static let databaseBytesMin: Int64 = 512

    init(databasePath: String) {
        self.databasePath = databasePath
    }

    /// - Throws: `corrupt` if the file is missing or empty although the mark exists.
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

    /// The size of the database file; 0 if it does not exist.
    var fileBytes: Int64 { FileFacts.byteCount(databasePath) }
}
