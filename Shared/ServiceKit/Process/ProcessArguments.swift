import Release
import SettingNames

/// The action that a process takes on its command line. Its settings are variables, so the line has no other use.
enum ProcessArguments: Equatable {
    case run
    /// Prints a text and exits with 0.
    case show(String)
    /// Exits with 64 (sysexits: EX_USAGE) and a message.
    case refuse(String)

    /// Reads the command line.
    ///
    /// - Parameters:
    ///   - arguments: The arguments, with the program's path first.
    ///   - name: The short name of the process.
    ///   - summary: The purpose of the process, in one sentence.
    init(_ arguments: [String], name: String, summary: String) {
        let program = arguments.first?.split(separator: "/").last.map(String.init) ?? name
        switch arguments.dropFirst().first {
        case nil: self = .run
        case "--help", "-h", "help": self = .show(Self.help(program, name: name, summary: summary))
        case "--version": self = .show("\(Release.version)\n")
        case let other?:
            self = .refuse(
                "\(program): \"\(other)\" is not an option. Settings are environment variables: \(program) --help lists them.\n"
            )
        }
    }

    private static func help(_ program: String, name: String, summary: String) -> String {
        let own = Settings.own(name)
        return """
            \(summary)

            usage: \(program) [--help | --version]

            Settings are environment variables, and secrets are files. An empty variable counts as unset.

            of every process:
            \(Settings.common.listing)
            \(own.isEmpty ? "" : "\nof \(program):\n\(own.listing)\n")
            deploy/docs/reference/settings.md explains them, and lists the secrets.

            """
    }
}
