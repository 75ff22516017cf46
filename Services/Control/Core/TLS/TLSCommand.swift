import ArgumentParser

/// `latchkeyctl tls …`
struct TLSCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tls", abstract: "Makes backup keys for the gateway's certificates, and prints the pins for apps.",
        subcommands: [TLSNewKey.self, TLSPins.self])
}
