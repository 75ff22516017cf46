import ArgumentParser

/// `latchkeyctl policy …`
struct PolicyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy", abstract: "Looks at policy files.", subcommands: [PolicyCheck.self, PolicyDiff.self])
}
