import ArgumentParser
import InternalAPI

/// `latchkeyctl users find NUMBER|ADDRESS|ID|PROVIDER:SUBJECT`, or `--legacy-id ID`
struct UsersFind: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Shows the user of a phone number, an email address, an id or an account at a provider.",
        discussion: """
            Times are in UTC. There is no search for a part of a phone number, an address or a name. Each call is a record in \
            the audit. A '?' for the sessions means that token-service did not respond, for the mail that otp-service did not.
            """)

    @Argument(
        help: "The whole phone number, such as +15551234567, the whole email address, the user's id, or apple:SUBJECT.")
    var key: String?

    @Option(name: .customLong("legacy-id"), help: "The user's id in the system from which they were imported.")
    var legacyID: String?

    @Flag(help: "As JSON, times in Unix seconds.")
    var json = false

    @OptionGroup var connection: UserOperatorOptions

    func validate() throws {
        guard (key == nil) != (legacyID == nil) else {
            throw ValidationError("use either a phone number, an email address or an id, or --legacy-id ID")
        }
    }

    func run() async throws {
        let request = FindUserRequest(key: key ?? legacyID ?? "", isLegacyID: legacyID == nil ? nil : true)
        let user = try await connection.withConnection { try await $0.call(UserOperations.find, request) }
        print(json ? try JSONOutput.text(user) : UserText.card(user))
    }
}
