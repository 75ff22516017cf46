import FoundationEssentials
import Glibc
import PrivateFiles

extension Supervisor {
    /// Runs the stack that the environment describes until a stop is asked for; ends the process with 1 if it cannot.
    ///
    /// Blocks its thread, which must be the only one yet: signals are blocked in the threads that come after.
    package static func start() {
        // Databases, logs and secrets are the owner's alone.
        _ = umask(0o077)
        ProcessPrivacy.refuseCoreFiles()
        let note = { (text: String) in say("supervisor: \(text)\n", on: STDERR_FILENO) }
        do {
            let itself = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            var supervisor = try prepare(
                variables: ProcessInfo.processInfo.environment,
                workingDirectory: FileManager.default.currentDirectoryPath,
                binaries: itself.split(separator: "/").dropLast().map { "/" + $0 }.joined(),
                stopsWithParent: CommandLine.arguments.contains("--stop-with-parent"), note: note)
            try supervisor.run(announce: { say($0, on: STDOUT_FILENO) }, note: note)
        } catch {
            say("supervisor: \(error)\n", on: STDERR_FILENO)
            exit(1)
        }
    }

    private static func say(_ text: String, on stream: Int32) {
        let bytes = Array(text.utf8)
        _ = unsafe write(stream, bytes, bytes.count)
    }
}
