import ArgumentParser
import Foundation
import InternalAPI
import Testing

@testable import ControlCore

@Suite struct ResubjectTests {
    private func read(_ text: String) throws -> [SubjectChange] {
        let path = FileManager.default.temporaryDirectory.path + "/resubject-\(UUID().uuidString).txt"
        try Data(text.utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try SubjectChangeFile.read(path)
    }

    @Test func `a file has a pair a line, with comments`() throws {
        let changes = try read("# from team A\n000001.a 000001.b\n\n 000002.a,000002.b\r\n000003#.a\t000003.b")
        #expect(changes.map(\.from) == ["000001.a", "000002.a", "000003#.a"])
        #expect(changes.map(\.to) == ["000001.b", "000002.b", "000003.b"])
    }

    @Test(arguments: [
        "000001.a\n", "a b c\n", String(repeating: "1", count: 1_001), "a b\na c\n", "a b\nc b\n", "a b\nb c\n",
        "a a\n",
    ])
    func `a line that is no pair, and a subject in two lines, are refused by line`(text: String) {
        #expect(throws: CommandFailure.self) { try read(text) }
    }

    @Test func `collisions name both users`() {
        let report = ResubjectReport(isDryRun: false)
        let results = [
            SubjectResult(.moved, userID: "usr_1"), SubjectResult(.present, userID: "usr_2"),
            SubjectResult(.taken, userID: "usr_3", holderID: "usr_4"), SubjectResult(.unknown),
        ]
        for result in results { report.count(result) }
        let lines = results.map { report.line(SubjectChange(from: "a", to: "b"), $0) }
        #expect(lines == ["usr_1: a -> b", nil, "usr_3: a stays: b belongs to usr_4", "a: no user has this subject"])
        #expect(report.hasCollisions && report.summary == "1 changed, 1 changed before, 1 taken, 1 unknown")
    }
}
