import Foundation
import GRDB
package import Storage

/// Security decisions that a restored file must follow: they were made after its backup.
///
/// A restore writes them into the file. The service applies them when it acts on the restore, before it serves anything.
package enum OrderedDecisions {
    /// The decisions of the list in their order, or `nil` if the restore had no list.
    package static func rows(in reader: any StatementReader) throws -> [OrderedDecision]? {
        guard try !reader.rows("SELECT 1 FROM decisions_order").isEmpty else { return nil }
        return try reader.rows("SELECT sequence, kind, subject, detail FROM ordered_decisions ORDER BY sequence").map {
            OrderedDecision(
                sequence: $0.integer(0), kind: $0.text(1), subject: $0.bytes(2), detail: $0.optionalText(3))
        }
    }

    /// Notes that the list has been applied.
    package static func clear(in transaction: any Transaction) throws {
        try transaction.run("DELETE FROM ordered_decisions")
        try transaction.run("DELETE FROM decisions_order")
    }

    static func order(_ rows: [OrderedDecision], in database: Database) throws {
        try database.execute(sql: "INSERT OR IGNORE INTO decisions_order (id) VALUES (1)")
        let statement = try database.cachedStatement(
            sql: "INSERT OR IGNORE INTO ordered_decisions (sequence, kind, subject, detail) VALUES (?, ?, ?, ?)")
        for row in rows {
            try statement.execute(arguments: [row.sequence, row.kind, Data(row.subject), row.detail])
        }
    }
}
