import ArgumentParser
import InternalAPI

/// `latchkeyctl users delete`
struct UsersDelete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Schedules the removal of a user, as if he had asked for it himself.",
        discussion: """
            His sessions end at once. Until the day that is printed, after the policy's deletion.graceDays, 'users restore' \
            takes it back; then his data are removed.
            """)

    @Argument(help: "The user's id.")
    var user: String

    @OptionGroup var connection: UserOperatorOptions

    func run() async throws {
        let schedule = try await connection.withConnection {
            try await $0.call(UserOperations.delete, DeleteUserRequest(userID: user))
        }
        print("signed out; to be removed: \(TimeText.text(schedule.dueAt))")
    }
}
