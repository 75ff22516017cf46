import ArgumentParser
import InternalAPI

/// `latchkeyctl sessions revoke`
struct SessionsRevoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revokes all sessions of a user, or a single one, at once.",
        discussion: "The user may sign in again. Sessions that have ended already are not counted.")

    @Option(help: "The id of a user, all of whose sessions are revoked.")
    var user: String?

    @Option(help: "A session as 'sessions list' shows it.")
    var session: String?

    @OptionGroup var connection: OperatorOptions

    func validate() throws {
        guard (user == nil) != (session == nil) else {
            throw ValidationError("use either --user ID or --session ID")
        }
    }

    func run() async throws {
        let answer = try await connection.withConnection {
            try await $0.call(
                TokenOperations.endSessions, EndSessionsRequest(userID: user, sessionID: session))
        }
        print("revoked: \(answer.endedCount)")
    }
}
