import Foundation
import Testing

/// The scripts in `deploy/` that check commits.
@Suite struct ScriptTests {
    private static let deploy =
        "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/deploy"

    @Test func `code that changed is told from comments that changed`() throws {
        #expect(try run("compare-code", "--self-test") == (0, ""))
    }

    @Test func `subjects of commits have at most 72 characters`() throws {
        #expect(try run("check-commits") == (0, ""))
    }

    /// A history of its own: the script, then a subject of 72 characters, then one of 73.
    @Test func `a subject of 73 characters is refused`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let history = """
            set -e; git init -q "$1"; cd "$1"; mkdir deploy; cp "$2/check-commits" deploy; git add deploy
            commit() { git -c user.name=a -c user.email=a@example.com commit -q --allow-empty -m "$1"; }
            commit Script; commit "$(printf 'a%.0s' {1..72})"; deploy/check-commits
            commit "$(printf 'b%.0s' {1..73})"; deploy/check-commits
            """
        let (status, output) = try run(in: "/bin", "bash", "-c", history, "-", folder.path, Self.deploy)
        #expect(status == 1)
        #expect(output.contains("73 characters, at most 72: bbb") && !output.contains("aaa"))
    }

    /// The status and the output of a script.
    private func run(
        in folder: String = deploy, _ script: String, _ arguments: String...
    ) throws -> (status: Int32, output: String) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "\(folder)/\(script)")
        process.arguments = arguments
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}
