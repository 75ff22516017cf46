import GRDB
import SQLiteStore
import Storage
import Synchronization

/// Row numbers for new sessions, taken from the file by the block, so that few sign-ins pay a commit for theirs.
///
/// What is left of a block when the process ends is never given: numbers have eight bytes.
final class LocatorSupply: Sendable {
    /// Numbers of a block.
    static let blockCount: Int64 = 1_024

    private let database: SQLiteDatabase
    private let rest = Mutex<Range<Int64>>(0..<0)

    init(database: SQLiteDatabase) { self.database = database }

    /// A number that nobody was given before, nor will be.
    func next() async throws -> Int64 {
        if let number = takeFromRest() { return number }
        let block = try await takeBlock()
        // Another caller may have brought a block at the same moment: what it has left is not worth keeping.
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

    /// The file's own count of numbers goes up in a transaction of its own: no two replicas get the same.
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
            guard let last else { throw StorageError(.corrupt, "the file has no count of sessions") }
            return last - Self.blockCount + 1..<last + 1
        }
    }
}
