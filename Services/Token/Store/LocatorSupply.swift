import Storage
import Synchronization

/// Row numbers for new sessions. They are taken from the database in blocks, so that few sign-ins need a commit for theirs.
///
/// The remainder of a block is lost when the process exits, which is harmless, since numbers have eight bytes.
final class LocatorSupply: Sendable {
    /// The number of row numbers in a block.
    static let blockCount: Int64 = 1_024

    private let database: any StorageDatabase
    private let rest = Mutex<Range<Int64>>(0..<0)

    init(database: any StorageDatabase) { self.database = database }

    /// Returns a number that was never returned before and never will be again.
    func next() async throws -> Int64 {
        if let number = takeFromRest() { return number }
        // The number of a block is durable before a session of the block exists: it is a transaction of its own.
        let block = try await database.write { transaction in
            try transaction.rows("UPDATE session_blocks SET last = last + 1 RETURNING last").first?.integer(0)
        }
        guard let block, block > 0, block < Int64.max / Self.blockCount else {
            throw StorageError(.corrupt, "the count of sessions has no valid number")
        }
        let first = (block - 1) * Self.blockCount + 1
        // Another caller may have taken a block at the same moment, whose remainder is not worth keeping.
        rest.withLock { $0 = first + 1..<first + Self.blockCount }
        return first
    }

    private func takeFromRest() -> Int64? {
        rest.withLock { rest in
            guard let number = rest.first else { return nil }
            rest = number + 1..<rest.upperBound
            return number
        }
    }

    /// Makes all later row numbers greater than `last`.
    static func begin(after last: Int64, in transaction: any Transaction) throws {
        let (whole, rest) = last.quotientAndRemainder(dividingBy: blockCount)
        try transaction.run("UPDATE session_blocks SET last = greatest(last, $1)", rest > 0 ? whole + 1 : whole)
    }
}
