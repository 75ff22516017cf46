import GRDB
import Storage

/// One immediate transaction for many writes: one sync to disk makes them all durable.
///
/// Each write has its own savepoint, so that a failure never undoes other writes of the group; callers get their results
/// only after the commit.
struct GroupCommit {
    private static let beginGroup = "BEGIN IMMEDIATE"
    private static let savepoint = "SAVEPOINT item"
    private static let release = "RELEASE item"
    private static let undo = "ROLLBACK TO item"

    let metrics: SQLiteMetrics

    /// Writes `group` and notifies every caller.
    ///
    /// - Returns: Whether the transaction was committed.
    func write(_ group: [QueuedWrite], in database: Database) -> Bool {
        let start = ContinuousClock.now
        let result = commit(group, in: database)
        metrics.record(metrics.write, ContinuousClock.now - start)
        switch result {
        case .success(let outcomes):
            for outcome in outcomes { outcome.tell() }
            return true
        case .failure(let error):
            for write in group { write.fail(error) }
            return false
        }
    }

    private func commit(_ group: [QueuedWrite], in database: Database) -> Result<[QueuedWrite.Outcome], StorageError> {
        do {
            try database.cachedStatement(sql: Self.beginGroup).execute()
            let savepoint = try database.cachedStatement(sql: Self.savepoint)
            let release = try database.cachedStatement(sql: Self.release)
            var outcomes: [QueuedWrite.Outcome] = []
            outcomes.reserveCapacity(group.count)
            for write in group {
                try savepoint.execute()
                outcomes.append(try run(write, in: database))
                try release.execute()
            }
            try database.cachedStatement(sql: "COMMIT").execute()
            return .success(outcomes)
        } catch {
            return .failure(rolledBack(StorageError(error), database))
        }
    }

    /// Runs a write inside its savepoint, which is rolled back if the write fails.
    private func run(_ write: QueuedWrite, in database: Database) throws -> QueuedWrite.Outcome {
        let outcome = write.run(database)
        // A full disk or an I/O error rolls the whole transaction back inside the item: none of its writes remains.
        guard database.isInsideTransaction else {
            throw StorageError(.io, "the transaction was ended by a failing statement")
        }
        if !outcome.stays { try database.cachedStatement(sql: Self.undo).execute() }
        return outcome
    }

    /// Rolls back an open transaction; if that fails too, the error names both failures.
    private func rolledBack(_ error: StorageError, _ database: Database) -> StorageError {
        guard database.isInsideTransaction else { return error }
        do {
            try database.execute(sql: "ROLLBACK")
            return error
        } catch let second {
            return StorageError(error.code, "\(error.message); rollback: \(StorageError(second).message)")
        }
    }
}
