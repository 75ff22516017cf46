import ArgumentParser
import InternalAPI

/// `latchkeyctl users story ID`
struct UsersStory: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "story",
        abstract: "Tells what happened to a user, newest first, with times in UTC.",
        discussion: """
            The sentences come from the audits of token- and user-service. Live sessions come first, with their last refresh. Each \
            call is a record in the audit.
            """)

    @Argument(help: "The user's id.")
    var id: String

    @Option(help: "From a time on: 2026-11-21, 2026-11-21T08:00:00Z, or 30m, 24h, 7d ago; default all.")
    var since: SinceArgument?

    @Option(help: "How many sentences, 1 to 10000.")
    var limit = 50

    @Flag(help: "As JSON, one sentence on a line, times in Unix seconds.")
    var json = false

    @OptionGroup var connection: UserOperatorOptions

    func validate() throws {
        guard (1...10_000).contains(limit) else { throw ValidationError("--limit: use a number from 1 to 10000") }
    }

    func run() async throws {
        let told = try await connection.withConnection { connection in
            try await lines { try await connection.call(UserOperations.story, $0) }
        }
        print(
            try told.map { json ? try JSONOutput.text($0) : "\(TimeText.text($0.at))  \($0.sentence)" }
                .joined(separator: "\n"))
    }

    /// Fetches page after page, until there are enough sentences or no more.
    private func lines(_ fetch: (WholeAuditRequest) async throws -> StoryPage) async throws -> [StoryPage.Line] {
        var (sessions, lines): ([StoryPage.Line], [StoryPage.Line]) = ([], [])
        var cursor: String?
        repeat {
            let page = try await fetch(
                WholeAuditRequest(
                    userID: id, from: max(0, since?.second ?? 0), limit: min(limit - lines.count, AuditPage.recordsMax),
                    cursor: cursor))
            sessions += page.sessions
            lines += page.lines
            cursor = page.next
        } while cursor != nil && lines.count < limit
        return sessions + lines
    }
}
