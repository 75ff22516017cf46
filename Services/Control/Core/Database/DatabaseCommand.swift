import ArgumentParser

/// `latchkeyctl database …`
struct DatabaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "database", abstract: "Prepares a PostgreSQL database.",
        subcommands: [DatabaseMigrate.self, DatabaseCopy.self, DatabaseBeginEpoch.self])
}
