import ArgumentParser

/// `latchkeyctl sig …`
struct SignatureCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sig", abstract: "Verifies bare signatures as the gateway does.",
        subcommands: [SignatureVerify.self])
}
