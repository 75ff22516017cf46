import CryptoPrimitives
package import Storage

/// A column of a database.
package struct StoredColumn: Sendable, Hashable {
    package let table, name: String
    /// The type in SQL, in capital letters.
    package let type: String
    /// Whether the database itself gives it its values.
    let isGenerated: Bool

    package var fullName: String { "\(table).\(name)" }

    /// Returns the columns of all tables, those of the migrations too.
    package static func all(in database: any StorageDatabase) async throws -> [StoredColumn] {
        try await database.read { reading in
            try reading.rows(list).map {
                StoredColumn(
                    table: $0.text(0), name: $0.text(1), type: $0.text(2).uppercased(), isGenerated: $0.text(3) == "YES"
                )
            }
        }
    }

    private static let list = SQL(
        sqlite: """
            SELECT t.name, c.name, c.type, 'NO' FROM sqlite_master AS t JOIN pragma_table_info(t.name) AS c
            WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%' ORDER BY 1, c.cid
            """,
        postgreSQL: """
            SELECT CAST(table_name AS text), CAST(column_name AS text), CAST(data_type AS text), CAST(is_identity AS text)
            FROM information_schema.columns WHERE table_schema = current_schema() ORDER BY 1, ordinal_position
            """)
}

/// The columns that a user's export shows, and those that it does not. A line has a table, its columns, and `exported` or the reason
/// why they are not: `users: id, name | exported`.
package struct ExportRules: Sendable {
    package static let exported = "exported"

    /// By the full names of columns.
    package let outcomes: [String: String]

    package init(_ text: String) {
        let lines = text.split(separator: "\n").map { line in
            let (columns, outcome) = Self.parts(line, at: " | ")
            let (table, names) = Self.parts(columns, at: ": ")
            return names.split(separator: ",").map { ("\(table).\($0.drop { $0 == " " })", String(outcome)) }
        }
        outcomes = Dictionary(uniqueKeysWithValues: lines.joined())
    }

    private static func parts(_ line: Substring, at separator: String) -> (Substring, Substring) {
        let parts = line.split(separator: separator, maxSplits: 1)
        precondition(parts.count == 2, "not a rule: \(line)")
        return (parts[0], parts[1])
    }

    /// The tables of which something is exported.
    package var tables: Set<String> {
        Set(
            outcomes.filter { $0.value == Self.exported }.keys.compactMap {
                $0.split(separator: ".").first.map(String.init)
            })
    }
}

/// Rows whose every value is found again by its text.
package struct PlantedRows: Sendable {
    /// The texts that show a value, by the full names of the columns.
    package private(set) var texts: [String: [String]] = [:]
    private var count: Int64 = 1_600_000_000

    package init() {}

    /// Inserts a row.
    ///
    /// - Parameters:
    ///   - values: of the columns that cannot have any value; these are not found again.
    ///   - bytes: values of such columns that are.
    package mutating func plant(
        _ columns: [StoredColumn], _ values: [String: any SQLConvertible], bytes: [String: [UInt8]] = [:],
        in database: any StorageDatabase
    ) async throws {
        let columns = columns.filter { !$0.isGenerated }
        guard let table = columns.first?.table else { return }
        let row = columns.map { values[$0.name]?.sqlValue ?? value($0, bytes[$0.name]) }
        let names = columns.map(\.name).joined(separator: ", ")
        let sql: SQL = "INSERT INTO \(table) (\(names)) VALUES (\(SQL.places(count: columns.count)))"
        try await database.write { try $0.run([Statement(sql, row)]) }
    }

    private mutating func value(_ column: StoredColumn, _ bytes: [UInt8]?) -> SQLValue {
        count += 1
        switch column.type {
        case "TEXT":
            let text = "canary\(count)"
            texts[column.fullName] = [text]
            return .text(text)
        case "BLOB", "BYTEA":
            let bytes = bytes ?? SecureRandom.bytes(16)
            texts[column.fullName] = [Hex.encode(bytes), Base64URL.encode(bytes)]
            return .bytes(bytes)
        case "BOOLEAN": return .boolean(true)
        default:
            texts[column.fullName] = ["\(count)"]
            return .integer(count)
        }
    }

    /// Returns the columns that a text shows although they are secret, or does not show although they are exported.
    package func wrong(_ text: String, by rules: ExportRules) -> [String] {
        texts.filter { name, texts in
            texts.contains { text.contains($0) } != (rules.outcomes[name] == ExportRules.exported)
        }.keys.sorted()
    }
}
