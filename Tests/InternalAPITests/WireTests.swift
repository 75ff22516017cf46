import Foundation
import InternalAPI
import Testing

/// Every operation with examples of what goes over the wire.
enum WireExamples {
    static func all() throws -> [WireText] {
        try token() + user() + account() + identity() + otp() + key() + inbox() + outbox() + review()
    }
}

/// Old and new processes talk during an upgrade: what they say to each other stays as the golden files have it.
@Suite struct WireTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Vectors/Wire")

    @Test func `each operation goes over the wire as its golden file has it`() throws {
        for example in try WireExamples.all() {
            let file = Self.folder.appending(path: example.name + ".txt")
            let golden = try String(contentsOf: file, encoding: .utf8)
            #expect(example.text == golden, "\(example.name)")
            #expect(example.textAgain == golden, "\(example.name), read and written again")
        }
    }

    @Test func `each golden file belongs to an operation`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path())
        #expect(Set(files) == Set(try WireExamples.all().map { $0.name + ".txt" }))
    }
}
