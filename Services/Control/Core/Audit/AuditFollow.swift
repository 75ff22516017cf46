import ArgumentParser
import Glibc
import InternalAPI

/// `latchkeyctl audit follow`
struct AuditFollow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow",
        abstract: "Prints all audit records as they are written, for another system that keeps them.",
        discussion: """
            Each record is printed at least once, in the order of its chain. A line {"cursor":"..."} follows each batch. Keep the \
            last one that was stored, and continue with --after: what follows it is printed again. Without --after the records \
            begin with the oldest. A service that does not respond ends the command, and so does output that cannot be written: \
            run it again with the cursor. After a restore, run it once without --after, since numbers are given again.
            """)

    /// The pause between two reads once there are no more records.
    private static let pause: Duration = .seconds(2)

    @Option(help: "A cursor that an earlier run printed; default all records that are kept.")
    var after: FollowCursor?

    @Flag(help: "As JSON, one record on a line, times in Unix seconds.")
    var json = false

    @Flag(help: "Ends when all records are printed.")
    var once = false

    @Option(help: "Address of token-service; default $TOKEN_URL, or http://127.0.0.1:8082.")
    var tokenURL: String?

    @OptionGroup var users: UserOperatorOptions

    func run() async throws {
        try await OperatorConnection.with("token", url: tokenURL, secretsDirectory: users.secretsDir) { token in
            try await users.withConnection { try await follow(token: token, user: $0) }
        }
    }

    private func follow(token: OperatorConnection, user: OperatorConnection) async throws {
        var (cursor, begins) = (after ?? FollowCursor(), true)
        while true {
            var isEnd = true
            for service in AuditService.allCases {
                let request = AuditTailRequest(
                    after: cursor.places(of: service), limit: AuditPage.recordsMax, begins: begins)
                let page: AuditTailPage =
                    switch service {
                    case .token: try await token.call(TokenOperations.auditTail, request)
                    case .user: try await user.call(UserOperations.auditTail, request)
                    }
                cursor.move(behind: page, of: service)
                try show(page, of: service, cursor)
                isEnd = isEnd && page.records.count < AuditPage.recordsMax
            }
            begins = false
            if isEnd, once { return }
            if isEnd { try await Task.sleep(for: Self.pause) }
        }
    }

    private func show(_ page: AuditTailPage, of service: AuditService, _ cursor: FollowCursor) throws {
        guard !page.records.isEmpty else { return }
        var lines = try page.records.map { record in
            let row = AuditRow(service: service, record: record.record)
            return json ? try JSONOutput.text(FollowedRecord(slot: record.slot, row: row)) : row.line
        }
        lines.append(json ? try JSONOutput.text(["cursor": cursor.text]) : "cursor \(cursor.text)")
        // `print` reports no failure: after a full disk a later cursor would follow records that were lost.
        try FileBytes.write(Array(lines.map { $0 + "\n" }.joined().utf8), to: STDOUT_FILENO)
    }
}

/// A record with the chain in which it has its number.
private struct FollowedRecord: Encodable {
    let slot: Int64
    let row: AuditRow

    private enum Key: CodingKey { case slot }

    func encode(to encoder: any Encoder) throws {
        try row.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(slot, forKey: .slot)
    }
}
