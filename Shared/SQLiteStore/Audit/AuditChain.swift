import Foundation
package import GRDB

/// The table `audit` of a database file: rows that are only added, each linked to the one before by its hash.
///
/// The link is made inside the writing transaction, which one process has at a time: replicas continue one chain.
/// `audit_ends` has one row: the newest number and hash, and those of the last row that the retention removed.
package struct AuditChain: Sendable {
    /// Returns the statements that make the tables, as a part of a service's schema.
    ///
    /// The triggers prevent mistakes and simple tampering. Someone who can change the schema can remove them, but the hashes
    /// reveal it.
    /// - Parameter columns: The definitions of all columns except the key and the hash, as SQL.
    package static func tables(columns: String) -> String {
        """
        CREATE TABLE audit (number INTEGER PRIMARY KEY, \(columns), hash BLOB NOT NULL);
        CREATE TABLE audit_ends (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            newest INTEGER NOT NULL,
            newest_hash BLOB NOT NULL,
            removed INTEGER NOT NULL,
            removed_hash BLOB NOT NULL
        );
        INSERT INTO audit_ends VALUES (1, 0, zeroblob(32), 0, zeroblob(32));
        CREATE TRIGGER audit_rows_are_linked BEFORE INSERT ON audit
            WHEN length(new.hash) <> 32 OR new.rowid IS NOT (SELECT newest + 1 FROM audit_ends)
            BEGIN SELECT RAISE(ABORT, 'audit rows are linked'); END;
        CREATE TRIGGER audit_end_moves AFTER INSERT ON audit
            BEGIN UPDATE audit_ends SET newest = new.rowid, newest_hash = new.hash; END;
        CREATE TRIGGER audit_rows_stay_as_they_are BEFORE UPDATE ON audit
            BEGIN SELECT RAISE(ABORT, 'audit rows do not change'); END;
        CREATE TRIGGER audit_rows_stay BEFORE DELETE ON audit WHEN old.rowid > (SELECT removed FROM audit_ends)
            BEGIN SELECT RAISE(ABORT, 'audit rows are removed from the oldest on'); END;
        CREATE TRIGGER audit_anchor_is_a_row BEFORE UPDATE OF removed, removed_hash ON audit_ends
            WHEN new.removed < old.removed OR NOT EXISTS
                (SELECT 1 FROM audit WHERE rowid = new.removed AND hash = new.removed_hash)
            BEGIN SELECT RAISE(ABORT, 'the anchor is the last removed row'); END;
        CREATE TRIGGER audit_ends_stay BEFORE DELETE ON audit_ends
            BEGIN SELECT RAISE(ABORT, 'the ends of the audit stay'); END
        """
    }

    private let insertion: String

    /// - Parameter columns: All columns except the key and the hash, in the table's order.
    package init(columns: [String]) {
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        // Subqueries, each of the one row: because of the triggers, SQLite first copies what an INSERT selects into a table
        // of its own.
        insertion = """
            INSERT INTO audit (rowid, hash, \(columns.joined(separator: ", ")))
            VALUES ((SELECT newest + 1 FROM audit_ends),
                audit_link((SELECT newest_hash FROM audit_ends), (SELECT newest + 1 FROM audit_ends), ?), \(places))
            """
    }

    /// Adds a row inside the transaction of the change it records, so that no change is made without its record.
    ///
    /// - Parameter values: One value for each column.
    package func append(_ values: [DatabaseValue], in database: Database) throws {
        // The arguments are existentials, since GRDB reads a sequence of values through a key path, which costs more than the hash.
        var arguments: [(any DatabaseValueConvertible)?] = [Data(AuditLink.content(values)).databaseValue]
        arguments.reserveCapacity(1 + values.count)
        for value in values { arguments.append(value) }
        try database.cachedStatement(sql: insertion).execute(arguments: StatementArguments(arguments))
    }
}
