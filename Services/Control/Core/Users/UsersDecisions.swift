import ArgumentParser
import InternalAPI

/// `latchkeyctl users decisions [--since TIME]`
struct UsersDecisions: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decisions",
        abstract: "Prints the security decisions that a restore must not undo, one on a line.",
        discussion: """
            These are deactivations, lost roles, changed passwords, lost identities, ended invitations, and requests \
            for deletion with their withdrawals, with ids only. Keep \
            the list beside your backups, not in them: 'restore --decisions FILE' applies the decisions made after the \
            backup. user-service writes the same list to LATCHKEY_DECISIONS_DIR as decisions are made.
            """)

    @Option(help: "Decisions since a time: 2026-11-21, 2026-11-21T08:00:00Z, or 24h or 7d ago; default all.")
    var since: SinceArgument?

    @OptionGroup var connection: UserOperatorOptions

    func run() async throws {
        let start = since?.second ?? 0
        try await connection.withConnection { connection in
            var page = DecisionPage(decisions: [])
            repeat {
                page = try await connection.call(
                    UserOperations.decisions, DecisionsRequest(after: page.decisions.last?.sequence ?? 0))
                for decision in page.decisions where decision.at >= start { print(decision.line) }
            } while page.decisions.count == DecisionPage.decisionsMax
        }
    }
}
