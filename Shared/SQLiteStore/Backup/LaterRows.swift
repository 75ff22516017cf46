import GRDB
package import PrivateFiles
package import Storage

/// The removed users and security decisions that a file with users contains, for the restore of an earlier moment.
///
/// This includes the rows that the file itself was ordered to follow, as long as no service has acted on them.
package struct LaterRows: Sendable, Equatable {
    private static let removedIDs: Storage.SQL =
        "SELECT id FROM removed_users UNION SELECT id FROM ordered_removals ORDER BY 1"
    private static let decisionRows: Storage.SQL = """
        SELECT sequence, kind, subject, detail FROM decisions
        UNION SELECT sequence, kind, subject, detail FROM ordered_decisions ORDER BY 1
        """

    package let removed: [[UInt8]]
    package let decisions: [OrderedDecision]

    /// Reads a private copy of the file.
    package static func read(file: String) throws(FileFailure) -> LaterRows {
        do {
            let queue = try DatabaseQueue(path: file)
            let rows = try queue.read { database in
                let reader = SQLiteReader(database)
                return LaterRows(
                    removed: try reader.rows(removedIDs).map { $0.bytes(0) },
                    decisions: try reader.rows(decisionRows).map {
                        OrderedDecision(
                            sequence: $0.integer(0), kind: $0.text(1), subject: $0.bytes(2), detail: $0.optionalText(3))
                    })
            }
            try queue.close()
            return rows
        } catch { throw FileFailure(any: error) }
    }
}
