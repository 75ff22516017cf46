import ArgumentParser

/// `latchkeyctl redis …`
struct RedisCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "redis", abstract: "Prepares Redis.", subcommands: [RedisLoad.self])
}
