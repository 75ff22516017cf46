import Foundation
import InternalAPI
import Passwords
import Testing

@testable import ControlCore

/// How a file of users is read.
@Suite struct ImportReaderTests {
    private func lines(_ data: Data) throws -> [FileLines.Line] {
        let path = FileManager.default.temporaryDirectory.appending(path: "import-\(UUID().uuidString)").path()
        #expect(FileManager.default.createFile(atPath: path, contents: data))
        defer { _ = unsafe unlink(path) }
        let file = try FileLines(path: path, bytesMax: ImportReader.lineBytesMax)
        var lines: [FileLines.Line] = []
        while let line = try file.next() { lines.append(line) }
        return lines
    }

    @Test func `lines are numbered as an editor does, and a long one is passed over`() throws {
        let long = String(repeating: "x", count: 10_000_000)
        let read = try lines(Data("a\r\n\nb\n\(long)\nc".utf8))
        #expect(read.map(\.number) == [1, 3, 4, 5])
        #expect(read.map { $0.bytes.map { String(decoding: $0, as: UTF8.self) } } == ["a", "b", nil, "c"])
        #expect(try lines(Data()).isEmpty)
    }

    @Test(arguments: [
        (#"{"phone":"+1415"}"#, nil), (#"[]"#, "is no JSON object"), ("x", "is no JSON object"),
        (#"{"phone":1}"#, "phone has the wrong type"),
        (#"{"Phone":"1"}"#, #"has members that nobody knows: ["Phone"]"#),
        (#"{"phone":"1","phone":"2"}"#, "is no JSON object"),
        (#"{"passwordHash":"$firebase$a$b"}"#, "has a hash of Firebase; --firebase is needed"),
    ])
    func `a line is a user or is named`(text: String, problem: String?) {
        let line = FileLines.Line(number: 1, bytes: Array(text.utf8))
        switch ImportReader(firebase: nil).read(line) {
        case .success: #expect(problem == nil)
        case .failure(let found): #expect(found.text == problem)
        }
    }

    @Test func `a call has no more than its body holds`() {
        var batch = ImportBatch()
        let line = FileLines.Line(number: 1, bytes: [UInt8](repeating: 0, count: 8_000))
        while batch.takes(line) { batch.add(ImportedUser(), line) }
        #expect(batch.users.count == 5)
    }
}
