import GRDB
import SQLiteStore
import Storage
import TestSupport
import Testing

@Suite struct GroupCommitTests {
    private struct Refused: Error, Equatable { let number: Int }

    private func insert(_ name: String, into database: SQLiteDatabase) async throws {
        try await database.write { try $0.execute(sql: "INSERT INTO items (name) VALUES (?)", arguments: [name]) }
    }

    private func names(_ database: SQLiteDatabase) async throws -> Set<String> {
        try await database.read { try Set(String.fetchAll($0, sql: "SELECT name FROM items")) }
    }

    @Test func `a failing write is undone alone and its neighbours stay`() async throws {
        let folder = try ScratchFolder()
        let database = try folder.open()
        let failures = await withTaskGroup(of: Int?.self) { group in
            for number in 0..<200 {
                group.addTask {
                    do {
                        try await database.write { connection in
                            try connection.execute(sql: "INSERT INTO items (name) VALUES (?)", arguments: ["\(number)"])
                            if number.isMultiple(of: 7) { throw Refused(number: number) }
                        }
                        return nil
                    } catch let refused as Refused {
                        return refused.number
                    } catch {
                        return -1
                    }
                }
            }
            return await group.reduce(into: Set<Int>()) { if let number = $1 { $0.insert(number) } }
        }
        let refused = Set((0..<200).filter { $0.isMultiple(of: 7) })
        #expect(failures == refused)
        #expect(try await names(database) == Set((0..<200).filter { !refused.contains($0) }.map { "\($0)" }))
    }

    @Test func `a broken constraint comes back as the store's own error`() async throws {
        let folder = try ScratchFolder()
        let database = try folder.open()
        try await insert("once", into: database)
        let error = await #expect(throws: StorageError.self) { try await insert("once", into: database) }
        #expect(error?.code == .constraint)
    }

    @Test func `a write that ends the transaction itself fails and nothing of its group stands`() async throws {
        let folder = try ScratchFolder()
        let database = try folder.open()
        let error = await #expect(throws: StorageError.self) {
            try await database.write { connection in
                try connection.execute(sql: "INSERT INTO items (name) VALUES ('lost')")
                try connection.execute(sql: "ROLLBACK")
            }
        }
        #expect(error?.code == .io)
        #expect(try await names(database).isEmpty)
        try await insert("after", into: database)
        #expect(try await names(database) == ["after"])
    }

    @Test func `two databases on one file write at the same time and lose nothing`() async throws {
        let folder = try ScratchFolder()
        let databases = [try folder.open(), try folder.open()]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, database) in databases.enumerated() {
                for number in 0..<300 { group.addTask { try await insert("\(index)-\(number)", into: database) } }
            }
            try await group.waitForAll()
        }
        #expect(try await names(databases[0]).count == 600)
        #expect(try await databases[1].integrityProblems() == [])
    }

    @Test func `a foreign commit changes the foreign version and an own one does not`() async throws {
        let folder = try ScratchFolder()
        let (ours, theirs) = (try folder.open(), try folder.open())
        let before = try await ours.foreignVersion()
        try await insert("ours", into: ours)
        #expect(try await ours.foreignVersion() == before)
        try await insert("theirs", into: theirs)
        #expect(try await ours.foreignVersion() != before)
    }

    @Test func `a file held by another process fails as busy within the limit and works again afterwards`() async throws
    {
        let folder = try ScratchFolder()
        let database = try folder.open()
        let holder = try folder.outsider()
        try await holder.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        let start = ContinuousClock.now
        // The file is held until the write has failed.
        let error = try await promptly("the write") {
            await #expect(throws: StorageError.self) { try await insert("late", into: database) }
        }
        #expect(error?.code == .busy)
        #expect(ContinuousClock.now - start >= .seconds(1))
        try await holder.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        try await insert("now", into: database)
        #expect(try await names(database) == ["now"])
    }

    @Test func `more writes than the queue holds are refused and the queued ones still answered`() async throws {
        let folder = try ScratchFolder()
        let database = try folder.open()
        let holder = try folder.outsider()
        try await holder.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        let offered = SQLiteLimits.queuedMax + SQLiteLimits.groupMax + 50
        let codes = await withTaskGroup(of: StorageError.Code?.self) { group in
            for number in 0..<offered {
                group.addTask {
                    do {
                        try await insert("\(number)", into: database)
                        return nil
                    } catch {
                        return (error as? StorageError)?.code
                    }
                }
            }
            var codes: [StorageError.Code: Int] = [:]
            for await code in group {
                guard let code else { continue }
                codes[code, default: 0] += 1
                if code == .queueFull, codes[.queueFull] == 1 {
                    await Self.end(holder)
                }
            }
            return codes
        }
        let refused = codes.values.reduce(0, +)
        #expect((codes[.queueFull] ?? 0) >= 1)
        #expect(try await names(database).count == offered - refused)
    }

    private static func end(_ holder: DatabaseQueue) async {
        do {
            try await holder.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        } catch {
            Issue.record(error)
        }
    }
}
