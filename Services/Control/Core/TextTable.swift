/// Columns of text for the terminal.
enum TextTable {
    /// Returns the rows as lines, each column as wide as its widest text.
    static func text(_ rows: [[String]]) -> String {
        let columnCount = rows.map(\.count).max() ?? 0
        let widths = (0..<columnCount).map { column in
            rows.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.map { row in
            let line = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            return trimmed(line.joined(separator: "  "))
        }.joined(separator: "\n")
    }

    private static func trimmed(_ line: String) -> String {
        line.lastIndex { $0 != " " }.map { String(line[...$0]) } ?? ""
    }
}
