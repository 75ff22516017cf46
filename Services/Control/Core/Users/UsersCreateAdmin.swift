import ArgumentParser
import InternalAPI

/// `latchkeyctl users create-admin EMAIL`
struct UsersCreateAdmin: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create-admin",
        abstract: "Creates a user with an email address, a password and the role admin.",
        discussion: """
            The password is read from the terminal, which does not show it, or from a line of standard input. The address \
            counts as verified. The policy needs the section passwords. Running the command again changes nothing.
            """)

    @Argument(help: "The administrator's email address.")
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
