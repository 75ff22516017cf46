import FoundationEssentials
import SQLiteStore
import Testing

@testable import ControlCore

@Suite struct DatabasesTests {
    @Test func `files lie side by side, or each in the folder of its service`() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/latchkey-" + UUID().uuidString
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: folder) } }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        #expect(paths(folder) == ["tokens.sqlite", "users.sqlite"])
        for service in ["token", "user"] {
            try FileManager.default.createDirectory(atPath: folder + "/" + service, withIntermediateDirectories: false)
        }
        #expect(paths(folder) == ["token/tokens.sqlite", "user/users.sqlite"])
        #expect(Databases.locations(in: folder).map(\.name) == ["tokens.sqlite", "users.sqlite"])
    }

    private func paths(_ folder: String) -> [String] {
        Databases.locations(in: folder).map { String($0.path.dropFirst(folder.utf8.count + 1)) }
    }
}
