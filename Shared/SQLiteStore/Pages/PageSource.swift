import Foundation
import GRDB
import Glibc
import PrivateFiles
import Storage

/// A database file as the continuous copy reads it: page by page, while services write to it.
///
/// Blocks its thread. The connection only reads, and never makes a checkpoint, also not when it is the last one to close.
package final class PageSource {
    /// The reason why a copy of changed pages would miss some, so that the whole database is copied.
    package enum Loss: String, Error, Sendable {
        case noMarks = "no marks of this copier since the start of the host"
        case lostMarks = "changes without marks"
        case otherCopier = "marks that another copier has taken"
    }

    /// The error of a database that another copier copies.
    package struct OtherCopier: Error, CustomStringConvertible {
        package let description: String
    }

    /// The database as a read transaction saw it.
    package struct Snapshot: Sendable, Equatable {
        package let pageBytes: Int
        package let pageCount: UInt32
    }

    private static let lockTries = 400
    private static let lockPauseMicroseconds: UInt32 = 5_000
    private static let snapshotTries = 1_000
    private static let busySeconds: TimeInterval = 1

    package let path: String
    private let copier: [UInt8]
    private let connection: DatabaseQueue
    private let index: LogIndex
    private let lock: CheckpointLock
    private let taken: TakenPages
    private let ownLock: CopierLock

    /// - Parameter copier: The random id of the copier, 16 bytes.
    /// - Throws: `StorageError` if the file cannot be opened, `OtherCopier` if another copier reads it.
    package init(path: String, copier: [UInt8]) throws {
        guard FileFacts.byteCount(path) > 0 else { throw StorageError(.corrupt, "\(path) is missing or empty") }
        (self.path, self.copier) = (path, copier)
        taken = TakenPages(databasePath: path, copier: copier)
        ownLock = try CopierLock(databasePath: path)
        lock = try CheckpointLock(databasePath: path)
        var configuration = Configuration()
        configuration.readonly = true
        configuration.allowsUnsafeTransactions = true
        configuration.busyMode = .timeout(Self.busySeconds)
        connection = try DatabaseQueue(path: path, configuration: configuration)
        index = try LogIndex(of: connection)
        for suffix in ["-wal", "-shm", ".checkpoints"] {
            try FileOwner.give(FileFacts.target(of: path) + suffix, toOwnerOf: path)
        }
    }

    /// Returns the pages that were taken and not confirmed.
    ///
    /// - Throws: `Loss`.
    package func resume() throws -> PageSet {
        guard let marks = try PageMarks.open(databasePath: path), try marks.isOf(copier: copier) else {
            throw Loss.noMarks
        }
        guard try !marks.isLost else { throw Loss.lostMarks }
        guard let pages = try taken.read() else { throw Loss.otherCopier }
        return pages
    }

    /// Begins a copy of the whole database: from now on, changes are marked for this copier.
    ///
    /// - Parameter copiedAt: Unix time in seconds of the last complete copy.
    /// - Returns: All pages of the database; `nil` if no service has written to it since it was opened.
    package func beginWhole(copiedAt: Int64) throws -> PageSet? {
        try withLock {
            guard let position = index.position, position.salts.contains(where: { $0 != 0 }) else { return nil }
            // All frames are marked again, since nothing tells which of them the whole copy has seen.
            let marks = try PageMarks.create(
                databasePath: path, copier: copier, position: LogPosition(salts: position.salts, frames: 0),
                copiedAt: copiedAt)
            _ = marks
            try taken.remove()
            return try allPages()
        }
    }

    /// Returns all pages of the database.
    package func allPages() throws -> PageSet {
        PageSet(upTo: try connection.read { try Self.snapshot(of: $0).pageCount })
    }

    /// The size of the file in bytes.
    package var byteCount: Int64 { FileFacts.byteCount(path) }

    /// Adds the pages that were marked since the last call to `pending`, and reads as many of these as there is time for, in one
    /// read transaction.
    ///
    /// - Parameters:
    ///   - takesMarks: Whether marked pages are added. If not, their marks stay for another call.
    ///   - limit: The longest time of the transaction.
    ///   - take: Receives a page. Returns whether there is room for another one.
    /// - Returns: The snapshot. If `pending` is empty afterwards, all pages that have been read since the last complete copy
    ///   are the database as of this snapshot.
    /// - Throws: `Loss`, or an error of a file.
    package func read(
        _ pending: inout PageSet, takesMarks: Bool = true, within limit: Duration,
        _ take: (UInt32, [UInt8]) throws -> Bool
    ) throws -> Snapshot {
        try connection.writeWithoutTransaction { database in
            defer { if database.isInsideTransaction { Self.end(database) } }
            let (frames, marked) = try withLock { try begin(database, takesMarks: takesMarks) }
            pending.formUnion(marked)
            let end = ContinuousClock.now + limit
            let snapshot = try Self.snapshot(of: database)
            let places = try Self.places(of: pending, in: frames, database)
            let (file, log) = (try RawFile(.database, in: database), try RawFile(.log, in: database))
            var done: [UInt32] = []
            for page in pending.pages {
                if page <= snapshot.pageCount {
                    let bytes =
                        if let frame = places[page] { try log.page(inFrame: frame, pageBytes: snapshot.pageBytes) } else
                        {
                            try file.bytes(
                                snapshot.pageBytes, at: Int64(page - 1) * Int64(snapshot.pageBytes))
                        }
                    guard try take(page, bytes) else {
                        done.append(page)
                        break
                    }
                }
                done.append(page)
                guard .now < end else { break }
            }
            pending.subtract(done)
            return snapshot
        }
    }

    /// Notes that all pages that were read are at the target.
    ///
    /// - Parameter copiedAt: Unix time in seconds of the snapshot.
    package func confirm(copiedAt: Int64) throws {
        try taken.remove()
        try PageMarks.open(databasePath: path)?.setCopiedAt(copiedAt)
    }

    /// Begins a read transaction whose frames are all marked, and takes the marks if they are wanted. The caller has the lock, so no
    /// checkpoint runs.
    ///
    /// - Returns: The number of frames of the log that the snapshot reads; 0 if all of them are in the file.
    private func begin(_ database: Database, takesMarks: Bool) throws -> (frames: UInt32, marked: PageSet) {
        guard let marks = try PageMarks.open(databasePath: path), try marks.isOf(copier: copier) else {
            throw Loss.noMarks
        }
        for _ in 0..<Self.snapshotTries {
            let position = index.position
            try database.execute(sql: "BEGIN")
            _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master")
            // Before the comparison: once all frames are copied, a commit restarts the log, and its frames are not the snapshot's.
            let hasUncopied = index.words?.hasUncopied == true
            // A commit in between would be in the snapshot, but not among the marks.
            guard index.position == position else {
                Self.end(database)
                continue
            }
            let frames = hasUncopied ? position?.frames ?? 0 : 0
            guard takesMarks else { return (frames, PageSet()) }
            try LogFrames.mark(in: marks, upTo: position, database)
            guard try !marks.isLost else { throw Loss.lostMarks }
            let marked = try marks.pages
            try taken.add(marked)
            try marks.clear()
            return (frames, marked)
        }
        throw StorageError(.busy, "commits follow each other too fast for a snapshot")
    }

    private func withLock<Value>(_ body: () throws -> Value) throws -> Value {
        for _ in 0..<Self.lockTries {
            guard lock.tryTake() else {
                usleep(Self.lockPauseMicroseconds)
                continue
            }
            defer { lock.release() }
            return try body()
        }
        throw StorageError(.busy, "another process keeps the lock of checkpoints")
    }

    /// Returns the newest frame of each page in the first `frames` of the log.
    private static func places(
        of pages: PageSet, in frames: UInt32, _ database: Database
    ) throws -> [UInt32: UInt32] {
        guard frames > 0 else { return [:] }
        let (log, bytes) = (try RawFile(.log, in: database), try LogFrames.pageBytes(database))
        var places: [UInt32: UInt32] = [:]
        for frame in 0..<frames {
            let page = try log.pageNumber(inFrame: frame, pageBytes: bytes)
            if pages.contains(page) { places[page] = frame }
        }
        return places
    }

    private static func snapshot(of database: Database) throws -> Snapshot {
        let count = try UInt32.fetchOne(database, sql: "PRAGMA page_count") ?? 0
        return Snapshot(pageBytes: try LogFrames.pageBytes(database), pageCount: count)
    }

    private static func end(_ database: Database) {
        do { try database.execute(sql: "COMMIT") } catch {
            // A read transaction has nothing to lose; the connection's next BEGIN fails if it is still open.
        }
    }
}
