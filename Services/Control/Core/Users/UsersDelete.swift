import ArgumentParser
import InternalAPI

/// `latchkeyctl users delete`
struct UsersDelete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Schedules a user for removal, as the user's own request would.",
        discussion: """
            The user's sessions end at once. The data are removed after the policy's deletion.graceDays, at the time that is \
            printed. Until then 'users restore' cancels the removal.
            """)

    @Argument(help: "The user's id.")
    var user: String

    @OptionGroup var connection: UserOperatorOptions

    func run() async throws {
        let schedule = try await connection.withConnection {
            try await $0.call(UserOperations.delete, DeleteUserRequest(userID: user))
        }
        print("signed out; removal at \(TimeText.text(schedule.dueAt))")
    }
}
