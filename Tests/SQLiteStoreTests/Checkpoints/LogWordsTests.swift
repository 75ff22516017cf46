import Testing

@testable import SQLiteStore

@Suite struct LogWordsTests {
    @Test(
        arguments: [
            (0, 0, false, false), (0, 1, true, false), (4, 5, true, false), (5, 5, false, false), (5, 4, false, true),
            (1, 0, false, true), (UInt32.max, 0, false, true),
        ] as [(UInt32, UInt32, Bool, Bool)])
    func `a checkpoint has something to do while frames are uncopied`(
        copied: UInt32, committed: UInt32, hasUncopied: Bool, isImpossible: Bool
    ) {
        let words = LogWords(copied: copied, committed: committed)
        #expect(words.hasUncopied == hasUncopied && words.isImpossible == isImpossible)
    }

    @Test func `the words are those that SQLite's own checkpoint reports`() throws {
        let folder = try ScratchFolder()
        let fixture = try ResetBugFixture(path: folder.databasePath)
        try fixture.commit(3)
        let before = try #require(fixture.index.words)
        #expect(before.copied == 0 && before.committed > 3)
        try fixture.copyAll()
        #expect(fixture.index.words == LogWords(copied: before.committed, committed: before.committed))
        // The log starts again from its front.
        try fixture.commit()
        let after = try #require(fixture.index.words)
        #expect(after.copied == 0 && after.committed > 0 && after.committed < before.committed)
    }

    @Test(
        arguments: [
            (3_040_001, "3.40.1", true), (3_044_005, "3.44.5", true), (3_044_006, "3.44.6", false),
            (3_044_010, "3.44.10", false), (3_045_000, "3.45.0", true), (3_046_001, "3.46.1", true),
            (3_050_006, "3.50.6", true), (3_050_007, "3.50.7", false), (3_051_000, "3.51.0", true),
            (3_051_002, "3.51.2", true), (3_051_003, "3.51.3", false), (3_052_000, "3.52.0", false),
            (4_000_000, "4.0.0", false),
        ] as [(Int32, String, Bool)])
    func `a version says whether it has the WAL-reset bug`(number: Int32, text: String, hasBug: Bool) {
        let version = SQLiteVersion(number: number)
        #expect(version.description == text && version.hasResetBug == hasBug)
    }
}
