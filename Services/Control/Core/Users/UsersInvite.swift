import ArgumentParser
import InternalAPI

/// `latchkeyctl users invite EMAIL|NUMBER`
struct UsersInvite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: "Lets somebody become a user, though by policy strangers may not.",
        discussion: """
            An address gets a mail whose link sets a password, where the policy has passwords. A number becomes a user with \
            its first right code. An invitation holds for seven days; another one to the same address or number takes its \
            place.
            """)

    @Argument(help: "The whole number, e.g. +15551234567, or an e-mail address.")
    var to: String

    @Option(help: "The role that the user will have; default that of all users.")
    var role: String?

    @OptionGroup var connection: UserOperatorOptions

    func run() async throws {
        let answer = try await connection.withConnection {
            try await $0.call(AccountOperations.invite, InviteRequest(to: to, role: role))
        }
        print("invited until \(TimeText.text(answer.expiresAt))" + (answer.isMailed ? "; a mail is on its way" : ""))
    }
}
