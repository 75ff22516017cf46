import Foundation
import Glibc
import Logging
import Synchronization
import Testing

@testable import SQLiteStore

@Suite struct LogWatchTests {
    /// Whether a look at these states, the last of which stays, ends the process.
    private func ends(_ states: [LogWords?]) -> Bool {
        let left = Mutex(states)
        let hasEnded = Mutex(false)
        let watch = LogWatch(metrics: SQLiteMetrics(), logger: Logger(label: "test")) {
            hasEnded.withLock { $0 = true }
        } words: {
            left.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
        }
        watch.look()
        let hasIt = hasEnded.withLock { $0 }
        #expect(watch.isSound == !hasIt)
        return hasIt
    }

    @Test func `an impossible state in two looks ends the process, also if commits go on`() {
        #expect(ends([LogWords(copied: 9, committed: 2)]))
        #expect(ends([LogWords(copied: 9, committed: 2), LogWords(copied: 9, committed: 5)]))
    }

    @Test func `a state that passes ends nothing, and none that is possible does`() {
        // A connection restarts the log: `committed` is 0 for a moment.
        #expect(!ends([LogWords(copied: 9, committed: 0), LogWords(copied: 0, committed: 0)]))
        #expect(!ends([LogWords(copied: 9, committed: 0), LogWords(copied: 7, committed: 0)]))
        #expect(!ends([LogWords(copied: 9, committed: 0), nil]))
        for words in [nil, LogWords(copied: 0, committed: 0), LogWords(copied: 9, committed: 9)] {
            #expect(!ends([words]))
        }
    }

    /// The way in which the last process ends that has a file with rows that the bug has hidden.
    enum Ending: String, CaseIterable, Codable {
        /// The watch of a running process finds the state.
        case foundRunning
        /// The process starts while another one has the file open in that state.
        case foundAtStart
        /// Control: the process closes the file.
        case closed
    }

    @Test(
        .enabled(if: SQLiteVersion.linked.hasResetBug, "this SQLite does not have the bug"), .timeLimit(.minutes(5)),
        arguments: Ending.allCases)
    func `a process that exits without closing keeps the rows that a clean close loses`(ending: Ending) async throws {
        let folder = try ScratchFolder()
        let path = folder.databasePath
        await #expect(processExitsWith: ending == .closed ? .exitCode(0) : .exitCode(1)) {
            [path = path as String, ending = ending as Ending] in
            try await Self.hideRows(in: path, ending)
        }
        #expect(FileManager.default.fileExists(atPath: path + ".unready") == (ending == .foundRunning))
        let count = try ResetBugFixture.foundRowCount(in: path)
        #expect(ending == .closed ? count < Self.rowCount : count == Self.rowCount)
    }

    private static let rowCount = 25

    /// Commits `rowCount` rows, of which the index of the log counts some as copied that are not.
    private static func hideRows(in path: String, _ ending: Ending) async throws {
        do {
            let fixture = try ResetBugFixture(path: path)
            let database =
                ending == .foundRunning
                ? try SQLiteDatabase.open(
                    path: path, migrations: [], logger: Logger(label: "test")) : nil
            try fixture.commit(20)
            try fixture.checkpoint()
            fixture.window.open { try fixture.commit(2) }
            try fixture.checkpoint()
            fixture.window.close()
            try fixture.commit(rowCount - fixture.rowCount)
            guard fixture.index.words?.isImpossible == true else { _exit(9) }
            switch ending {
            case .closed: break
            case .foundAtStart:
                _ = try SQLiteDatabase.open(path: path, migrations: [], logger: Logger(label: "test"))
            case .foundRunning:
                for _ in 0..<500 where await database?.problem() == nil { usleep(10_000) }
                _ = FileManager.default.createFile(atPath: path + ".unready", contents: nil)
                sleep(10)
            }
        }
        // With the last connection the file is closed.
    }
}
