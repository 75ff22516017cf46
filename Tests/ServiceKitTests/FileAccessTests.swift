import Foundation
import Testing

@testable import ServiceKit

@Suite struct FileAccessTests {
    /// Runs `body` in a folder that everybody can enter, with a file of this mode in a subfolder of that mode.
    private func withFile(mode: Int, folder folderMode: Int, _ body: (String) throws -> Void) throws {
        let root = FileManager.default.temporaryDirectory.path + "/" + UUID().uuidString
        let folder = root + "/inner"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: root) }
        let file = folder + "/secret"
        #expect(FileManager.default.createFile(atPath: file, contents: Data("x".utf8)))
        for (path, mode) in [(file, mode), (folder, folderMode), (root, 0o755)] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
        try body(file)
    }

    @Test(arguments: [(0o644, 0o755), (0o604, 0o711), (0o444, 0o701)])
    func `a file that everybody can reach and read is refused with the command that mends it`(
        mode: Int, folder: Int
    ) throws {
        try withFile(mode: mode, folder: folder) { file in
            let error = #expect(throws: SettingsError.self) {
                try FileAccess.requirePrivate(file, setting: "secret x")
            }
            #expect(error.map { "\($0)".contains("chmod 600 '") } == true)
        }
    }

    @Test(arguments: [(0o600, 0o755), (0o640, 0o755), (0o644, 0o700), (0o644, 0o750)])
    func `a file that its mode or a folder above keeps from others passes`(mode: Int, folder: Int) throws {
        try withFile(mode: mode, folder: folder) { try FileAccess.requirePrivate($0, setting: "secret x") }
    }

    @Test func `a link is judged by where it leads`() throws {
        try withFile(mode: 0o644, folder: 0o755) { file in
            let folder = FileManager.default.temporaryDirectory.path + "/" + UUID().uuidString
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: file)
            #expect(throws: SettingsError.self) {
                try FileAccess.requirePrivate(folder + "/link", setting: "secret x")
            }
        }
    }

    @Test func `a folder that is not there is named`() {
        #expect(throws: SettingsError.self) {
            try FileAccess.requireWritable(folder: "/nowhere/at/all", setting: "LATCHKEY_DATA_DIR")
        }
    }
}
