import PostgreSQL
import SQLiteStore

/// How the tables of a file fill those of a schema.
struct CopyPlan {
    /// A column of the schema, and what is selected from the file for it.
    struct Column: Equatable {
        let target: CopyTarget.Column
        /// The type of `target`.
        let type: CopyTarget.ColumnType
        let expression: String
        /// Whether it is part of the key by which the operator finds the row.
        let isKey: Bool
    }

    /// A table of the schema.
    struct Table: Equatable {
        let name: String
        let columns: [Column]
    }

    /// A table or column without a counterpart: of a newer release, or forgotten in `CopyRules`.
    struct Mismatch: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    /// The tables in an order in which each comes after those that it refers to.
    let tables: [Table]

    /// Matches the tables and columns of both sides by their names.
    init(
        _ file: [String: [ExclusiveFile.Column]], _ schema: [String: [CopyTarget.Column]], _ rules: CopyRules
    ) throws(Mismatch) {
        let known = CopyRules.ownTables.union(rules.doneTables)
        var tables: [Table] = []
        for name in file.keys.sorted() where !known.contains(name) {
            guard let target = schema[name], let columns = file[name] else {
                throw Mismatch(description: "the file has a table \(name) that this release does not copy")
            }
            tables.append(try Self.table(name, columns, target))
        }
        let copied = Set(tables.map(\.name))
        if let rest = schema.keys.sorted().first(where: { !copied.contains($0) && !known.contains($0) }) {
            throw Mismatch(description: "the schema has a table \(rest) that this release does not fill")
        }
        // Only `users` is referred to.
        self.tables = tables.filter { $0.name == "users" } + tables.filter { $0.name != "users" }
    }

    private static func table(
        _ name: String, _ file: [ExclusiveFile.Column], _ target: [CopyTarget.Column]
    ) throws(Mismatch) -> Table {
        var unread = Set(file.map(\.name)).subtracting(CopyRules.columnsWithoutCounterpart[name] ?? [])
        var columns: [Column] = []
        for column in target {
            let own = file.first { $0.name == column.name }
            unread.remove(column.name)
            let other = CopyRules.expressions[name]?[column.name]
            guard let expression = other ?? own.map({ "\"\($0.name)\"" }), let type = column.type else {
                throw Mismatch(
                    description: "the schema has a column \(name).\(column.name) that this release does not fill")
            }
            columns.append(
                Column(
                    target: column, type: type, expression: expression, isKey: own?.isKey ?? false))
        }
        guard let rest = unread.min() else { return Table(name: name, columns: columns) }
        throw Mismatch(description: "the file has a column \(name).\(rest) that this release does not copy")
    }
}
