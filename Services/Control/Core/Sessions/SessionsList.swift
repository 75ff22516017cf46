import ArgumentParser
import AuthAPI
import InternalAPI

/// `latchkeyctl sessions list`
struct SessionsList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Shows a user's sessions, newest first, with times in UTC.")

    @Option(help: "The user's id.")
    var user: String

    @Flag(help: "As JSON, times in Unix seconds.")
    var json = false

    @OptionGroup var connection: OperatorOptions

    func run() async throws {
        let list = try await connection.withConnection {
            try await $0.call(TokenOperations.userSessions, UserSessionsRequest(userID: user))
        }
        print(json ? try JSONOutput.text(list) : Self.text(list))
    }

    /// Returns one line for each session under a heading. The device's name comes last, because it may contain any text.
    static func text(_ list: SessionList) -> String {
        let heading = ["SESSION", "CREATED", "LAST USED", "NETWORK", "DEVICE"]
        return TextTable.text([heading] + list.sessions.map(row))
    }

    private static func row(_ session: SessionSummary) -> [String] {
        [
            session.id, TimeText.text(session.createdAt), TimeText.text(session.lastUsedAt), session.address ?? "-",
            session.acting == true ? "(somebody acts as the user)" : session.deviceName ?? "-",
        ]
    }
}
