internal import FoundationEssentials
internal import Glibc
internal import SupervisorCore

func say(_ text: String, on stream: Int32) {
    let bytes = Array(text.utf8)
    _ = unsafe write(stream, bytes, bytes.count)
}

do {
    let itself = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    var supervisor = try Supervisor.prepare(
        variables: ProcessInfo.processInfo.environment,
        workingDirectory: FileManager.default.currentDirectoryPath,
        binaries: itself.split(separator: "/").dropLast().map { "/" + $0 }.joined(),
        stopsWithParent: CommandLine.arguments.contains("--stop-with-parent"))
    try supervisor.run(
        announce: { say($0, on: STDOUT_FILENO) }, note: { say("supervisor: \($0)\n", on: STDERR_FILENO) })
} catch {
    say("supervisor: \(error)\n", on: STDERR_FILENO)
    exit(1)
}
