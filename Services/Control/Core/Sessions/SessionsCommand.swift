import ArgumentParser

/// `latchkeyctl sessions …`
struct SessionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "Shows where a user is signed in, and signs the user out.",
        subcommands: [SessionsList.self, SessionsRevoke.self])
}
