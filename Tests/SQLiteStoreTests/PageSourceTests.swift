import Foundation
import GRDB
import Storage
import TestSupport
import Testing

@testable import SQLiteStore

/// A copy of a database that is kept up to date from a `PageSource`.
private final class PageCopy {
    let source: PageSource
    private let path: String
    private var pending: PageSet

    init(of folder: ScratchFolder, copier: [UInt8] = PageCopy.id) throws {
        source = try PageSource(path: folder.databasePath, copier: copier)
        path = folder.path + "/copy.sqlite"
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        pending = try #require(try source.beginWhole(copiedAt: 1))
    }

    static let id = [UInt8](repeating: 7, count: 16)

    /// Reads marked pages until a read transaction had time for all of them.
    @discardableResult
    func update(within limit: Duration = .seconds(1), pagesMax: Int = 1_000_000) throws -> Int {
        var rounds = 0
        repeat {
            rounds += 1
            let file = try FileHandle(forWritingTo: URL(filePath: path))
            var count = 0
            let snapshot = try source.read(&pending, within: limit) { page, bytes in
                try file.seek(toOffset: UInt64(page - 1) * UInt64(bytes.count))
                try file.write(contentsOf: bytes)
                count += 1
                return count < pagesMax
            }
            try file.truncate(atOffset: UInt64(snapshot.pageCount) * UInt64(snapshot.pageBytes))
        } while !pending.isEmpty
        try source.confirm(copiedAt: 2)
        return rounds
    }

    /// Reads all pages anew, after a loss of marks.
    func updateWhole() throws {
        pending = try #require(try source.beginWhole(copiedAt: 1))
        try update()
    }

    /// The names in the copy, which has to be whole.
    func names() throws -> Set<String> {
        // The header says WAL; a file of its own has no log.
        let draft = path + ".opened"
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: draft + suffix) {
            try FileManager.default.removeItem(atPath: draft + suffix)
        }
        try FileManager.default.copyItem(atPath: path, toPath: draft)
        return try DatabaseQueue(path: draft).read { database in
            #expect(try String.fetchAll(database, sql: "PRAGMA integrity_check") == ["ok"])
            return Set(try String.fetchAll(database, sql: "SELECT name FROM items"))
        }
    }
}

@Suite struct PageSourceTests {
    private static let text = String(repeating: "x", count: 2_000)

