import ArgumentParser
import InternalAPI

/// `latchkeyctl users restore`
struct UsersRestore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Takes the scheduled removal of a user back, before its hour.",
        discussion: "The user signs in again: the sessions that the deletion ended stay ended.")

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
