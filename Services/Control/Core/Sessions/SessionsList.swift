import ArgumentParser
import AuthAPI
import InternalAPI

/// `latchkeyctl sessions list`
struct SessionsList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Shows a user's live sessions, newest first, with their times (UTC).")

    @Option(help: "The user's id.")
    var user: String

    @OptionGroup var connection: OperatorOptions

    func run() async throws {
        let list = try await connection.withConnection {
            try await $0.call(TokenOperations.userSessions, UserSessionsRequest(userID: user))
        }
        print(Self.text(list))
    }

    /// One line for each session under a heading; the device's own words come last, for they may hold anything.
    static func text(_ list: SessionList) -> String {
        let heading = ["SESSION", "CREATED", "LAST USED", "NETWORK", "DEVICE"]
        return TextTable.text([heading] + list.sessions.map(row))
    }

    private static func row(_ session: SessionSummary) -> [String] {
        [
            session.id, TimeText.text(session.createdAt), TimeText.text(session.lastUsedAt), session.address ?? "-",
            session.deviceName ?? "-",
        ]
    }
}
