import Foundation

/// Wall clocks that a test sets, one for each process of a stack, and one for its Redis or database if the test asks for it.
///
/// The stack runs programs of a folder of its own, each of which starts the real one with libfaketime and a file that contains its
/// clock's error in seconds. Monotonic clocks stay right.
package struct StackClocks: Sendable {
    package static let services = ["gateway", "inbox", "otp", "token", "user"]
    /// After so long every process has read its file again.
    package static let noticed = Duration.milliseconds(1_500)

    private let folder: String
    /// The folder of the stack's programs.
    package var binaries: String { folder + "/bin" }

    /// Clocks that are right.
    ///
    /// - Parameter programs: The folder of the real programs.
    package init(of programs: String = LatchkeyStack.binaries) throws {
        let files = FileManager.default
        folder = files.temporaryDirectory.path(percentEncoded: false) + "latchkey-clocks-\(UUID().uuidString.prefix(8))"
        let library = try MovableClock.installed()
        try files.createDirectory(atPath: folder + "/bin", withIntermediateDirectories: true)
        for name in try files.contentsOfDirectory(atPath: programs) where !name.contains(".") {
            let (real, own) = (programs + "/" + name, folder + "/bin/" + name)
            if let process = Self.process(of: name) {
                try write(program: own, starting: real, as: process, library)
            } else if name == "supervisor" {
                // It looks for the others where it is itself.
                try files.copyItem(atPath: real, toPath: own)
            } else if files.isExecutableFile(atPath: real) {
                try files.createSymbolicLink(atPath: own, withDestinationPath: real)
            }
        }
    }

    /// Sets the clocks of some processes, by seconds from the right time, and waits until they know.
    package func set(_ names: [String], to seconds: Int) async throws {
        for name in names { try write(seconds, of: name) }
        try await Task.sleep(for: Self.noticed)
    }

    /// Gives Redis a clock that can be set, and returns the settings with which the stack finds it.
    package func addRedis(with clock: ShiftedClock) async throws -> [String: String] {
        let found = try await Shell.run("command -v redis-server", in: "/")
        guard let real = found.output.split(whereSeparator: \.isNewline).last else { throw MovableClock.NotInstalled() }
        let program = binaries + "/redis-server"
        let variables = clock.environment.map { "\($0)=\($1)" }.sorted().joined(separator: " ")
        let text = """
            #!/bin/sh
            export \(variables)
            exec \(real) "$@"

            """
        try text.write(toFile: program, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        return ["PATH": binaries + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")]
    }

    /// A clock for a program that is none of the stack's.
    package func shifted() async throws -> ShiftedClock { try await ShiftedClock(in: folder) }

    package func remove() throws { try FileManager.default.removeItem(atPath: folder) }

    /// Returns the name of the process that a program is, e.g. `otp` for `otp-service`; `nil` for programs that have no clock.
    private static func process(of program: String) -> String? {
        services.first { program == $0 || program == "\($0)-service" }
    }

    private func write(program: String, starting real: String, as name: String, _ library: String) throws {
        let text = """
            #!/bin/sh
            export LD_PRELOAD=\(library) FAKETIME_TIMESTAMP_FILE=\(folder)/\(name).clock FAKETIME_CACHE_DURATION=1
            export FAKETIME_DONT_FAKE_MONOTONIC=1 NO_FAKE_STAT=1
            exec \(real) "$@"

            """
        try text.write(toFile: program, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        try write(0, of: name)
    }

    private func write(_ seconds: Int, of name: String) throws {
        let text = seconds < 0 ? "\(seconds)" : "+\(seconds)"
        try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name).clock"), options: .atomic)
    }
}
