import ArgumentParser
import InternalAPI

/// `latchkeyctl keys retire`
struct KeysRetire: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retire", abstract: "Revokes a key at once, for a key that may have been stolen.",
        discussion: """
            Every access token that it signed is refused from now on, and clients get new ones with their refresh tokens. If \
            the key is the one that signs, a new one takes its place. For a planned rotation, use 'keys rotate'.
            """)

    @Argument(help: "The key, as 'keys list' shows it.")
    var kid: String

    @OptionGroup var connection: OperatorOptions

    func run() async throws {
        try await connection.withConnection {
            try await $0.call(KeyOperations.retire, RetireKeyRequest(kid: kid))
        }
        print("\(kid) is revoked: access tokens that it signed are refused")
    }
}
