import ArgumentParser
import InternalAPI

/// `latchkeyctl users inactive --dry-run`
struct UsersInactive: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inactive",
        abstract: "Lists the users who were away for long, and what happens to their accounts.",
        discussion: """
            The policy's accounts.inactive sets the times. The command changes nothing. It prints the value of \
            accounts.inactive.confirmed, without which user-service tells no user and removes no account. Run it again after \
            each change of these values.
            """)

    @Flag(help: "Required: the list is all that the command does.")
    var dryRun = false

    @OptionGroup var connection: UserOperatorOptions

    func validate() throws {
        guard dryRun else {
            throw ValidationError("use --dry-run; user-service removes the accounts, once the policy confirms it")
        }
    }

    func run() async throws {
        try await connection.withConnection { connection in
            var (page, people) = (try await connection.call(UserOperations.inactive, InactiveUsersRequest()), 0)
            var counts: [String: Int] = [:]
            while true {
                for person in page.users {
                    let state = Self.state(of: person, page)
                    print("\(person.userID)  \(state)\(person.removesAt.map { " at \(TimeText.text($0))" } ?? "")")
                    counts[state, default: 0] += 1
                    people += 1
                }
                guard let next = page.next else { break }
                page = try await connection.call(UserOperations.inactive, InactiveUsersRequest(cursor: next))
            }
            print("users: \(people)")
            for (state, count) in counts.sorted(by: { $0.key < $1.key }) { print("  \(state): \(count)") }
            print(
                page.isConfirmed
                    ? "The policy confirms these values."
                    : "To begin, set accounts.inactive.confirmed: \"\(page.confirmation)\" in the policy.")
        }
    }

    private static func state(of person: InactiveUserPage.Person, _ page: InactiveUserPage) -> String {
        if person.removesAt != nil { return "will be removed" }
        if person.isReached { return "would be told" }
        return page.withoutNotice ? "would be removed without a notice" : "stays, no notice reaches them"
    }
}
