import ArgumentParser

/// `latchkeyctl jws …`
struct JWSCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jws", abstract: "Judges signed texts as the gateway does.", subcommands: [JWSVerify.self])
}
