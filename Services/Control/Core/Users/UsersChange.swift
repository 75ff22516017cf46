internal import ArgumentParser
internal import InternalAPI

/// `latchkeyctl users change`
struct UsersChange: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change", abstract: "Gives a user another role, deactivates or reactivates him, at once.",
        discussion: """
            After another role the user's access tokens are refused, and his app gets new ones with its refresh token. \
            A deactivated user is signed out everywhere and cannot sign in.
            """)

    @Argument(help: "The user's id.")
    var user: String

    @Option(help: "The role that the user's tokens name from now on.")
    var role: String?

    @Option(help: "Whether the user may use the account: true or false.")
    var active: Bool?

    @OptionGroup var connection: UserOperatorOptions

    func validate() throws {
        guard role != nil || active != nil else {
            throw ValidationError("name what is to change: --role ROLE, --active true or --active false")
        }
    }

    func run() async throws {
        try await connection.withConnection {
            try await $0.call(
                UserOperations.change, ChangeUserRequest(userID: user, role: role, isActive: active))
        }
        print("changed: \(user)")
    }
}
