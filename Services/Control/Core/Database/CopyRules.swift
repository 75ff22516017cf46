/// How a file's tables differ from those of a schema, apart from their types: everything else has the same names on both sides.
struct CopyRules {
    /// Tables of the file whose rows a start has acted on.
    let doneTables: Set<String>

    /// Columns of the schema's tables that are not read from a column of the same name, and what is selected instead.
    static let expressions = ["audit": ["id": "number"]]
    /// Columns of the file's tables that the schema does not need.
    static let columnsWithoutCounterpart: [String: Set<String>] = ["restore_floor": ["is_new"]]
    /// Tables on both sides that describe the database itself, or the processes that use it.
    static let ownTables: Set = ["schema_migrations", "leases", "copied_file", "server_record"]
    /// Tables that have a row from the beginning.
    static let startedTables: Set = ["restore_floor", "session_blocks", "decision_count"]

    static let token = CopyRules(doneTables: [])
    static let user = CopyRules(doneTables: ["ordered_removals", "ordered_decisions", "decisions_order"])
}
