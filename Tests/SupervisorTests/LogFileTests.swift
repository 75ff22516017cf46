import FoundationEssentials
import Testing

@testable import SupervisorCore

@Suite struct LogFileTests {
    private let path = FileManager.default.temporaryDirectory.path() + "latchkey-" + UUID().uuidString + ".log"

    private func size(_ path: String) throws -> Int { try Data(contentsOf: URL(filePath: path)).count }

    @Test func `a log that has grown too long becomes the older part`() throws {
        try Data(repeating: 10, count: LogFile.bytesMax + 1).write(to: URL(filePath: path))
        defer {
            for part in [path, path + ".1"] {
                #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: part) }
            }
        }
        LogFile.bound(path)
        #expect(try size(path) == 0)
        #expect(try size(path + ".1") == LogFile.bytesMax + 1)
    }

    @Test func `a shorter log stays, and no log is no fault`() throws {
        LogFile.bound(path)
        #expect(LogFile.lastLine(path) == nil)
        try Data("one\ntwo\n\n".utf8).write(to: URL(filePath: path))
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: path) } }
        LogFile.bound(path)
        #expect(LogFile.lastLine(path) == "two")
    }
}
