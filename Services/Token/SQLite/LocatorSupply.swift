import GRDB
import SQLiteStore
import Storage
import Synchronization

/// Row numbers for new sessions. They are taken from the file in blocks, so that few sign-ins need a commit for theirs.
///
/// The remainder of a block is lost when the process exits, which is harmless, since numbers have eight bytes.
final class LocatorSupply: Sendable {
    /// The number of row numbers in a block.
    static let blockCount: Int64 = 1_024

    private let database: SQLiteDatabase
    private let rest = Mutex<Range<Int64>>(0..<0)

    init(database: SQLiteDatabase) { self.database = database }

    /// Returns a number that was never returned before and never will be again.
    func next() async throws -> Int64 {
        if let number = takeFromRest() { return number }
        let block = try await takeBlock()
        // Another caller may have taken a block at the same moment, whose remainder is not worth keeping.
        rest.withLock { $0 = block.lowerBound + 1..<block.upperBound }
        return block.lowerBound
    }

    private func takeFromRest() -> Int64? {
        rest.withLock { rest in
            guard let number = rest.first else { return nil }
            rest = number + 1..<rest.upperBound
            return number
        }
    }

    /// Takes a block. The file's own counter rises in a separate transaction, so that no two replicas get the same numbers.
    private func takeBlock() async throws -> Range<Int64> {
        try await database.write { database in
            try database.cachedStatement(
                sql: """
                    INSERT INTO sqlite_sequence (name, seq) SELECT 'sessions', 0
                        WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'sessions')
                    """
            ).execute()
            try database.cachedStatement(sql: "UPDATE sqlite_sequence SET seq = seq + ? WHERE name = 'sessions'")
                .execute(arguments: [Self.blockCount])
            let last = try Int64.fetchOne(
                database.cachedStatement(sql: "SELECT seq FROM sqlite_sequence WHERE name = 'sessions'"))
            guard let last else { throw StorageError(.corrupt, "the file's count of sessions is missing") }
            return last - Self.blockCount + 1..<last + 1
        }
    }
}
