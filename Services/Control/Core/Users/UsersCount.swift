import ArgumentParser
import InternalAPI

/// `latchkeyctl users count`
struct UsersCount: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "count", abstract: "Counts the users.",
        discussion: "The same numbers are the metric auth_users, counted every ten minutes.")

    @Flag(help: "As JSON.")
    var json = false

    @OptionGroup var connection: UserOperatorOptions

    func run() async throws {
        let counts = try await connection.withConnection { try await $0.call(UserOperations.count, NoBody()) }
        guard !json else { return print(try JSONOutput.text(counts)) }
        print(
            TextTable.text([
                ["users:", "\(counts.users)"], ["deactivated:", "\(counts.inactive)"],
                ["waiting for deletion:", "\(counts.scheduled)"], ["made by review access:", "\(counts.reviewers)"],
            ]))
    }
}
