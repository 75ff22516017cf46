import ArgumentParser
import InternalAPI

/// `latchkeyctl outbox replay`
struct OutboxReplay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Posts the events since a time to USER_HOOK_URL again, also after a response 410.",
        discussion: """
            user-service posts user.*, token-service session.revoked. Each user's events come in their order, under the ids that \
            they had. Delivered events are kept for userHook.keepDays.
            """)

    @Option(help: "The time of the first event: 2026-11-21, 2026-11-21T08:00:00Z, or 30m, 24h, 7d ago.")
    var since: SinceArgument

    @Option(help: "Address of token-service; default $TOKEN_URL, or http://127.0.0.1:8082.")
    var tokenURL: String?

    @OptionGroup var users: UserOperatorOptions

    func run() async throws {
        let ofUsers = try await users.withConnection { try await replay(over: $0) }
        print("user-service posts \(ofUsers) events again")
        let ofSessions = try await OperatorConnection.with("token", url: tokenURL, secretsDirectory: users.secretsDir) {
            try await replay(over: $0)
        }
        print("token-service posts \(ofSessions) events again")
    }

    /// - Returns: The number of events.
    private func replay(over connection: OperatorConnection) async throws -> Int {
        var request = ReplayEventsRequest(since: since.second)
        var count = 0
        repeat {
            let replayed = try await connection.call(EventOperations.replay, request)
            count += replayed.count
            request.after = replayed.next
        } while request.after != nil
        return count
    }
}
