import Foundation
package import GRDB
package import Storage

/// Security decisions that a restored file must follow: they were made after its backup.
///
/// A restore writes them into the file. The service applies them when it acts on the restore, before it serves anything.
package enum OrderedDecisions {
    /// The statements that make the tables, as a part of the schema of the service with the users.
    package static let tables = """
        CREATE TABLE ordered_decisions (
            sequence INTEGER PRIMARY KEY,
            kind TEXT NOT NULL,
            subject BLOB NOT NULL,
            detail TEXT
        );
        CREATE TABLE decisions_order (id INTEGER PRIMARY KEY CHECK (id = 1))
        """

    /// The decisions of the list in their order, or `nil` if the restore had no list.
    package static func rows(in database: Database) throws -> [OrderedDecision]? {
        let isGiven = try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM decisions_order)") ?? false
        guard isGiven else { return nil }
        let sql = "SELECT sequence, kind, subject, detail FROM ordered_decisions ORDER BY sequence"
        return try Row.fetchAll(database, sql: sql).map {
            OrderedDecision(sequence: $0[0], kind: $0[1], subject: Array($0[2] as Data), detail: $0[3])
        }
    }

    /// Notes that the list has been applied.
    package static func clear(in database: Database) throws {
        try database.execute(sql: "DELETE FROM ordered_decisions; DELETE FROM decisions_order")
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
