import ArgumentParser
import InternalAPI

/// `latchkeyctl audit list`
struct AuditList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Shows audit records, newest first, with times in UTC.",
        discussion: """
            token-service records what happens to sessions and keys, user-service what happens to users, their codes and \
            passwords. Without --service both are listed. user-service names users by pseudonyms, so that the records tell \
            nothing about a user who was removed; --user finds the records of one. Each listing of user-service is a record \
            user.looked_up itself.
            """)

    @Option(help: "token or user: the records of one service; default both.")
    var service: AuditService?

    @Option(help: "Records of one user only, by the user's id.")
    var user: String?

    @Option(help: "Records of one event only, such as session.revoked or user.rights_changed.")
    var event: String?

    @Option(help: "Records since a time: 2026-11-21, 2026-11-21T08:00:00Z, or 30m, 24h, 7d ago; default all.")
    var since: SinceArgument?

    @Option(help: "How many records, 1 to 10000.")
    var limit = 50

    @Flag(help: "As JSON, one record on a line, times in Unix seconds.")
    var json = false

    @Option(help: "Address of token-service; default $TOKEN_URL, or http://127.0.0.1:8082.")
    var tokenURL: String?

    @OptionGroup var users: UserOperatorOptions

    private var services: [AuditService] { service.map { [$0] } ?? AuditService.allCases }

    func validate() throws {
        guard (1...10_000).contains(limit) else { throw ValidationError("--limit: use a number from 1 to 10000") }
        if let event { try AuditService.require(event, in: services) }
    }

    func run() async throws {
        var rows: [AuditRow] = []
        for service in services {
            guard event.map(service.events.contains) ?? true else { continue }
            rows += try await records(of: service).map { AuditRow(service: service, record: $0) }
        }
        let newest = rows.enumerated().sorted {
            ($1.element.record.at, $0.offset) < ($0.element.record.at, $1.offset)
        }.prefix(limit).map(\.element)
        print(json ? try newest.map(JSONOutput.text).joined(separator: "\n") : AuditRow.table(newest))
    }

    private func records(of service: AuditService) async throws -> [AuditPage.Record] {
        switch service {
        case .token:
            try await OperatorConnection.with(
                "token", url: tokenURL, secretsDirectory: users.secretsDir
            ) { connection in try await pages { try await connection.call(TokenOperations.audit, $0) } }
        case .user:
            try await users.withConnection { connection in
                try await pages { try await connection.call(UserOperations.audit, $0) }
            }
        }
    }

    /// Fetches page after page, until there are enough records or no more.
    private func pages(_ fetch: (AuditRequest) async throws -> AuditPage) async throws -> [AuditPage.Record] {
        var records: [AuditPage.Record] = []
        var before: Int64?
        repeat {
            let page = try await fetch(
                AuditRequest(
                    userID: user, event: event, since: since?.second,
                    limit: min(limit - records.count, AuditPage.recordsMax), before: before))
            records += page.records
            before = page.next
        } while before != nil && records.count < limit
        return records
    }
}
