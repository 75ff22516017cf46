import ArgumentParser
import FoundationEssentials
import Glibc
import Policies

/// `latchkeyctl setup …`
struct SetupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: "Writes settings, policy and secrets for the units of the Debian package, and checks them.",
        discussion: """
            What no option states is asked at a terminal. A file that exists is kept, so run it again after an upgrade, which may \
            need new secrets, and after each change of settings or policy, to check it. It starts nothing. It exits with 1 if a \
            process would not start.
            """)

    @Flag(
        help:
            "For a look on this machine: codes appear in the packaged inbox, and requests reach the packaged sample API."
    )
    var development = false

    @Option(help: "Where it will be used: uat or production.")
    var environment: DeploymentEnvironment?

    @Option(help: "The app's name in messages and on pages.")
    var appName: String?

    @Option(help: "The URL at which clients reach the gateway, such as https://auth.example.com.")
    var publicURL: String?

    @Option(help: "Your API, such as http://127.0.0.1:3000.")
    var upstream: String?

    @Option(help: "What sends codes: webhook, twilio-verify, twilio-messaging or twilio-verify-managed.")
    var sender: String?

    @Option(help: "Another setting, as NAME=VALUE. The option may be repeated.")
    var set: [String] = []

    @Option(help: "The folder.")
    var folder = "/etc/latchkey"

    func run() async throws {
        let files = SetupFiles(folder: folder)
        if let kept = try files.keptSettings() {
            guard isWithoutAnswers else {
                throw CommandFailure(
                    description:
                        "\(files.settings) exists. Edit it and run latchkeyctl setup without options, which checks it.")
            }
            print("kept: \(files.settings)")
            try await finish(files, kept)
        } else {
            let answers = try answers()
            for made in try files.write(answers) { print("made: \(made)") }
            try await finish(files, answers.settings(policies: files.policies))
        }
    }

    private var isWithoutAnswers: Bool {
        !development && set.isEmpty && environment == nil
            && [appName, publicURL, upstream, sender].allSatisfy { $0 == nil }
    }

    /// Makes the missing secrets, and checks everything as the processes do.
    private func finish(_ files: SetupFiles, _ settings: [SetupSetting]) async throws {
        let secrets = try files.makeSecrets()
        if !secrets.isEmpty { print("made in \(files.secrets): \(secrets.joined(separator: " "))") }
        let findings = SetupCheck(files: files, settings: settings).findings()
        for finding in findings where finding.level == .warning { print("warning: \(finding.text)") }
        let faults = findings.filter { $0.level == .fault }
        guard faults.isEmpty else {
            let lines = faults.map(\.text) + ["Fix it in \(files.settings) and run latchkeyctl setup again."]
            throw CommandFailure(description: lines.joined(separator: "\n"))
        }
        print(
            "Keep a copy of \(files.secrets) where your other keys are. Start: systemctl enable --now latchkey.target")
    }

    private func answers() throws -> SetupAnswers {
        guard !development || environment == nil else {
            throw ValidationError("use --development or --environment, not both")
        }
        let environment =
            try development ? .development : environment ?? choice("Environment, uat or production", "--environment")
        let isOwn = environment != .development
        return try SetupAnswers(
            environment: environment,
            appName: try appName ?? (isOwn ? line("App's name", "--app-name") : nil),
            publicURL: try publicURL
                ?? (isOwn ? line("URL for clients, such as https://auth.example.com", "--public-url") : nil),
            upstream: try upstream ?? (isOwn ? line("Your API, such as http://127.0.0.1:3000", "--upstream") : nil),
            sender: try sender
                ?? (isOwn ? line("Sender of codes: webhook, twilio-verify or twilio-messaging", "--sender") : nil),
            others: set)
    }

    private func choice(_ question: String, _ option: String) throws -> DeploymentEnvironment {
        let text = try line(question, option)
        guard let environment = DeploymentEnvironment(rawValue: text), environment != .development else {
            throw CommandFailure(
                description: "\"\(text)\" is not a valid environment. Use uat or production, or --development.")
        }
        return environment
    }

    /// Asks a question at the terminal.
    private func line(_ question: String, _ option: String) throws -> String {
        guard isatty(STDIN_FILENO) == 1 else {
            throw CommandFailure(description: "\(option) is missing, and there is no terminal to ask at.")
        }
        print("\(question): ", terminator: "")
        fflush(nil)
        guard let line = readLine(), !line.isEmpty else {
            throw CommandFailure(description: "there was no answer. Nothing was written.")
        }
        return line
    }
}
