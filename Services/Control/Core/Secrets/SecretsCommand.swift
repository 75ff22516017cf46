import ArgumentParser

/// `latchkeyctl secrets …`
struct SecretsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "secrets", abstract: "Makes the secrets of a deployment.", subcommands: [SecretsInit.self])
}
