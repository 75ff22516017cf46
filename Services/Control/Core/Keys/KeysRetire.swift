import ArgumentParser
import InternalAPI

/// `latchkeyctl keys retire`
struct KeysRetire: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retire", abstract: "Ends a key at once, for a key that may have been stolen.",
        discussion: """
            Every access token that it signed is refused from now on; clients get new ones with their refresh tokens. If
            the key signs, a new one takes over. For a rotation that nobody notices, use 'rotate'.
            """)

    @Argument(help: "As 'keys list' shows it.")
    var kid: String

    @OptionGroup var connection: OperatorOptions

    func run() async throws {
        try await connection.withConnection {
            try await $0.call(KeyOperations.retire, RetireKeyRequest(kid: kid))
        }
        print("\(kid) is gone: what it signed is refused")
    }
}
