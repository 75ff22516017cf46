import Storage
import TestSupport
import Testing

@testable import SQLiteStore

@Suite struct CheckpointTests {
    @Test func `a cycle begins next to the writer, and the next group finishes it if it comes in time`() {
        let (rows, now) = (SQLiteLimits.checkpointRows, ContinuousClock.now)
        var phase = Checkpointer.Phase.idle(rows: 0)
        #expect(phase.noteGroup(rows: rows - 1, rowsMin: rows, now: now) == .goOn)
        #expect(phase == .idle(rows: rows - 1))
        #expect(phase.noteGroup(rows: 1, rowsMin: rows, now: now) == .begin)
        // Without the lock nothing begins, and the next group tries again.
        #expect(phase.noteGroup(rows: 0, rowsMin: rows, now: now) == .begin)
        for var busy in [Checkpointer.Phase.besideWriter, .onWriter] {
            // However much is written, no second cycle begins.
            #expect(busy.noteGroup(rows: 10 * rows, rowsMin: rows, now: now) == .goOn)
        }
        var awaiting = Checkpointer.Phase.awaitingFinalPass(end: now + .seconds(1))
        #expect(awaiting.noteGroup(rows: 0, rowsMin: rows, now: now) == .finish)
        #expect(awaiting.noteGroup(rows: 0, rowsMin: rows, now: now + .seconds(1)) == .goOn)
    }

    @Test(.timeLimit(.minutes(5)))
    func `a cycle that no group finishes releases the lock within a second or so`() async throws {
        let folder = try ScratchFolder()
        let database = try folder.open(checkpointRows: 1)
        _ = try await ScratchFolder.write("one", to: database)
        let lock = try CheckpointLock(databasePath: folder.databasePath)
        // The lock is the cycle's, unless this machine took longer than that.
        try await eventually("the lock is released", every: .milliseconds(5)) { lock.tryTake() }
        let index = try LogIndex(of: try folder.outsider())
        #expect(index.words?.copied ?? 0 > 0)
        // While the test keeps the lock, writes go on without cycles.
        for number in 0..<5 { _ = try await ScratchFolder.write("\(number)", to: database) }
        #expect(try await database.integrityProblems() == [])
    }

    @Test(.timeLimit(.minutes(5)))
    func `replicas that checkpoint in turn lose nothing, and their log is emptied`() async throws {
        let folder = try ScratchFolder()
        let replicas = [try folder.open(checkpointRows: 20), try folder.open(checkpointRows: 20)]
        let text = String(repeating: "x", count: 3_000)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (name, replica) in replicas.enumerated() {
                for client in 0..<8 {
                    group.addTask {
                        for number in 0..<200 {
                            _ = try await ScratchFolder.write("\(name)-\(client)-\(number)-\(text)", to: replica)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        // A cycle of the other replica may still have the lock; then the log is emptied at a later look.
        try await eventually("the log is emptied", every: .milliseconds(100)) {
            await replicas[0].boundLog()
            return FileFacts.byteCount(folder.databasePath + "-wal") == 0
        }
        #expect(try await replicas[0].integrityProblems() == [])
        #expect(try await replicas[1].names().count == 3_200)
    }

    @Test func `no connection checkpoints inside its commits`() async throws {
        let folder = try ScratchFolder()
        let database = try folder.open()
        let pages: @Sendable (any StatementReader) throws -> Int64? = {
            try $0.rows("PRAGMA wal_autocheckpoint").first?.optionalInteger(0)
        }
        let values = try await [
            database.write { try pages($0) }, database.read(pages), database.readBeforeWrite(pages),
        ]
        #expect(values == [0, 0, 0])
    }

    @Test(.timeLimit(.minutes(5)))
    func `under writes without end the log starts again from its front`() async throws {
        let folder = try ScratchFolder()
        let database = try folder.open()
        // Each row is a page, so that the log would take ten times what is allowed.
        let text = String(repeating: "x", count: 3_000)
        for round in 0..<400 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<25 {
                    group.addTask {
                        try await database.add("\(round)-\(number)-\(text)")
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(FileFacts.byteCount(folder.databasePath + "-wal") < 16 << 20)
        #expect(try await database.integrityProblems() == [])
    }

    @Test(.timeLimit(.minutes(5)))
    func `under writes without end others who need the writer get their turn`() async throws {
        let folder = try ScratchFolder()
        let database = try folder.open()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    while !Task.isCancelled {
                        try await database.write {
                            try $0.run("INSERT INTO items (name) VALUES (hex(randomblob(8)))")
                        }
                    }
                }
            }
            try await promptly("20 turns") {
                for _ in 0..<20 {
                    database.wipeRemoved()
                    await database.boundLog()
                }
            }
            group.cancelAll()
            try await group.waitForAll()
        }
    }
}
