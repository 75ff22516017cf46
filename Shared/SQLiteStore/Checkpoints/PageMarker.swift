import GRDB
import Storage
import Synchronization

/// Marks the pages of the log's frames before a checkpoint copies them into the file (`PageMarks`).
///
/// A checkpoint may copy frames that were committed after they were counted. So a connection of the marker's own reads meanwhile:
/// no checkpoint copies frames beyond that snapshot. Both run under `CheckpointLock`. Without a file of marks, the marker looks
/// for it and does nothing else.
final class PageMarker: Sendable {
    private static let positionTries = 1_000

    private let databasePath: String
    private let index: LogIndex
    private let connect: @Sendable () throws -> DatabaseQueue
    private let connection = Mutex<DatabaseQueue?>(nil)

    /// - Parameter connect: Opens the marker's own connection, once it is needed.
    init(databasePath: String, index: LogIndex, connect: @escaping @Sendable () throws -> DatabaseQueue) {
        self.databasePath = databasePath
        self.index = index
        self.connect = connect
    }

    /// Runs a pass that does not wait (`PASSIVE`), after everything that it can copy is marked.
    func beforePass(_ pass: () throws -> Void) throws {
        guard let marks = try PageMarks.openOrRemove(databasePath: databasePath) else { return try pass() }
        try reader().read { database in
            _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master")
            try LogFrames.mark(in: marks, upTo: index.position, database)
            try pass()
        }
    }

    /// Empties the log after its frames are marked.
    ///
    /// The marker's own reader would prevent that, so another process may commit in between. The numbers of commits show
    /// whether one did. Its frames have no marks then, and the next copy is one of the whole database.
    /// - Parameters:
    ///   - isMarking: Whether there are marks. The checkpoint must not wait for another process's commit then.
    ///   - commit: Commits a frame of this process, so that the marks know the new log.
    /// - Returns: Whether the log was emptied.
    func emptying(_ truncate: (_ isMarking: Bool) throws -> Bool, commit: () throws -> Void) throws -> Bool {
        guard let marks = try PageMarks.openOrRemove(databasePath: databasePath) else { return try truncate(false) }
        let wasLost = try marks.isLost
        try marks.lose()
        let first = try mark(in: marks)
        // Few frames remain for the second time, and little time for other processes.
        let (before, salts) = (try mark(in: marks), try marks.position.salts)
        let isEmptied = try truncate(true)
        if isEmptied {
            try commit()
            if let position = index.position { try marks.setPosition(.init(salts: position.salts, frames: 0)) }
        }
        let (after, end) = (try mark(in: marks), try marks.position)
        guard !wasLost, first.isComplete, before.isComplete, after.isComplete else { return isEmptied }
        // A log that was not emptied, but restarted meanwhile, may have had frames that were copied without marks.
        let isSeen = isEmptied ? try after.commits &- before.commits == commitsInLog(end) : end.salts == salts
        if isSeen { try marks.setLost(false) }
        return isEmptied
    }

    /// The Unix time in seconds of the last complete copy; `nil` if no copier has made marks.
    var copiedAt: Int64? { CopyAge.copiedAt(databasePath: databasePath) }

    /// Marks all frames.
    ///
    /// - Returns: The number of commits until then, and whether the marks go on without a gap.
    private func mark(in marks: PageMarks) throws -> (commits: UInt32, isComplete: Bool) {
        try reader().read { database in
            _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master")
            for _ in 0..<Self.positionTries {
                let (position, commits) = (index.position, index.commits)
                guard index.position == position else { continue }
                return (commits, try LogFrames.mark(in: marks, upTo: position, database))
            }
            throw StorageError(.busy, "commits follow each other too fast")
        }
    }

    private func commitsInLog(_ position: LogPosition) throws -> UInt32 {
        try reader().read { database in
            _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master")
            let (log, bytes) = (try RawFile(.log, in: database), try LogFrames.pageBytes(database))
            return try (0..<position.frames).reduce(0) {
                try log.isCommit(frame: $1, pageBytes: bytes) ? $0 &+ 1 : $0
            }
        }
    }

    private func reader() throws -> DatabaseQueue {
        try connection.withLock { connection in
            if let connection { return connection }
            let new = try connect()
            connection = new
            return new
        }
    }
}

/// The frames of a log that have no mark yet.
enum LogFrames {
    /// Marks the pages of all frames up to a position, and notes it.
    ///
    /// If that fails, the marks are lost, and the file says so. A failure to note even that is thrown.
    ///
    /// - Returns: Whether the marks go on without a gap.
    @discardableResult
    static func mark(in marks: PageMarks, upTo position: LogPosition?, _ database: Database) throws -> Bool {
        do {
            guard let now = position else { throw StorageError(.io, "the log's index is not known") }
            let marked = try marks.position
            guard now != marked else { return true }
            let start = now.framesMarked(by: marked)
            if let start { try marks.add(try pages(of: start..<now.frames, in: database)) } else { try marks.lose() }
            try marks.setPosition(now)
            return start != nil
        } catch {
            try marks.lose()
            return false
        }
    }

    /// Returns the pages of frames, counted from 0.
    static func pages(of frames: Range<UInt32>, in database: Database) throws -> PageSet {
        var pages = PageSet()
        guard !frames.isEmpty else { return pages }
        let (log, bytes) = (try RawFile(.log, in: database), try pageBytes(database))
        for frame in frames { pages.insert(try log.pageNumber(inFrame: frame, pageBytes: bytes)) }
        return pages
    }

    static func pageBytes(_ database: Database) throws -> Int {
        let bytes = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0
        guard bytes > 0 else { throw StorageError(.io, "the database has no page size") }
        return bytes
    }
}

/// The age of a database's continuous copy, as the copier notes it next to the database.
package enum CopyAge {
    /// Returns the Unix time in seconds until which all changes are at the target; `nil` if no copier has made marks.
    package static func copiedAt(databasePath: String) -> Int64? {
        do { return try PageMarks.open(databasePath: databasePath)?.copiedAt } catch {
            // The next checkpoint finds the same, and says it.
            return nil
        }
    }
}
