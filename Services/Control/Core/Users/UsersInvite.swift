import ArgumentParser
import InternalAPI

/// `latchkeyctl users invite EMAIL|NUMBER`
struct UsersInvite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: "Invites a person who otherwise could not sign up under the policy.",
        discussion: """
            If the policy has passwords, an email address gets a mail with a link that sets one. A phone number becomes a user \
            with its first right code. An invitation is valid for seven days; a new one to the same address or number \
            replaces it.
            """)

    @Argument(help: "The whole phone number, such as +15551234567, or an email address.")
    var to: String

    @Option(help: "The role that the user will have; default user.")
    var role: String?

    @OptionGroup var connection: UserOperatorOptions

    func run() async throws {
        let answer = try await connection.withConnection {
            try await $0.call(AccountOperations.invite, InviteRequest(to: to, role: role))
        }
        print("invited until \(TimeText.text(answer.expiresAt))" + (answer.isMailed ? "; a mail has been queued" : ""))
    }
}
