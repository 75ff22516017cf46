import FoundationEssentials
import Glibc
import PrivateFiles
import Release
import SettingNames

extension Supervisor {
    /// Runs the stack that the environment describes until it is told to stop; exits with 1 if it cannot.
    ///
    /// Blocks its thread, which must still be the only one: signals are blocked in the threads that come later.
    package static func start() {
        // Databases, logs and secrets are accessible only to their owner.
        _ = umask(0o077)
        ProcessPrivacy.refuseCoreFiles()
        let arguments = Array(CommandLine.arguments.dropFirst())
        answer(arguments)
        let note = { (text: String) in
            say(text.split(separator: "\n").map { "supervisor: \($0)\n" }.joined(), on: STDERR_FILENO)
        }
        do {
            let itself = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            var supervisor = try prepare(
                variables: ProcessInfo.processInfo.environment,
                workingDirectory: FileManager.default.currentDirectoryPath,
                binaries: itself.split(separator: "/").dropLast().map { "/" + $0 }.joined(),
                stopsWithParent: arguments.contains(stopsWithParentOption), note: note)
            try supervisor.run(announce: { say($0, on: STDOUT_FILENO) }, note: note)
        } catch {
            note("\(error)")
            exit(1)
        }
    }

    private static let stopsWithParentOption = "--stop-with-parent"

    /// Prints the text that the arguments request, and exits; returns if the stack is to run.
    private static func answer(_ arguments: [String]) {
        guard let other = arguments.first(where: { $0 != stopsWithParentOption }) else { return }
        switch other {
        case "--help", "-h", "help":
            say(help, on: STDOUT_FILENO)
            exit(0)
        case "--version":
            say("\(Release.version)\n", on: STDOUT_FILENO)
            exit(0)
        default:
            say("supervisor: \"\(other)\" is not an option; supervisor --help lists them.\n", on: STDERR_FILENO)
            exit(64)
        }
    }

    /// The text of `--help`.
    package static let help = """
        supervisor runs the whole of Latchkey on this machine until Ctrl-C. deploy/run builds what has changed and starts it.

        usage: supervisor [--stop-with-parent] [--help | --version]

          --stop-with-parent  stops when the process that started it exits

        Settings are environment variables. An empty one counts as unset:
        \(Settings.supervisor.listing)

        Other variables reach the processes as they are, such as OTP_SENDER. README.md shows the first sign-in, and
        deploy/docs/reference/settings.md explains all settings.

        """

    private static func say(_ text: String, on stream: Int32) {
        let bytes = Array(text.utf8)
        _ = unsafe write(stream, bytes, bytes.count)
    }
}
