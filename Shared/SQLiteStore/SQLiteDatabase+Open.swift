import GRDB
import Glibc
package import Logging
package import Storage

extension SQLiteDatabase {
    /// Opens the file, creating it if it never existed, brings its schema up to date and makes sure that commits are
    /// durable.
    ///
    /// Blocks its thread; meant for the start of a process. Replicas may open the same file at the same time.
    /// - Parameters:
    ///   - afterRestore: Invalidates what must not survive a restore; runs once after each restore, before anything else
    ///     reads the file.
    ///   - walBytesMax: The size of the log beyond which a checkpoint is forced.
    ///   - checkpointRows: The number of changed rows after which a cycle of checkpoints begins.
    /// - Throws: `corrupt` for a damaged, truncated or missing file, which is never replaced by an empty one; `schema` or
    ///   `other` for a file that this release cannot use, in which nothing is changed.
    package static func open(
        path: String, migrations: [Migration], logger: Logger,
        afterRestore: ((_ floor: Int64, any Transaction) throws -> Void)? = nil,
        walBytesMax: Int64 = SQLiteLimits.walBytesMax, checkpointRows: Int = SQLiteLimits.checkpointRows
    ) throws(StorageError) -> SQLiteDatabase {
        let mark = ExistenceMark(databasePath: path)
        try mark.check()
        try Migration.requireUsable(for: migrations, inFile: path)
        let metrics = SQLiteMetrics()
        do {
            let wait = BusyWait(metrics: metrics)
            let pool = try openPool(path: path, wait: wait)
            let index = try LogIndex(of: try checkpointConnection(path: path, BusyWait(metrics: metrics)))
            let watch = LogWatch(metrics: metrics, logger: logger) { index.words }
            watch.look()
            try wait.atMost(.seconds(SQLiteLimits.openWaitSeconds)) {
                try pool.writeWithoutTransaction { database in
                    try setDurable(database)
                    if mark.fileBytes <= SQLiteLimits.checkedAtOpenBytesMax { try check(database) }
                    try MovedMark.check(database)
                    try Migration.run(migrations, in: database)
                    if let afterRestore { try RestoreFloor.afterRestore(in: database, afterRestore) }
                }
            }
            try mark.set()
            let marker = PageMarker(databasePath: path, index: index) {
                try checkpointConnection(path: path, BusyWait(metrics: metrics))
            }
            let checkpointer = Checkpointer(
                index: index, lock: try CheckpointLock(databasePath: path), marker: marker, rowsMin: checkpointRows,
                metrics: metrics, logger: logger)
            let log = WriteAheadLog(
                databasePath: path, bytesMax: walBytesMax, wait: wait, checkpointer: checkpointer, logger: logger)
            let writer = Writer(pool: pool, checkpointer: checkpointer, metrics: metrics)
            watch.start()
            return SQLiteDatabase(
                pool: pool, writer: writer, log: log, watch: watch, metrics: metrics, logger: logger)
        } catch {
            throw StorageError(error)
        }
    }

    /// The switch to WAL fails at once, without calling the busy handler, while a replica does the same; so it is retried
    /// here.
    private static func openPool(path: String, wait: BusyWait) throws -> DatabasePool {
        let deadline = ContinuousClock.now + .seconds(SQLiteLimits.openWaitSeconds)
        while true {
            do {
                return try DatabasePool(path: path, configuration: configuration(wait))
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && .now < deadline {
                usleep(SQLiteLimits.busyRetryMicroseconds)
            }
        }
    }

    /// Opens the connection of the checkpoints, which is durable too: they sync the log before they read it, and the file
    /// afterwards.
    private static func checkpointConnection(path: String, _ wait: BusyWait) throws -> DatabaseQueue {
        // It waits only while it opens the file, which another process may just be closing.
        var configuration = configuration(wait)
        configuration.label = "sqlite.checkpoint"
        configuration.prepareDatabase { try setDurable($0) }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    private static func configuration(_ wait: BusyWait) -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .callback { wait.shallRetry(attempts: $0) }
        configuration.foreignKeysEnabled = true
        configuration.maximumReaderCount = SQLiteLimits.readersMax
        configuration.label = "sqlite"
        configuration.prepareDatabase { database in
            // Before the connection's first commit: a checkpoint inside a commit would not be under our lock.
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 0")
            SQLFunctions.add(to: database)
        }
        return configuration
    }

    /// GRDB sets NORMAL when it opens a pool, under which a power failure loses acknowledged commits (security guide L1).
    /// Deleted content is overwritten, since it would otherwise remain in free pages.
    private static func setDurable(_ database: Database) throws {
        try database.execute(sql: "PRAGMA synchronous = FULL")
        let level = try Int.fetchOne(database, sql: "PRAGMA synchronous")
        guard level == 2 else { throw StorageError(.other, "PRAGMA synchronous reads back as \(level ?? -1), not 2") }
        try database.execute(sql: "PRAGMA secure_delete = ON")
        let overwrites = try Int.fetchOne(database, sql: "PRAGMA secure_delete")
        guard overwrites == 1 else {
            throw StorageError(.other, "PRAGMA secure_delete reads back as \(overwrites ?? -1), not 1")
        }
    }

    private static func check(_ database: Database) throws {
        let finding = try String.fetchOne(database, sql: "PRAGMA quick_check(1)") ?? "no answer"
        guard finding == "ok" else { throw StorageError(.corrupt, finding) }
    }
}
