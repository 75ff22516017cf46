/// How a file's tables differ from those of a schema, apart from their types: everything else has the same names on both sides.
struct CopyRules {
    /// The names in the schema of tables that have another one in the file.
    let renamed: [String: String]
    /// Columns of the schema's tables that are not read from a column of the same name, and what is selected instead.
    let expressions: [String: [String: String]]
    /// Columns of the file's tables that the schema does not need, and those that `expressions` reads.
    let columnsWithoutCounterpart: [String: Set<String>]
    /// Tables of the file whose rows a start has acted on.
    let doneTables: Set<String>
    /// The columns whose texts the schema has as bytes.
    let idColumns: Set<String>

    /// Tables on both sides that describe the database itself, or the processes that use it.
    static let ownTables: Set = ["schema_migrations", "leases", "copied_file", "server_record"]

    static let token = CopyRules(
        renamed: common.renamed, expressions: common.expressions,
        columnsWithoutCounterpart: common.columnsWithoutCounterpart, doneTables: [], idColumns: ["user_id"])

    static let user = CopyRules(
        renamed: common.renamed, expressions: common.expressions,
        columnsWithoutCounterpart: common.columnsWithoutCounterpart,
        doneTables: ["ordered_removals", "ordered_decisions", "decisions_order"], idColumns: [])

    /// The file's audit is one chain, which becomes slot 0.
    private static let common = CopyRules(
        renamed: ["audit_ends": "audit_slots"],
        expressions: ["audit": ["slot": "0", "id": "number"], "audit_slots": ["number": "0"]],
        columnsWithoutCounterpart: ["audit_ends": ["id"], "restore_floor": ["is_new"]], doneTables: [], idColumns: [])
}
