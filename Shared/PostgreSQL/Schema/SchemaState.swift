import Release
import Storage

/// The steps that a schema has.
struct SchemaState: Sendable, Equatable {
    /// The release that each step needs, by the step's name; empty if every release tolerates it.
    var steps: [String: String]
    /// Whether the schema has tables that the role may see, also if none of them lists steps.
    var hasTables: Bool

    /// Returns why a release cannot use the schema, and what to run; `nil` if it can.
    func refusal(
        for migrations: [Migration], schema: String, release: String = Release.version
    ) -> StorageError? {
        if let first = migrations.first?.name, hasTables, steps[first] == nil { return .earlierState(of: schema) }
        return problem(for: migrations, schema: schema, release: release).map { StorageError(.schema, $0) }
    }

    private func problem(for migrations: [Migration], schema: String, release: String) -> String? {
        if let newest = steps.values.filter({ !$0.isEmpty }).max(by: Self.isOlder), Self.isOlder(release, newest) {
            return
                "the schema \(schema) was migrated for newer releases; this is \(release). Run Latchkey \(newest) or newer"
        }
        guard let step = migrations.map(\.name).first(where: { steps[$0] == nil }) else { return nil }
        let missing = !hasTables ? "does not exist, or its tables may not be read" : "lacks the step \"\(step)\""
        return "the schema \(schema) \(missing). Run latchkeyctl database migrate of release \(release)"
    }

    /// Compares two versions `major.minor.patch`.
    private static func isOlder(_ one: String, _ other: String) -> Bool {
        func numbers(_ version: String) -> [Int] { version.split(separator: ".").map { Int($0) ?? 0 } }
        return numbers(one).lexicographicallyPrecedes(numbers(other))
    }
}

extension StorageError {
    /// The refusal of a schema of an earlier working state, which no migration can bring up to date.
    static func earlierState(of schema: String) -> StorageError {
        let advice = "Drop it or use another database, and run latchkeyctl database migrate"
        return StorageError(.other, "the schema \(schema) \(FirstStep.refusal). \(advice)")
    }
}

extension SchemaState {
    /// Returns the condition, as SQL, that a schema has tables and that the role may see them.
    static func hasTables(_ schema: String) -> String {
        """
        EXISTS (SELECT 1 FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
            WHERE n.nspname = \(schema) AND c.relkind IN ('r', 'p') AND has_schema_privilege(n.oid, 'USAGE'))
        """
    }

    /// Reads the state; without the right to read the list of steps, a schema counts as one without tables.
    init(of session: Session) throws {
        do {
            let rows = try session.rows("SELECT name, needs_release FROM schema_migrations")
            let steps = rows.map { ($0.text(0), $0.text(1)) }
            self.init(steps: Dictionary(steps) { $1 }, hasTables: true)
        } catch let error as PostgreSQLError where error.kind == .refused("42501") {
            self.init(steps: [:], hasTables: false)
        } catch let error as PostgreSQLError
            where error.kind == .refused("42P01") || error.kind == .refused("3F000") || error.kind == .refused("42703")
        {
            let rows = try session.rows("SELECT \(Self.hasTables("$1::text"))", session.schema)
            self.init(steps: [:], hasTables: rows.first?.boolean(0) ?? false)
        }
    }
}
