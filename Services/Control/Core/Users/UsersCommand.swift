internal import ArgumentParser

/// `latchkeyctl users …`
struct UsersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users", abstract: "Changes users' rights.", subcommands: [UsersChange.self])
}
