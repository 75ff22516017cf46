import GRDB
import Glibc
import Storage
import Synchronization
import Testing

@testable import SQLiteStore

@Suite struct ShortReadTests {
    @Test(.timeLimit(.minutes(5)))
    func `short reads at once each see what was durable when they were asked`() async throws {
        let folder = try ScratchFolder()
        let database = try folder.open()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let count = try await ScratchFolder.write("item-\(number)", to: database)
                    #expect(count == 1)
                }
            }
            try await group.waitForAll()
        }
        await #expect(throws: StorageError.self) {
            try await database.readBeforeWrite { _ = try $0.rows("SELECT * FROM nowhere") }
        }
        // One of which only the first row is used keeps nothing open: the next one sees what was written meanwhile, and the log
        // can go whole.
        for number in 0..<3 {
            try await database.add("z-\(number)")
            let name = try await database.readBeforeWrite {
                try $0.rows("SELECT name FROM items ORDER BY name DESC").first?.text(0)
            }
            #expect(name == "z-\(number)")
        }
        let left = try await DatabaseQueue(path: folder.databasePath).writeWithoutTransaction {
            try Int.fetchOne($0, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        }
        #expect(left == 0 && FileFacts.byteCount(folder.databasePath + "-wal") == 0)
        // A read that fails does not affect others, and the next one is served.
        #expect(try await database.names().count == 203)
    }

    @Test(.timeLimit(.minutes(5))) func `a short read sees nothing of a write that is under way`() async throws {
        struct Undone: Error {}
        let database = try ScratchFolder.opened()
        let writing = Flag()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await #expect(throws: Undone.self) {
                    try await database.database.write { connection in
                        try connection.run("INSERT INTO items (name) VALUES ('half')")
                        writing.isSet.store(true, ordering: .releasing)
                        usleep(100_000)
                        throw Undone()
                    }
                }
            }
            while !writing.isSet.load(ordering: .acquiring) { try await Task.sleep(for: .milliseconds(1)) }
            #expect(try await database.count() == 0)
            try await group.waitForAll()
        }
    }

    @Test(.timeLimit(.minutes(5))) func `writes without end hold up no short read, and those no write`() async throws {
        let database = try ScratchFolder.opened()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<25 {
                group.addTask { while !Task.isCancelled { try await database.insert() } }
                group.addTask { while !Task.isCancelled { _ = try await database.count() } }
            }
            var last: Int64 = 0
            for _ in 0..<50 {
                try await database.insert()
                let count = try await database.count()
                #expect(count > last)
                last = count
            }
            group.cancelAll()
            try await group.waitForAll()
        }
    }
}

private final class Flag: Sendable {
    let isSet = Atomic(false)
}

extension ScratchFolder {
    /// An open database with its folder.
    fileprivate struct Opened: Sendable {
        let folder: ScratchFolder
        let database: SQLiteDatabase

        func insert() async throws {
            try await database.write { try $0.run("INSERT INTO items (name) VALUES (hex(randomblob(8)))") }
        }

        /// How many items a short read finds.
        func count() async throws -> Int64 {
            try await database.readBeforeWrite { try $0.rows("SELECT count(*) FROM items").first?.integer(0) ?? 0 }
        }
    }

    fileprivate static func opened() throws -> Opened {
        let folder = try ScratchFolder()
        return Opened(folder: folder, database: try folder.open())
    }
}
