import ArgumentParser
import InternalAPI

/// `latchkeyctl users removed`
struct UsersRemoved: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "removed", abstract: "Prints the ids of all users who were removed, one on a line.",
        discussion: """
            Keep the list beside your backups, not in them: a backup still has the users who were removed after it was taken. \
            'restore --removed FILE' removes them again.
            """)

    @OptionGroup var connection: UserOperatorOptions

    func run() async throws {
        try await connection.withConnection { connection in
            var page = RemovedUsers(userIDs: [])
            repeat {
                page = try await connection.call(
                    UserOperations.removed, RemovedUsersRequest(cursor: page.userIDs.last))
                for id in page.userIDs { print(id) }
            } while page.userIDs.count == RemovedUsers.idsMax
        }
    }
}
