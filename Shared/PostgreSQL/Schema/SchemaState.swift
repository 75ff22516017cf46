import Release

/// The steps that a schema has.
struct SchemaState: Sendable, Equatable {
    /// The release that each step needs, by the step's name; empty if every release tolerates it.
    var steps: [String: String]

    /// Whether a statement failed because the schema, its tables or the right to use them does not exist.
    static func isMissing(_ error: PostgreSQLError) -> Bool {
        ["42P01", "3F000", "42501", "42703"].contains { error.kind == .refused($0) }
    }

    /// Returns why a release cannot use the schema, and what to run; `nil` if it can.
    func problem(for migrations: [Migration], schema: String, release: String = Release.version) -> String? {
        if let newest = steps.values.filter({ !$0.isEmpty }).max(by: Self.isOlder), Self.isOlder(release, newest) {
            return
                "the schema \(schema) was migrated for newer releases; this is \(release). Run Latchkey \(newest) or newer"
        }
        guard let step = migrations.map(\.name).first(where: { steps[$0] == nil }) else { return nil }
        let missing = steps.isEmpty ? "does not exist, or its tables may not be read" : "lacks the step \"\(step)\""
        return "the schema \(schema) \(missing). Run latchkeyctl database migrate of release \(release)"
    }

    /// Compares two versions `major.minor.patch`.
    private static func isOlder(_ one: String, _ other: String) -> Bool {
        func numbers(_ version: String) -> [Int] { version.split(separator: ".").map { Int($0) ?? 0 } }
        return numbers(one).lexicographicallyPrecedes(numbers(other))
    }
}
