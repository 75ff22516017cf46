import GRDB
import InternalAPI
import SQLiteStore
import Storage
import UserCore

/// Reads security decisions and applies them to a restored file. Triggers record them, so that no change is without its record.
struct DecisionRows {
    let database: Database

    func decisions(after sequence: Int64, limit: Int) throws -> [RecordedDecision] {
        try database.rows(
            "SELECT sequence, at, kind, subject, detail FROM decisions WHERE sequence > ? ORDER BY sequence LIMIT ?",
            [sequence, limit]
        ).map { row in
            guard let kind = SecurityDecision.Kind(rawValue: row[2]) else {
                throw StorageError(.corrupt, "a security decision does not decode")
            }
            return RecordedDecision(
                sequence: row[0], at: row[1], kind: kind, subject: try row.decode(atIndex: 3), detail: row[4])
        }
    }

    /// Removes the decisions about a removed user. The removal itself is on another list.
    func forget(_ user: UserID) throws { try database.run("DELETE FROM decisions WHERE subject = ?", [user]) }

    /// Applies the operator's list to a restored file. Without a list, all invitations are removed, since some may have been used
    /// or withdrawn.
    ///
    /// - Parameter floor: the new epoch of the file, a Unix time in seconds.
    func applyOrdered(floor: Int64, now: Int64) throws {
        let known = try lastSequence()
        try setLastSequence(max(known, DecisionSummary.sequence(beforeEpoch: floor)))
        if let rows = try OrderedDecisions.rows(in: database) {
            // The changes of decisions up to the backup are already in the file.
            let summary = try DecisionSummary(rows.filter { $0.sequence > known })
            let applied = AppliedDecisions(database: database, now: now)
            for right in summary.lostRights { try applied.take(right) }
            try OrderedDecisions.clear(in: database)
        } else {
            try database.run("DELETE FROM invitations")
        }
        // The last withdrawal of a deletion may be later than the list.
        let soonest = ScheduledDeletion.soonest(afterRestoreAt: now)
        try database.run("UPDATE users SET deletion_due_at = ? WHERE deletion_due_at < ?", [soonest, soonest])
    }

    private func lastSequence() throws -> Int64 {
        try Int64.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'decisions'") ?? 0
    }

    private func setLastSequence(_ sequence: Int64) throws {
        try database.run("UPDATE sqlite_sequence SET seq = ? WHERE name = 'decisions'", [sequence])
        guard database.changesCount == 0 else { return }
        try database.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('decisions', ?)", [sequence])
    }
}

/// Takes the rights from users of a restored file that they lost after the backup, with an audit record for each change of a user.
struct AppliedDecisions {
    let database: Database
    /// Unix time in seconds.
    let now: Int64

    func take(_ right: LostRight) throws {
        switch right {
        case .activity(let user):
            try change(
                "UPDATE users SET is_active = 0, updated_at = ? WHERE id = ? AND is_active", [now, user], by: right)
        case .role(let role, let user):
            try change(
                "UPDATE users SET role = ?, version = version + 1, updated_at = ? WHERE id = ? AND role = ?",
                [User.defaultRole, now, user, role], by: right)
        case .password(let user): try change("DELETE FROM passwords WHERE user_id = ?", [user], by: right)
        case .identity(let identity):
            try change(
                "DELETE FROM identities WHERE user_id = ? AND kind = ? AND created_at = ?",
                [identity.user, identity.kind, identity.since], by: right)
        case .withdrawal(let user):
            try change(
                """
                UPDATE users SET deletion_requested_at = NULL, deletion_due_at = NULL, updated_at = ?
                WHERE id = ? AND deletion_due_at IS NOT NULL
                """, [now, user], by: right)
        case .account(let user, let deletion):
            try change(
                """
                UPDATE users SET deletion_requested_at = ?, deletion_due_at = ?, updated_at = ?
                WHERE id = ? AND deletion_due_at IS NOT ?
                """, [deletion.requestedAt, deletion.dueAt, now, user, deletion.dueAt], by: right)
        case .invitation(let id): try change("DELETE FROM invitations WHERE id = ?", [id], by: right)
        }
    }

    /// Runs a change, and records it if it has changed a user.
    private func change(_ sql: String, _ values: StatementArguments, by right: LostRight) throws {
        try database.run(sql, values)
        guard database.changesCount > 0, let (id, detail) = right.audited,
            let user = try UserRows(database: database).user(id)
        else { return }
        try AuditRows(database: database).append(
            AuditEntry(event: .decisionApplied, subject: user.pseudonym, detail: detail), now: now)
    }
}
