import InternalAPI
import PostgreSQL
import Storage
import UserCore

/// Applies later security decisions to a restored database, with an audit record for each change of a user.
struct AppliedDecisions {
    /// The number of statements that travel together.
    private static let statementsMax = 256
    /// How far the number of the next decision may be ahead of the last one after a restore: the server writes a sequence to its log
    /// 32 numbers at a time.
    private static let loggedAhead: Int64 = 32

    let transaction: Transaction
    /// Unix time in seconds.
    let now: Int64

    /// Applies the operator's list. Without a list, all invitations are removed, since some may have been used or withdrawn.
    ///
    /// - Parameter floor: The new epoch, a Unix time in seconds.
    /// - Returns: The number of decisions since the moment to which the database went back.
    func apply(_ decisions: [OrderedDecision]?, floor: Int64) throws -> Int {
        let (known, next) = try lastKnown()
        // In contrast to `setval` this is undone with the transaction.
        let first = max(next, DecisionSummary.sequence(beforeEpoch: floor) + 1)
        transaction.run("ALTER TABLE decisions ALTER COLUMN sequence RESTART WITH \(first)")
        // The last withdrawal of a deletion may be later than the list.
        let soonest = ScheduledDeletion.soonest(afterRestoreAt: now)
        defer { transaction.run("UPDATE users SET deletion_due_at = $1 WHERE deletion_due_at < $1", soonest) }
        guard let decisions else {
            transaction.run("DELETE FROM invitations")
            return 0
        }
        // The changes of earlier decisions are already in the database.
        let later = decisions.filter { $0.sequence > known }
        let rights = try DecisionSummary(later).lostRights
        for start in stride(from: 0, to: rights.count, by: Self.statementsMax) {
            try take(rights[start..<min(start + Self.statementsMax, rights.count)])
        }
        return later.count
    }

    /// Returns the number of the last decision that the database has, and the next number of its sequence.
    ///
    /// The newest rows may have been removed, and the sequence may be ahead. A decision that is in doubt is applied again.
    private func lastKnown() throws -> (known: Int64, next: Int64) {
        let row = try transaction.rows(
            """
            SELECT (SELECT coalesce(max(sequence), 0) FROM decisions), last_value, last_value + is_called::int
            FROM decisions_sequence_seq
            """
        ).first
        let (newest, last) = (row?.integer(0) ?? 0, row?.integer(1) ?? 0)
        return (max(newest, last - Self.loggedAhead), row?.integer(2) ?? 1)
    }

    private func take(_ rights: ArraySlice<LostRight>) throws {
        let results = try transaction.results(rights.map(statement))
        for (right, rows) in zip(rights, results) {
            let pseudonym = rows.first.flatMap { Pseudonym(bytes: $0.bytes(0)) }
            guard let subject = pseudonym, let detail = right.audited?.detail else { continue }
            try AuditRows.append(
                AuditEntry(event: .decisionApplied, subject: subject, detail: detail), now: now, in: transaction)
        }
    }

    /// Returns the statement that takes a right, and returns the user's pseudonym if the user had it.
    private func statement(_ right: LostRight) -> Statement {
        switch right {
        case .activity(let user):
            Statement(
                "UPDATE users SET is_active = false, updated_at = $2 WHERE id = $1 AND is_active RETURNING pseudonym",
                user.bytes, now)
        case .role(let role, let user):
            Statement(
                """
                UPDATE users SET role = $3, version = version + 1, updated_at = $2 WHERE id = $1 AND role = $4
                RETURNING pseudonym
                """, user.bytes, now, User.defaultRole, role)
        case .password(let user):
            Statement(
                "DELETE FROM passwords AS p USING users AS u WHERE p.user_id = $1 AND u.id = $1 RETURNING u.pseudonym",
                user.bytes)
        case .identity(let identity):
            Statement(
                """
                DELETE FROM identities AS i USING users AS u
                WHERE i.user_id = $1 AND i.kind = $2 AND i.created_at = $3 AND u.id = $1 RETURNING u.pseudonym
                """, identity.user.bytes, identity.kind, identity.since)
        case .withdrawal(let user):
            Statement(
                """
                UPDATE users SET deletion_requested_at = NULL, deletion_due_at = NULL, updated_at = $2
                WHERE id = $1 AND deletion_due_at IS NOT NULL RETURNING pseudonym
                """, user.bytes, now)
        case .account(let user, let deletion):
            Statement(
                """
                UPDATE users SET deletion_requested_at = $3, deletion_due_at = $4, updated_at = $2
                WHERE id = $1 AND deletion_due_at IS DISTINCT FROM $4 RETURNING pseudonym
                """, user.bytes, now, deletion.requestedAt, deletion.dueAt)
        case .invitation(let id): Statement("DELETE FROM invitations WHERE id = $1", id.bytes)
        }
    }
}
