import GRDB
import Synchronization

@testable import SQLiteStore

/// One database file and the connections between which SQLite's WAL-reset bug happens, with no checkpoint but those
/// that a test makes.
final class ResetBugFixture: Sendable {
    let path: String
    /// The connection that commits in the window.
    let writer: DatabaseQueue
    /// The connection that checkpoints.
    let beside: DatabaseQueue
    let window: CommitWindow
    let index: LogIndex
    private let acknowledged = Mutex(0)
    private let checkpoints = CheckpointCount()

    /// Checkpoints that have begun on `beside`.
    var checkpointCount: Int { checkpoints.value.withLock { $0 } }

    /// Rows whose commits have returned.
    var rowCount: Int { acknowledged.withLock { $0 } }

    /// - Parameter path: The file, which is created if it does not exist.
    init(path: String) throws {
        self.path = path
        writer = try Self.connection(to: path)
        try writer.writeWithoutTransaction { database in
            try database.execute(
                sql: "PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS rows (id INTEGER PRIMARY KEY, text TEXT)")
        }
        beside = try Self.connection(to: path) { [checkpoints] in checkpoints.note($0) }
        window = try CommitWindow(of: beside)
        index = try LogIndex(of: beside)
    }

    private static func connection(
        to path: String, trace: (@Sendable (String) -> Void)? = nil
    ) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 0")
            if let trace { database.trace { trace($0.description) } }
        }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Commits rows, each in a transaction of its own and on a page of its own.
    func commit(_ count: Int = 1) throws {
        for _ in 0..<count {
            try beginRow()
            try finishRow()
        }
    }

    /// Begins a transaction with a row, unless one is open: the writer has SQLite's write lock from then on.
    func beginRow() throws {
        try writer.writeWithoutTransaction { database in
            guard !database.isInsideTransaction else { return }
            try database.execute(sql: "BEGIN IMMEDIATE")
            try database.execute(
                sql: "INSERT INTO rows (text) VALUES (?)", arguments: [String(repeating: "x", count: 3_000)])
        }
    }

    /// Commits what `beginRow` has begun, if it is still open.
    func finishRow() throws {
        try writer.writeWithoutTransaction { database in
            guard database.isInsideTransaction else { return }
            try database.execute(sql: "COMMIT")
            acknowledged.withLock { $0 += 1 }
        }
    }

    /// Changes rows without changing a byte, in a commit that therefore writes no frame.
    ///
    /// - Returns: How many rows SQLite counts as changed.
    func commitByteEqual() throws -> Int {
        try writer.writeWithoutTransaction { database in
            try database.execute(sql: "UPDATE rows SET text = text")
            return database.changesCount
        }
    }

    /// Makes a checkpoint as any program would, without the lock and without a look at the index.
    func checkpoint(_ mode: String = "PASSIVE") throws {
        try beside.writeWithoutTransaction { _ = try Row.fetchOne($0, sql: "PRAGMA wal_checkpoint(\(mode))") }
    }

    /// Copies the whole log into the file, by a connection of another program.
    func copyAll() throws {
        let other = try Self.connection(to: path)
        try other.writeWithoutTransaction { _ = try Row.fetchOne($0, sql: "PRAGMA wal_checkpoint(PASSIVE)") }
        try other.close()
    }

    /// Rows that a connection finds which has read nothing before; 0 if the file is malformed.
    func foundRowCount() throws -> Int { try Self.foundRowCount(in: path) }

    static func foundRowCount(in path: String) throws -> Int {
        do {
            let reader = try connection(to: path)
            let count = try reader.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM rows") }
            try reader.close()
            return count ?? 0
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT { return 0 }
    }

    func integrityProblems() throws -> [String] {
        try writer.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") }.filter { $0 != "ok" }
    }

    /// Whether rows are lost by the time the log is as long again as the index says that it is copied.
    func losesRows() throws -> Bool {
        do {
            while index.words?.isImpossible == true { try commit() }
            try commit()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT { return true }
        return try foundRowCount() < rowCount
    }
}

/// Counts checkpoints among the statements of a connection.
private final class CheckpointCount: Sendable {
    let value = Mutex(0)

    func note(_ statement: String) {
        if statement.contains("wal_checkpoint") { value.withLock { $0 += 1 } }
    }
}
