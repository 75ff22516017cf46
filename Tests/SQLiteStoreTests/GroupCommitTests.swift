import GRDB
import SQLiteStore
import Storage
import TestSupport
import Testing

@Suite struct GroupCommitTests {
    private struct Refused: Error, Equatable { let number: Int }

    @Test func `a failing write is undone alone and its neighbours stay`() async throws {
        let folder = try ScratchFolder()
        let database = try folder.open()
        let failures = await withTaskGroup(of: Int?.self) { group in
            for number in 0..<200 {
                group.addTask {
                    do {
                        try await database.write { connection in
                            try connection.run("INSERT INTO items (name) VALUES ($1)", "\(number)")
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
        #expect(try await database.names() == Set((0..<200).filter { !refused.contains($0) }.map { "\($0)" }))
    }

    @Test func `a broken constraint comes back as the store's own error`() async throws {
        let folder = try ScratchFolder()
        let database = try folder.open()
        try await database.add("once")
        let error = await #expect(throws: StorageError.self) { try await database.add("once") }
        #expect(error?.code == .constraint)
    }

    @Test func `a write that ends the transaction itself fails and nothing of its group stands`() async throws {
        let folder = try ScratchFolder()
        let database = try folder.open()
        let error = await #expect(throws: StorageError.self) {
            try await database.write { connection in
                try connection.run("INSERT INTO items (name) VALUES ('lost')")
                try connection.run("ROLLBACK")
            }
        }
        #expect(error?.code == .io)
        #expect(try await database.names().isEmpty)
        try await database.add("after")
        #expect(try await database.names() == ["after"])
    }

    @Test func `two databases on one file write at the same time and lose nothing`() async throws {
        let folder = try ScratchFolder()
        let databases = [try folder.open(), try folder.open()]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, database) in databases.enumerated() {
                for number in 0..<300 { group.addTask { try await database.add("\(index)-\(number)") } }
            }
            try await group.waitForAll()
        }
        #expect(try await databases[0].names().count == 600)
        #expect(try await databases[1].integrityProblems() == [])
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
            await #expect(throws: StorageError.self) { try await database.add("late") }
        }
        #expect(error?.code == .busy)
        #expect(ContinuousClock.now - start >= .seconds(1))
        try await holder.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        try await database.add("now")
        #expect(try await database.names() == ["now"])
    }

    @Test func `more writes than the queue holds are refused and the queued ones still answered`() async throws {
        let folder = try ScratchFolder()
        let database = try folder.open()
        let holder = try folder.outsider()
        try await holder.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        let offered = StorageLimits.queuedMax + SQLiteLimits.groupMax + 50
        let codes = await withTaskGroup(of: StorageError.Code?.self) { group in
            for number in 0..<offered {
                group.addTask {
                    do {
                        try await database.add("\(number)")
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
        #expect(try await database.names().count == offered - refused)
    }

    private static func end(_ holder: DatabaseQueue) async {
        do {
            try await holder.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        } catch {
            Issue.record(error)
        }
    }
}
