import ArgumentParser
import InternalAPI

/// `latchkeyctl users list`
struct UsersList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Shows users, newest first, and open invitations, with times in UTC.",
        discussion: "Each page is a record in the audit. The last line shows the options of the next page.")

    @Option(help: "The number of users on the page, 1 to \(UserPage.usersMax).")
    var limit = 50

    @Option(help: "Where the page begins, as the last line of the page before shows it.")
    var cursor: String?

    @Flag(help: "As JSON, times in Unix seconds.")
    var json = false

    @OptionGroup var connection: UserOperatorOptions

    func run() async throws {
        let page = try await connection.withConnection {
            try await $0.call(
                UserOperations.list, ListUsersRequest(limit: limit, cursor: cursor))
        }
        if json { return print(try JSONOutput.text(page)) }
        print(UserText.table(page.users))
        if let invitations = page.invitations, !invitations.isEmpty { print("\n" + UserText.table(invitations)) }
        if let next = page.next { print("more: --limit \(limit) --cursor \(next)") }
    }
}
