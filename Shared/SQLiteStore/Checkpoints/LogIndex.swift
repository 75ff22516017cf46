import GRDB
import GRDBSQLite
import Storage
import Synchronization

/// SQLite's index of a write-ahead log, the `-shm` file, read where SQLite itself has mapped it.
///
/// It is not opened a second time. POSIX drops every lock that a process has on a file as soon as the process closes
/// any descriptor of it; closing one of `-shm`, or of the database file, would take SQLite's own locks away. SQLite
/// maps the file once for all connections of a process, at a fixed address, and unmaps it with the last of them.
@safe final class LogIndex: Sendable {
    /// The size of a region, as SQLite maps it; the words are in the first one (SQLite `wal.c`, "WAL-INDEX FORMAT").
    private static let regionBytes: Int32 = 32_768
    /// Versions of SQLite that lay the index out in another way write another number in front.
    private static let layoutVersion: UInt32 = 3_007_000
    private static let versionByte = 0
    private static let commitsByte = 8
    private static let committedByte = 16
    private static let saltBytes = [32, 36]
    private static let copiedByte = 96

    /// The connection that keeps the mapping alive.
    let connection: DatabaseQueue
    // The address stays mapped as long as `connection` is open, and is read only by atomic loads.
    nonisolated(unsafe) private let start: UnsafeMutableRawPointer

    /// - Parameter connection: A connection to a file in WAL mode.
    /// - Throws: `StorageError` if SQLite has not mapped the index.
    init(of connection: DatabaseQueue) throws {
        self.connection = connection
        unsafe start = try connection.writeWithoutTransaction { try unsafe Self.mapping(in: $0) }
    }

    /// The two words, or `nil` if the index is laid out in a way that we do not know.
    ///
    /// The order of the loads matters: another connection may restart the log between them. It then sets `copied` to 0
    /// before it commits a frame, so `hasUncopied` is never true of a log whose frames are all copied.
    var words: LogWords? {
        guard load(at: Self.versionByte) == Self.layoutVersion else { return nil }
        let copied = load(at: Self.copiedByte)
        return LogWords(copied: copied, committed: load(at: Self.committedByte))
    }

    /// The number of commits so far, from any start, modulo 2^32.
    var commits: UInt32 { load(at: Self.commitsByte) }

    /// The end of the log, or `nil` if the index is laid out in a way that we do not know.
    ///
    /// The caller makes sure that no connection restarts the log meanwhile.
    var position: LogPosition? {
        guard load(at: Self.versionByte) == Self.layoutVersion else { return nil }
        return LogPosition(
            salts: Self.saltBytes.map { UInt32(bigEndian: load(at: $0)) }, frames: load(at: Self.committedByte))
    }

    private func load(at byte: Int) -> UInt32 {
        unsafe start.advanced(by: byte).assumingMemoryBound(to: Atomic<UInt32>.self).pointee.load(ordering: .acquiring)
    }

    private static func mapping(in database: Database) throws -> UnsafeMutableRawPointer {
        // The first read makes SQLite open the log and map its index.
        _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master")
        var file: UnsafeMutablePointer<sqlite3_file>?
        var region: UnsafeMutableRawPointer?
        let found = unsafe sqlite3_file_control(
            database.sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        guard found == SQLITE_OK, let file = unsafe file, let methods = unsafe file.pointee.pMethods,
            unsafe methods.pointee.iVersion >= 2, let map = unsafe methods.pointee.xShmMap,
            unsafe map(file, 0, regionBytes, 0, &region) == SQLITE_OK, let region = unsafe region
        else { throw StorageError(.io, "SQLite does not map the index of its log (-shm)") }
        return unsafe region
    }
}
