import ArgumentParser

/// `latchkeyctl keys …`
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "Manages the keys that sign access tokens.",
        subcommands: [KeysList.self, KeysRotate.self, KeysRetire.self, KeysImport.self])
}
