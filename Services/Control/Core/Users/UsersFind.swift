import ArgumentParser
import InternalAPI

/// `latchkeyctl users find NUMBER|ADDRESS|ID|PROVIDER:SUBJECT`
struct UsersFind: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Shows the user of a number, an address, an id or an account at a provider, with times in UTC.",
        discussion: """
            There is no search for parts of a number, an address or a name. Each look is a record in the audit. A '?' for the sessions \
            means that token-service did not answer, for the mail that otp-service did not.
            """)

    @Argument(
        help: "The whole number, e.g. +15551234567, the whole email address, the user's id, or e.g. apple:SUBJECT.")
    var key: String

    @OptionGroup var connection: UserOperatorOptions

    func run() async throws {
        let user = try await connection.withConnection {
            try await $0.call(UserOperations.find, FindUserRequest(key: key))
        }
        print(UserText.card(user))
    }
}
