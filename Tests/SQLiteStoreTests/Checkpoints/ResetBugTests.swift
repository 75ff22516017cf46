import GRDB
import Logging
import Synchronization
import Testing

@testable import SQLiteStore

/// SQLite's WAL-reset bug, with a commit inside the window: what checkpoints do without the protocol of
/// `CheckpointLock`, and what ours do.
@Suite struct ResetBugTests {
    /// Ways to begin a checkpoint although everything is copied.
    enum Danger: String, CaseIterable {
        /// Two passes, one after the other.
        case passesInTurn
        /// A mode that does not get SQLite's write lock in time and goes on as `PASSIVE`.
        case degradedFull, degradedTruncate
        /// A commit that changes rows but no byte, and so writes no frame.
        case byteEqualCommit
        /// A lock that is taken after another checkpoint has copied the commit that justified the pass.
        case lateLock
    }

    private let folder: ScratchFolder
    private let fixture: ResetBugFixture
    private let lock: CheckpointLock

    init() throws {
        folder = try ScratchFolder()
        fixture = try ResetBugFixture(path: folder.databasePath)
        lock = try CheckpointLock(databasePath: fixture.path)
        try fixture.commit(20)
    }

    @Test(
        .enabled(if: SQLiteVersion.linked.hasResetBug, "this SQLite does not have the bug"),
        arguments: Danger.allCases)
    func `control: without the protocol a commit in the window loses rows`(danger: Danger) throws {
        try prepare(danger)
        if danger == .passesInTurn { try fixture.checkpoint() }
        #expect(lock.tryTake())
        openWindow()
        switch danger {
        case .degradedFull: try fixture.checkpoint("FULL")
        case .degradedTruncate: try fixture.checkpoint("TRUNCATE")
        case .passesInTurn, .byteEqualCommit, .lateLock: try fixture.checkpoint()
        }
        #expect(fixture.window.close() > 0)
        #expect(fixture.index.words?.isImpossible == true)
        #expect(try fixture.losesRows())
    }

    @Test(arguments: Danger.allCases)
    func `with the protocol a commit in the window loses none`(danger: Danger) throws {
        for round in 0..<6 {
            try prepare(danger)
            // The second pass of a cycle has nothing to copy if the window of the first one stays empty.
            openWindow(after: danger == .passesInTurn ? round % 2 : 0)
            let before = fixture.checkpointCount
            switch danger {
            case .degradedFull, .degradedTruncate: try empty()
            case .passesInTurn, .byteEqualCommit, .lateLock: cycle()
            }
            // Where everything is copied, no checkpoint begins.
            #expect((fixture.window.close() > 0) == (danger == .passesInTurn))
            #expect((fixture.checkpointCount > before) == (danger == .passesInTurn))
            try fixture.finishRow()
            try expectNothingLost()
        }
    }

    @Test(arguments: ["PASSIVE", "FULL", "TRUNCATE"])
    func `over uncopied frames a checkpoint of any mode loses none, whatever is committed in the window`(
        mode: String
    ) throws {
        for isWriterBusy in [false, true, false, true] {
            if isWriterBusy { try fixture.beginRow() }
            // A mode that gets SQLite's write lock lets no commit into the window.
            if isWriterBusy || mode == "PASSIVE" { openWindow() }
            try fixture.checkpoint(mode)
            fixture.window.close()
            try fixture.finishRow()
            try expectNothingLost()
        }
    }

    /// Brings the file into the state in which the danger arises.
    private func prepare(_ danger: Danger) throws {
        if danger != .passesInTurn { try fixture.copyAll() }
        switch danger {
        case .passesInTurn, .lateLock: break
        case .byteEqualCommit:
            let before = fixture.index.words
            #expect(try fixture.commitByteEqual() == fixture.rowCount && fixture.index.words == before)
        case .degradedFull, .degradedTruncate: try fixture.beginRow()
        }
    }

    /// Lets a row be committed in each window after the first few.
    private func openWindow(after empty: Int = 0) {
        let visits = Mutex(0)
        fixture.window.open { [fixture] in
            let isEmpty = visits.withLock { visits in
                defer { visits += 1 }
                return visits < empty
            }
            guard !isEmpty else { return }
            try fixture.beginRow()
            try fixture.finishRow()
        }
    }

    private func expectNothingLost() throws {
        #expect(fixture.index.words?.isImpossible == false)
        try fixture.commit(30)
        #expect(try fixture.foundRowCount() == fixture.rowCount)
        #expect(try fixture.integrityProblems() == [])
    }

    /// Both passes of our own cycle next to the writer, then the one of the writer.
    private func cycle() {
        let checkpointer = checkpointer()
        fixture.writer.writeWithoutTransaction { checkpointer.committed(rows: 1, in: $0) }
        // They have ended when their connection is free.
        fixture.beside.writeWithoutTransaction { _ in }
        guard checkpointer.hasUncopied else { return }
        fixture.writer.writeWithoutTransaction { checkpointer.committed(rows: 1, in: $0) }
    }

    /// Our own emptying of the log, while the writer has SQLite's write lock.
    private func empty() throws {
        let log = WriteAheadLog(
            databasePath: fixture.path, bytesMax: 1 << 20, wait: BusyWait(metrics: SQLiteMetrics()),
            checkpointer: checkpointer(), logger: Logger(label: "test"))
        #expect(throws: DatabaseError.self) { try fixture.beside.writeWithoutTransaction { try log.fold(in: $0) } }
    }

    private func checkpointer() -> Checkpointer {
        Checkpointer(
            index: fixture.index, lock: lock,
            marker: PageMarker(databasePath: fixture.path, index: fixture.index) { fixture.beside }, rowsMin: 1,
            metrics: SQLiteMetrics(), logger: Logger(label: "test"))
    }
}
