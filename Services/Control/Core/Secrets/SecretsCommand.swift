import ArgumentParser

/// `latchkeyctl secrets …`
struct SecretsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "secrets", abstract: "Makes a deployment's secrets.", subcommands: [SecretsInit.self])
}
