import Foundation

/// A process that does something with the test's file, by a script for the shell.
final class OtherProcess {
    private let process = Process()
    private let input = Pipe()

    /// Starts the script and returns once it has written something that contains `text`, or has ended.
    init(_ script: String, awaiting text: String) throws {
        let output = Pipe()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["-c", script]
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        var seen = ""
        while !seen.contains(text) {
            let part = output.fileHandleForReading.availableData
            guard !part.isEmpty else { return }
            seen += String(decoding: part, as: UTF8.self)
        }
    }

    /// Closes its input and waits for its end.
    func end() {
        input.fileHandleForWriting.closeFile()
        process.waitUntilExit()
    }

    /// Whether another process gets SQLite's write lock of a database right now.
    static func canWrite(to path: String) -> Bool {
        let sqlite = Process()
        sqlite.executableURL = URL(filePath: "/usr/bin/sqlite3")
        sqlite.arguments = [path, "BEGIN IMMEDIATE; COMMIT"]
        sqlite.standardError = FileHandle.nullDevice
        do { try sqlite.run() } catch { return false }
        sqlite.waitUntilExit()
        return sqlite.terminationStatus == 0
    }
}
