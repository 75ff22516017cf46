import ArgumentParser

/// `latchkeyctl tls …`
struct TLSCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tls", abstract: "Looks after the keys of the gateway's certificates, and what apps pin of them.",
        subcommands: [TLSNewKey.self, TLSPins.self])
}
