import ArgumentParser
import InternalAPI

/// `latchkeyctl users create-admin EMAIL`
struct UsersCreateAdmin: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create-admin",
        abstract: "Makes a user with an address, a password and the role admin.",
        discussion: """
            The password is asked for at the terminal, which does not show it, or is a line of standard input. The address \
            counts as proved at your word. The policy must have passwords. Running it again changes nothing.
            """)

    @Argument(help: "The administrator's e-mail address.")
    var email: String

    @OptionGroup var connection: UserOperatorOptions

    func run() async throws {
        let password = try PasswordPrompt.read()
        let created = try await connection.withConnection {
            try await $0.call(AccountOperations.createAdmin, CreateAdminRequest(email: email, password: password))
        }
        print("administrator: \(created.userID)")
    }
}
