import GRDBSQLite
import Glibc

/// The moment just after a checkpoint has read the index of the log, in which a commit of another connection does
/// harm if the checkpoint is not allowed to begin: made as long as several commits take, on all connections of this
/// process.
///
/// Otherwise it lasts less than a microsecond, and a run would take days to find a mistake in the protocol. SQLite
/// calls `xUnfetch` there, if the index has changed since the connection last read it (`wal.c`,
/// `sqlite3WalCheckpoint`).
enum WideWindow {
    private static let microsecondsMax: UInt32 = 1_000

    /// Has every connection that is opened from now on wait in its window.
    static func open() {
        let entry: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, UnsafeRawPointer?) -> Int32 = { db, _, _ in
            unsafe WideWindow.install(in: db)
        }
        // SQLite declares the entry point of an extension without its parameters.
        sqlite3_auto_extension(unsafe unsafeBitCast(entry, to: (@convention(c) () -> Void).self))
    }

    private static func install(in connection: OpaquePointer?) -> Int32 {
        var file: UnsafeMutablePointer<sqlite3_file>?
        unsafe sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        // A database in memory has no file.
        guard let file = unsafe file, var methods = unsafe file.pointee.pMethods?.pointee else { return SQLITE_OK }
        unsafe methods.xUnfetch = { _, offset, page in
            if offset == 0, unsafe page == nil { usleep(UInt32.random(in: 0...WideWindow.microsecondsMax)) }
            return SQLITE_OK
        }
        // SQLite uses the table until the connection is closed.
        let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        unsafe table.initialize(to: methods)
        unsafe file.pointee.pMethods = unsafe UnsafePointer(table)
        return SQLITE_OK
    }
}
