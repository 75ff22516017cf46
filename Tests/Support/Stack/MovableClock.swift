import FoundationEssentials

/// A time that a test moves, for the processes of a stack: by libfaketime, which stands before the C library's clock.
///
/// Redis keeps its own time, and so do waits and timers: only what a process takes for the time of day moves.
package struct MovableClock: Sendable {
    package struct NotInstalled: Error {}

    /// libfaketime for processes with threads, by the architecture of the machine.
    private static let libraries = ["x86_64", "aarch64"].map {
        "/usr/lib/\($0)-linux-gnu/faketime/libfaketimeMT.so.1"
    }
    /// After so long every process has read the file again.
    private static let noticed = Duration.seconds(2)

    /// By which client programs move it: `COMPAT_CLOCK`. Its text is a signed number of seconds.
    package let file: String
    /// Settings of the stack that lives by it.
    package let environment: [String: String]

    /// A clock that is right.
    package init() throws {
        let files = FileManager.default
        let library = try Self.installed()
        file = files.temporaryDirectory.path(percentEncoded: false) + "latchkey-clock-\(UUID().uuidString)"
        environment = [
            "LD_PRELOAD": library, "FAKETIME_TIMESTAMP_FILE": file, "FAKETIME_CACHE_DURATION": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1", "NO_FAKE_STAT": "1",
        ]
        try Data("+0".utf8).write(to: URL(filePath: file), options: .atomic)
    }

    /// Returns the library that this machine has.
    static func installed() throws -> String {
        let found = libraries.first { FileManager.default.fileExists(atPath: $0) }
        guard let found else { throw NotInstalled() }
        return found
    }

    /// Lets the stack live so long after the true time, and waits until its processes know.
    package func move(to offset: Duration) async throws {
        try Data("+\(offset.components.seconds)".utf8).write(to: URL(filePath: file), options: .atomic)
        try await Task.sleep(for: Self.noticed)
    }
}