    private func fill(_ databases: [SQLiteDatabase], _ round: Int, count: Int = 40) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, database) in databases.enumerated() {
                for client in 0..<4 {
                    group.addTask {
                        for row in 0..<count {
                            try await database.add("\(round)-\(number)-\(client)-\(row)-\(Self.text)")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: [1, 2])
    func `each copy under writes and checkpoints is the database of one moment`(replicas: Int) async throws {
        let folder = try ScratchFolder()
        let databases = try (0..<replicas).map { _ in try folder.open(checkpointRows: 5) }
        try await fill(databases, 0)
        let copy = try PageCopy(of: folder)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for round in 1..<12 { try await fill(databases, round) } }
            var earlier: Set<String> = []
            for round in 0..<25 {
                let before = try await databases[0].names()
                do { try copy.update(within: .seconds(2)) } catch PageSource.Loss.lostMarks where replicas > 1 {
                    // A foreign commit while the log was emptied, which only a replica makes.
                    try copy.updateWhole()
                }
                let now = try copy.names()
                #expect(before.isSubset(of: now) && earlier.isSubset(of: now))
                earlier = now
                if round % 5 == 4 {
                    databases[0].wipeRemoved()
                    await databases[0].boundLog()
                }
            }
            try await group.waitForAll()
        }
        do {
            _ = try copy.source.resume()
            try copy.update()
            #expect(try await copy.names() == databases[0].names())
        } catch PageSource.Loss.lostMarks where replicas > 1 {}
    }

    @Test func `a copy in small parts ends with one of a moment, and changed pages alone are read again`() async throws
    {
        let folder = try ScratchFolder()
        let database = try folder.open(checkpointRows: 5)
        try await fill([database], 0)
        let copy = try PageCopy(of: folder)
        #expect(try copy.update(pagesMax: 20) > 10)
        #expect(try await copy.names() == database.names())
        try await database.add("another")
        #expect(try copy.update(pagesMax: 20) == 1)
        #expect(try copy.names().contains("another"))
    }

    @Test func `pages that are read without their marks are read again with them`() async throws {
        let folder = try ScratchFolder()
        let database = try folder.open(checkpointRows: 5)
        try await fill([database], 0)
        let copy = try PageCopy(of: folder)
        try copy.update()
        try await database.add("another")
        var (pages, count) = (try copy.source.allPages(), 0)
        _ = try copy.source.read(&pages, takesMarks: false, within: .seconds(5)) { _, _ in
            count += 1
            return true
        }
        #expect(pages.isEmpty && count > 50)
        try copy.update()
        #expect(try await copy.names() == database.names())
    }

    @Test func `a source that cannot be opened keeps no lock`() async throws {
        let folder = try ScratchFolder()
        _ = FileManager.default.createFile(atPath: folder.databasePath, contents: Data("no database".utf8))
        #expect(throws: (any Error).self) { try PageSource(path: folder.databasePath, copier: PageCopy.id) }
        try FileManager.default.removeItem(atPath: folder.databasePath)
        let database = try folder.open(checkpointRows: 5)
        try await database.add("one")
        let copy = try PageCopy(of: folder)
        try copy.update()
        #expect(try copy.names() == ["one"])
    }

    @Test func `pages that were taken and not confirmed are there after a new start`() async throws {
        let folder = try ScratchFolder()
        let database = try folder.open(checkpointRows: 5)
        try await database.add("one")
        var copy: PageCopy? = try PageCopy(of: folder)
        try copy?.update()
        try await fill([database], 1)
        var pending = PageSet()
        _ = try copy?.source.read(&pending, within: .seconds(1)) { _, _ in true }
        copy = nil
        #expect(try PageSource(path: folder.databasePath, copier: PageCopy.id).resume().count > 50)
        let other = try PageSource(path: folder.databasePath, copier: [UInt8](repeating: 8, count: 16))
        #expect(throws: PageSource.Loss.noMarks) { try other.resume() }
    }

    @Test func `a second copier of the same file does not start`() async throws {
        let folder = try ScratchFolder()
        let database = try folder.open()
        try await database.add("one")
        let first = try PageSource(path: folder.databasePath, copier: PageCopy.id)
        #expect(throws: PageSource.OtherCopier.self) { try PageSource(path: folder.databasePath, copier: PageCopy.id) }
        _ = first
    }

    @Test(arguments: [false, true])
    func `the end of all processes, which copies frames without marks, is noticed`(emptiesLog: Bool) async throws {
        let folder = try ScratchFolder()
        var database: SQLiteDatabase? = try folder.open(checkpointRows: 1_000)
        try await database?.add("one")
        var copy: PageCopy? = try PageCopy(of: folder)
        try copy?.update()
        copy = nil
        try await database?.add("two")
        database = nil
        // A task of the database may hold it for a moment longer.
        try await eventually("the last process has copied the log") {
            FileFacts.byteCount(folder.databasePath + "-wal") == 0
        }
        database = try folder.open(checkpointRows: 1_000)
        try await database?.add("three")
        // Each process does this in its first second.
        if emptiesLog { await database?.boundLog() }
        let source = try PageSource(path: folder.databasePath, copier: PageCopy.id)
        #expect(throws: PageSource.Loss.lostMarks) {
            var pending = try source.resume()
            _ = try source.read(&pending, within: .seconds(1)) { _, _ in true }
        }
    }

    @Test func `marks that cannot be opened are removed, and checkpoints go on`() async throws {
        let folder = try ScratchFolder()
        let database = try folder.open(checkpointRows: 1)
        try await database.add("one")
        let copy = try PageCopy(of: folder)
        // A link is not followed, so that root cannot open it either.
        let path = folder.databasePath + ".pages"
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/nowhere")
        for number in 0..<5 { try await database.add("\(number)") }
        database.wipeRemoved()
        try await eventually("the log is emptied", every: .milliseconds(50)) {
            await database.boundLog()
            return FileFacts.byteCount(folder.databasePath + "-wal") == 0
        }
        #expect(throws: PageSource.Loss.noMarks) { try copy.source.resume() }
    }

    @Test func `marks of another start of the host are none`() async throws {
        let folder = try ScratchFolder()
        let database = try folder.open()
        try await database.add("one")
        let copy = try PageCopy(of: folder)
        _ = try copy.source.resume()
        let file = try FileHandle(forWritingTo: URL(filePath: folder.databasePath + ".pages"))
        try file.seek(toOffset: 24)
        try file.write(contentsOf: [UInt8](repeating: 1, count: 16))
        #expect(throws: PageSource.Loss.noMarks) { try copy.source.resume() }
    }

    @Test func `a log continues the marks if it is the same or was restarted once`() {
        let marked = LogPosition(salts: [.max, 5], frames: 10)
        #expect(LogPosition(salts: [.max, 5], frames: 12).framesMarked(by: marked) == 10)
        #expect(LogPosition(salts: [0, 9], frames: 3).framesMarked(by: marked) == 0)
        #expect(LogPosition(salts: [1, 9], frames: 3).framesMarked(by: marked) == nil)
        #expect(LogPosition(salts: [.max, 6], frames: 12).framesMarked(by: marked) == nil)
        #expect(LogPosition(salts: [.max, 5], frames: 9).framesMarked(by: marked) == nil)
    }

    @Test func `a set of pages has each page once, in order, and none with number 0`() {
        var pages = PageSet()
        for page: UInt32 in [9, 1, 40_000, 8, 9, 0] { pages.insert(page) }
        #expect(pages.pages == [1, 8, 9, 40_000])
        #expect(pages.count == 4 && pages.contains(40_000) && !pages.contains(0) && !pages.contains(2))
        pages.formUnion(PageSet(upTo: 3))
        pages.subtract([40_000, 1, 70_000])
        #expect(pages.pages == [2, 3, 8, 9])
    }
}
