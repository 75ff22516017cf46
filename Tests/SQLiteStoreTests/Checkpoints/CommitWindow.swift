import GRDB
import GRDBSQLite
import Synchronization
import Testing

/// The moment just after a checkpoint has read the index of the log, in which a commit of another connection can
/// happen.
///
/// SQLite calls `xUnfetch` of the connection's file there, if the index has changed since that connection read it
/// (`wal.c`, `sqlite3WalCheckpoint`): this one runs an action first. Every checkpoint makes its connection forget the
/// index, so that the next one has the window too.
final class CommitWindow: Sendable {
    private struct Contents {
        let action: @Sendable () throws -> Void
        var visits = 0
    }

    /// By the address of the file, since a function for C captures nothing.
    private static let windows = Mutex<[UInt: Contents]>([:])
    private let file: UInt

    /// Makes each checkpoint of `connection` open the window.
    init(of connection: DatabaseQueue) throws {
        file = try connection.writeWithoutTransaction { try Self.install(in: $0) }
    }

    deinit { close() }

    /// Runs `action` in each window from now on.
    func open(for action: @escaping @Sendable () throws -> Void) {
        Self.windows.withLock { [file] in $0[file] = Contents(action: action) }
    }

    /// Ends that.
    ///
    /// - Returns: How often the window was open.
    @discardableResult
    func close() -> Int {
        Self.windows.withLock { [file] in $0.removeValue(forKey: file)?.visits ?? 0 }
    }

    private static func visit(_ file: UInt) {
        let action = windows.withLock { windows in
            windows[file]?.visits += 1
            return windows[file]?.action
        }
        do { try action?() } catch { Issue.record(error, "in the window") }
    }

    private static func install(in database: Database) throws -> UInt {
        _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master")
        var file: UnsafeMutablePointer<sqlite3_file>?
        unsafe sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        guard let file = unsafe file, var methods = unsafe file.pointee.pMethods?.pointee else {
            throw DatabaseError(message: "the connection has no file")
        }
        unsafe methods.xUnfetch = { file, offset, page in
            if offset == 0, unsafe page == nil { CommitWindow.visit(UInt(bitPattern: file)) }
            return SQLITE_OK
        }
        // SQLite uses the table until the connection is closed.
        let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        unsafe table.initialize(to: methods)
        unsafe file.pointee.pMethods = unsafe UnsafePointer(table)
        return UInt(bitPattern: file)
    }
}
