import ArgumentParser
import InternalAPI

/// `latchkeyctl outbox …`
struct OutboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox",
        abstract: "Manages the outbox: messages to other services, mails, and events for your back end.",
        subcommands: [OutboxList.self, OutboxRetry.self, OutboxDrop.self, OutboxReplay.self])
}

/// `latchkeyctl outbox list`
struct OutboxList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Shows all rows, oldest first, without their contents.")

    @OptionGroup var connection: UserOperatorOptions

    func run() async throws {
        let rows = try await connection.withConnection { connection in
            var (rows, page) = ([OutboxPage.Row](), OutboxPage(rows: [], isLast: false))
            while !page.isLast {
                page = try await connection.call(OutboxOperations.list, OutboxListRequest(cursor: page.rows.last?.id))
                rows += page.rows
            }
            return rows
        }
        let head = ["ID", "LANE", "KIND", "USER", "TRIED", "SINCE", "NEXT"]
        print(TextTable.text([head] + rows.map(Self.cells)))
    }

    private static func cells(_ row: OutboxPage.Row) -> [String] {
        [
            "\(row.id)", row.lane, row.kind, row.userID, "\(row.attempts)", TimeText.text(row.createdAt),
            row.nextAttemptAt.map(TimeText.text) ?? "dead",
        ]
    }
}

/// `latchkeyctl outbox retry`
struct OutboxRetry: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Tries a row again at once, even if it is dead.")

    @Argument(help: "The row's id, as 'outbox list' shows it.")
    var id: Int64

    @OptionGroup var connection: UserOperatorOptions

    func run() async throws {
        try await connection.withConnection { try await $0.call(OutboxOperations.retry, OutboxRowRequest(id: id)) }
        print("row \(id) is being tried again")
    }
}

/// `latchkeyctl outbox drop`
struct OutboxDrop: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop", abstract: "Deletes a mail that was not sent. Other rows cannot be dropped.")

    @Argument(help: "The row's id, as 'outbox list' shows it.")
    var id: Int64

    @OptionGroup var connection: UserOperatorOptions

    func run() async throws {
        try await connection.withConnection { try await $0.call(OutboxOperations.drop, OutboxRowRequest(id: id)) }
        print("row \(id) is dropped")
    }
}
