import ArgumentParser
import InternalAPI

/// `latchkeyctl users restore`
struct UsersRestore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Cancels the scheduled removal of a user, before it is due.",
        discussion: "The sessions stay ended, so the user has to sign in again.")

    @Argument(help: "The user's id.")
    var user: String

    @OptionGroup var connection: UserOperatorOptions

    func run() async throws {
        try await connection.withConnection {
            try await $0.call(UserOperations.restore, RestoreUserRequest(userID: user))
        }
        print("restored: \(user)")
    }
}
