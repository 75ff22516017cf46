import Foundation
import Testing

/// The scripts in `deploy/` that check commits.
@Suite struct ScriptTests {
    private static let deploy =
        "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/deploy"

    @Test func `code that changed is told from comments that changed`() throws {
        #expect(try run("compare-code", "--self-test") == (0, ""))
    }

    /// The status and the output of a script.
    private func run(_ script: String, _ arguments: String...) throws -> (status: Int32, output: String) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "\(Self.deploy)/\(script)")
        process.arguments = arguments
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}
