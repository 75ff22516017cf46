package import Storage
import UserCore
import UserEvents

extension UserDatabase {
    /// The numbers of users and decisions that a new epoch found in the lists and applied.
    package struct TakenByEpoch: Sendable, Equatable {
        /// Removed users that the restore had brought back.
        package let users: Int
        /// Security decisions of the list that the database did not have.
        package let decisions: Int
    }

    /// Returns the Unix time in seconds of the newest audit record of a schema, which shows to which moment a restore went back.
    package static func newestRecord(_ reading: any StatementReader) throws -> Int64? {
        try reading.rows("SELECT at FROM audit ORDER BY id DESC LIMIT 1").first?.integer(0)
    }

    /// Raises every user's epoch above those in grants and tokens from before a restore, removes users again who were removed later,
    /// and applies the security decisions that were made later.
    ///
    /// The database lacks the later raises of epochs. The floor exceeds them, since it is a time in seconds and each raise adds 1.
    /// - Parameters:
    ///   - floor: The epoch, a Unix time in seconds above every earlier epoch.
    ///   - removed: The ids of removed users.
    ///   - decisions: The operator's list of security decisions; `nil` if there is none.
    ///   - writesEvents: Whether the app's back end is told. The operator's command does not know whether there is a hook, so it adds the
    ///     event, which expires.
    @discardableResult
    package static func beginEpoch(
        _ floor: Int64, removed: [[UInt8]], decisions: [OrderedDecision]?, writesEvents: Bool = true, now: Int64,
        in transaction: any Transaction
    ) throws -> TakenByEpoch {
        try RestoreEpoch.raise(to: floor, in: transaction)
        try transaction.run("UPDATE users SET epoch = $1 WHERE epoch < $1", floor)
        // Some links were used or replaced later.
        try transaction.run("DELETE FROM account_links")
        // Some pending changes were objected to later.
        try transaction.run("DELETE FROM pending_changes")
        let users = try RemovalRows.removeAgain(removed, now: now, in: transaction)
        let later = try AppliedDecisions(transaction: transaction, now: now).apply(decisions, floor: floor)
        if writesEvents {
            try EventRows.insert([UserEvent(.allChanged, of: UserEvent.everybody)], now: now, in: transaction)
        }
        try AuditRows.append(
            AuditEntry(event: .epochBegun, subject: .zero, origin: .byOperator(nil), detail: "epoch \(floor)"),
            now: now, in: transaction)
        return TakenByEpoch(users: users, decisions: later)
    }
}
