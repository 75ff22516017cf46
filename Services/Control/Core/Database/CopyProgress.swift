/// Reports the rows of a large table while they are copied.
struct CopyProgress {
    /// Smaller tables are not reported.
    private static let rowsMin = 100_000
    private static let rowsPerLine = 100_000

    let table: String
    let rows: Int
    let print: (String) -> Void
    private var reported = 0

    init(table: String, rows: Int, print: @escaping (String) -> Void) {
        (self.table, self.rows, self.print) = (table, rows, print)
    }

    /// - Parameter count: The number of rows that were sent so far.
    mutating func note(_ count: Int) {
        guard rows >= Self.rowsMin, count - reported >= Self.rowsPerLine || count == rows else { return }
        reported = count
        print("\(table): \(count) of \(rows) rows")
    }
}
