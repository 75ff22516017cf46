import PostgreSQL
import PrivateFiles
import SQLiteStore
import TokenPostgres

/// Continues the numbers of rows where a file has ended, so that no number is used twice.
struct CopyCounters {
    let file: ExclusiveFile
    let plan: CopyPlan

    func set(by load: BulkLoad) throws {
        for table in plan.tables {
            for column in table.columns where column.target.isIdentity {
                try load.setIdentity(of: column.target.name, in: table.name, last: try lastNumber(of: table.source))
            }
            if table.name == "sessions" {
                let last = try lastNumber(of: table.source)
                try load.setSequence("session_blocks", last: TokenPostgres.lastBlock(upTo: last))
            }
        }
    }

    /// Returns the highest number that a row of a table ever had, also if the row is gone.
    private func lastNumber(of table: String) throws(FileFailure) -> Int64 {
        let counted = "SELECT seq FROM sqlite_sequence WHERE name = '\(table)'"
        let ended = table == "audit" ? ", coalesce((SELECT newest FROM audit_ends), 0)" : ""
        return try file.integer(
            "SELECT max(coalesce((\(counted)), 0), coalesce((SELECT max(rowid) FROM \"\(table)\"), 0)\(ended))")
    }
}
