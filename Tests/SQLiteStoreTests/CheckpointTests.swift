import GRDB
import Testing

@testable import SQLiteStore

@Suite struct CheckpointTests {
    @Test func `a checkpoint begins beside the writer, which does the rest once and rests`() {
        let rows = SQLiteLimits.checkpointRows
        var phase = Checkpointer.Phase.resting(rows: 0).afterGroup(rows: rows - 1)
        #expect(phase == .resting(rows: rows - 1))
        phase = phase.afterGroup(rows: 1)
        #expect(phase == .besideWriter)
        // However much is written, no second one begins beside it.
        #expect(phase.afterGroup(rows: 10 * rows) == .besideWriter)
        // What the rest takes with it counts for none of the next.
        #expect(Checkpointer.Phase.awaitingFinalPass.afterGroup(rows: 10 * rows) == .resting(rows: 0))
    }

    @Test(.timeLimit(.minutes(1)))
    func `under writes without end the log starts again from its front`() async throws {
        let folder = try ScratchFolder()
        let database = try folder.open()
        // Each row is a page, so that the log would take ten times what is allowed.
        let text = String(repeating: "x", count: 3_000)
        for round in 0..<400 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<25 {
                    group.addTask {
                        try await database.write { database in
                            try database.execute(
                                sql: "INSERT INTO items (name) VALUES (?)", arguments: ["\(round)-\(number)-\(text)"])
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(FileFacts.byteCount(folder.databasePath + "-wal") < 16 << 20)
        #expect(try await database.integrityProblems() == [])
    }

    @Test(.timeLimit(.minutes(1)))
    func `under writes without end others who need the writer get their turn`() async throws {
        let folder = try ScratchFolder()
        let database = try folder.open()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    while !Task.isCancelled {
                        try await database.write {
                            try $0.execute(sql: "INSERT INTO items (name) VALUES (hex(randomblob(8)))")
                        }
                    }
                }
            }
            let start = ContinuousClock.now
            for _ in 0..<20 { _ = try await database.foreignVersion() }
            #expect(ContinuousClock.now - start < .seconds(20))
            group.cancelAll()
            try await group.waitForAll()
        }
    }
}
