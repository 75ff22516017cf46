import Storage

/// The state of the copy of a SQLite file into a schema: the row of `copied_file`, which exists from before the first row is
/// copied.
package struct FileCopy: Sendable, Equatable {
    /// The statement that makes the table, which every schema has.
    static let creation = """
        CREATE TABLE copied_file (
            id bigint PRIMARY KEY CHECK (id = 1),
            path text COLLATE "C" NOT NULL,
            digest bytea NOT NULL,
            begun_at bigint NOT NULL,
            finished_at bigint
        )
        """
    /// The table's name.
    package static let table = "copied_file"

    /// The path of the file.
    package let path: String
    /// The SHA-256 of everything that was to be copied.
    package let digest: [UInt8]
    package let isFinished: Bool

    /// Reads the state; `nil` for a schema into which nothing was copied.
    static func read(in reader: some StatementReader) throws -> FileCopy? {
        try reader.rows("SELECT path, digest, finished_at IS NOT NULL FROM copied_file").first.map {
            FileCopy(path: $0.text(0), digest: $0.bytes(1), isFinished: $0.boolean(2))
        }
    }

    /// Returns why services must not use the schema yet; `nil` for a finished copy.
    func problem(schema: String) -> String? {
        guard !isFinished else { return nil }
        return "the copy of \(path) into the schema \(schema) is not finished. Run latchkeyctl database copy again"
    }
}
