import ArgumentParser

/// `latchkeyctl jws …`
struct JWSCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jws", abstract: "Verifies signed texts as the gateway does.", subcommands: [JWSVerify.self])
}
