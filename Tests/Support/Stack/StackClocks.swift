import Foundation

/// Wall clocks that a test sets, one for each process of a stack, and one for its Redis or database if the test asks for it.
///
/// The stack runs programs of a folder of its own, each of which starts the real one with a clock of its own.
package struct StackClocks: Sendable {
    package static let services = ["gateway", "inbox", "otp", "token", "user"]

    private let folder: String
    private let library: String
    private let clocks: [String: ShiftedClock]
    /// The folder of the stack's programs.
    package var binaries: String { folder + "/bin" }

    /// Clocks that are right.
    ///
    /// - Parameter programs: The folder of the real programs.
    package init(of programs: String = LatchkeyStack.binaries) async throws {
        let files = FileManager.default
        let folder =
            files.temporaryDirectory.path(percentEncoded: false) + "latchkey-clocks-\(UUID().uuidString.prefix(8))"
        try files.createDirectory(atPath: folder + "/bin", withIntermediateDirectories: true)
        let library = try await ShiftedClock.build(in: folder)
        (self.folder, self.library) = (folder, library)
        clocks = try Dictionary(
            uniqueKeysWithValues: Self.services.map {
                try ($0, ShiftedClock(library: library, file: "\(folder)/\($0).clock"))
            })
        for name in try files.contentsOfDirectory(atPath: programs) where !name.contains(".") {
            let (real, own) = (programs + "/" + name, folder + "/bin/" + name)
            if let clock = clocks.first(where: { name == $0.key || name == "\($0.key)-service" })?.value {
                try write(program: own, starting: real, with: clock)
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
        try await withThrowingTaskGroup { group in
            for clock in names.compactMap({ clocks[$0] }) { group.addTask { try await clock.set(to: seconds) } }
            try await group.waitForAll()
        }
    }

    /// Gives Redis a clock that can be set, and returns the settings with which the stack finds it.
    package func addRedis(with clock: ShiftedClock) async throws -> [String: String] {
        let found = try await Shell.run("command -v redis-server", in: "/")
        guard let real = found.output.split(whereSeparator: \.isNewline).last else { throw CocoaError(.fileNoSuchFile) }
        try write(program: binaries + "/redis-server", starting: String(real), with: clock)
        return ["PATH": binaries + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")]
    }

    /// Returns a clock for a program that is none of the stack's.
    package func shifted() throws -> ShiftedClock { try ShiftedClock(library: library, file: folder + "/clock") }

    package func remove() throws { try FileManager.default.removeItem(atPath: folder) }

    private func write(program: String, starting real: String, with clock: ShiftedClock) throws {
        let variables = clock.environment.map { "\($0)=\($1)" }.sorted().joined(separator: " ")
        let text = """
            #!/bin/sh
            export \(variables)
            exec \(real) "$@"

            """
        try text.write(toFile: program, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    }
}
