import ArgumentParser
import FoundationEssentials
import InternalAPI

/// `latchkeyctl users decisions [--since TIME]`
struct UsersDecisions: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decisions", abstract: "Prints the security decisions that a restore must not undo, one a line.",
        discussion: """
            Deactivations, lost roles, changed passwords, lost identities, and ended invitations, by ids alone. Keep the list \
            with your backups, and not in them: 'restore --decisions FILE' applies the decisions made after the backup. \
            user-service writes the same list to LATCHKEY_DECISIONS_DIR as decisions are made.
            """)

    @Option(help: "The time of the first decision, e.g. 2026-11-21T08:00:00Z; default all.")
    var since: String?

    @OptionGroup var connection: UserOperatorOptions

    func run() async throws {
        let start = try since.map(Self.time) ?? 0
        try await connection.withConnection { connection in
            var page = DecisionPage(decisions: [])
            repeat {
                page = try await connection.call(
                    UserOperations.decisions, DecisionsRequest(after: page.decisions.last?.sequence ?? 0))
                for decision in page.decisions where decision.at >= start { print(decision.line) }
            } while page.decisions.count == DecisionPage.decisionsMax
        }
    }

    private static func time(_ text: String) throws -> Int64 {
        do { return Int64(try Date(text, strategy: .iso8601).timeIntervalSince1970) } catch {
            throw ValidationError("--since: '\(text)' is not a time such as 2026-11-21T08:00:00Z")
        }
    }
}
