import ArgumentParser
import InternalAPI

/// `latchkeyctl users delete`
struct UsersDelete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Schedules a user for removal, as the user's own request would.",
        discussion: """
            The user's sessions end at once. The data are removed after the policy's deletion.graceDays, at the time that is \
            printed. Until then 'users restore' cancels the removal. With --now they are removed within seconds, also those of \
            a user who was scheduled before, and nothing brings them back.
            """)

    /// The warning after a change that takes the rights of the only administrator.
    static let lastAdministrator =
        "warning: no active administrator is left; give a user the role with 'users change ID --role admin'"

    @Argument(help: "The user's id.")
    var user: String

    @Flag(help: "Removes the user's data at once.")
    var now = false

    @OptionGroup var connection: UserOperatorOptions

    func run() async throws {
        let schedule = try await connection.withConnection {
            try await $0.call(UserOperations.delete, DeleteUserRequest(userID: user, now: now ? true : nil))
        }
        print("signed out; removal \(now ? "within seconds" : "at \(TimeText.text(schedule.dueAt))")")
        if schedule.leavesNoAdministrator == true { print(Self.lastAdministrator) }
    }
}
