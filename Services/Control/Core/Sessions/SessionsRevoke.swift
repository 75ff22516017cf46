import ArgumentParser
import InternalAPI

/// `latchkeyctl sessions revoke`
struct SessionsRevoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Ends all sessions of a user, or a single one, everywhere and at once.",
        discussion: "The user may sign in again. A session that has ended already is none to end.")

    @Option(help: "The user's id: all sessions end.")
    var user: String?

    @Option(help: "A session as 'sessions list' shows it.")
    var session: String?

    @OptionGroup var connection: OperatorOptions

    func validate() throws {
        guard (user == nil) != (session == nil) else {
            throw ValidationError("name either a user or a session: --user ID or --session ID")
        }
    }

    func run() async throws {
        let answer = try await connection.withConnection {
            try await $0.call(
                TokenOperations.endSessions, EndSessionsRequest(userID: user, sessionID: session))
        }
        print("ended: \(answer.endedCount)")
    }
}
