import CryptoPrimitives
import InternalAPI
import Storage
import UserCore

/// Applies later security decisions to a restored database, with an audit record for each change of a user, and with a decision of
/// its own, since another restore may follow.
struct AppliedDecisions {
    /// The number of rights whose statements travel together.
    private static let rightsMax = 256

    let transaction: any Transaction
    /// Unix time in seconds.
    let now: Int64

    /// Applies the operator's list. Without a list, all invitations are removed, since some may have been used or withdrawn.
    ///
    /// - Parameter floor: The new epoch, a Unix time in seconds.
    /// - Returns: The number of decisions since the moment to which the database went back.
    func apply(_ decisions: [OrderedDecision]?, floor: Int64) throws -> Int {
        let known = try transaction.rows("SELECT last FROM decision_count").first?.integer(0) ?? 0
        try transaction.run(
            "UPDATE decision_count SET last = greatest(last, $1)", DecisionSummary.sequence(beforeEpoch: floor))
        guard let decisions else {
            for row in try transaction.rows("DELETE FROM invitations RETURNING id") {
                try record(.invitationEnded, try row.userID(0))
            }
            try postponeRemovals()
            return 0
        }
        // The changes of earlier decisions are already in the database.
        let later = decisions.filter { $0.sequence > known }
        let summary = try DecisionSummary(later)
        for merge in summary.merges { try apply(merge) }
        let rights = summary.lostRights
        for start in stride(from: 0, to: rights.count, by: Self.rightsMax) {
            try take(rights[start..<min(start + Self.rightsMax, rights.count)])
        }
        try postponeRemovals()
        return later.count
    }

    /// Merges a user into another again. The other one gets the identities as those that users were given since. If the other one came
    /// later than the backup, the user keeps everything.
    private func apply(_ merge: DecisionSummary.Merge) throws {
        let rows = try transaction.results([merge.user, merge.into].map { Statement(UserRows.byID, $0.bytes) })
        guard let user = try rows.first?.first.flatMap(UserRows.user), rows.last?.isEmpty == false else { return }
        try MergedRows.merge(user, into: merge.into, now: now, in: transaction)
        try record(.merged, user.id, merge.into.text(prefix: ""))
        try AuditRows.append(
            AuditEntry(event: .decisionApplied, subject: user.pseudonym, detail: "merged"), now: now, in: transaction)
    }

    /// Leaves users time to withdraw a deletion, since the last withdrawal may be later than the list.
    private func postponeRemovals() throws {
        let soonest = ScheduledDeletion.soonest(afterRestoreAt: now)
        let rows = try transaction.rows(
            "UPDATE users SET deletion_due_at = $1 WHERE deletion_due_at < $1 RETURNING id, deletion_requested_at",
            soonest)
        for row in rows {
            let deletion = ScheduledDeletion(requestedAt: row.integer(1), dueAt: soonest)
            try record(.deletionRequested, try row.userID(0), deletion.detail)
        }
    }

    private func record(_ kind: SecurityDecision.Kind, _ subject: UserID, _ detail: String? = nil) throws {
        try DecisionRows.record(kind, of: subject, detail, at: now, in: transaction)
    }

    /// Takes rights, and leaves the records of those that users had.
    private func take(_ rights: ArraySlice<LostRight>) throws {
        let taken = try zip(rights, transaction.results(rights.map(statement))).filter { !$1.isEmpty }.map(\.0)
        let audited = taken.compactMap { $0.audited }
        let users = try transaction.results(audited.map { Statement(UserRows.byID, $0.user.bytes) })
        for right in taken { try record(right) }
        for (entry, rows) in zip(audited, users) {
            guard let user = try rows.first.flatMap(UserRows.user) else { continue }
            try AuditRows.append(
                AuditEntry(event: .decisionApplied, subject: user.pseudonym, detail: entry.detail), now: now,
                in: transaction)
        }
    }

    /// Records that a right was taken.
    private func record(_ right: LostRight) throws {
        switch right {
        case .activity(let user): try record(.deactivated, user)
        case .role(let role, let user):
            try record(.roleLost, user, role)
            try record(.roleGiven, user, User.defaultRole)
        case .password(let user): try record(.passwordChanged, user)
        case .secondFactor(let detail, let user): try record(.secondFactorLost, user, detail)
        case .identity(let identity):
            let detail = DecisionRows.lostIdentity(kind: identity.kind, createdAt: identity.since)
            try record(.identityLost, identity.user, detail)
        case .passkey(let id, let user): try record(.passkeyLost, user, Hex.encode(id))
        case .addedIdentity(let identity, let sealed):
            let detail = DecisionRows.addedIdentity(kind: identity.kind, createdAt: identity.since, sealed: sealed)
            try record(.identityAdded, identity.user, detail)
        case .review(let user, let since): try record(.reviewOpened, user, "\(since)")
        case .withdrawal(let user): try record(.deletionWithdrawn, user)
        case .account(let user, let deletion): try record(.deletionRequested, user, deletion.detail)
        case .invitation(let id): try record(.invitationEnded, id)
        case .client(let subject): try record(.clientRevoked, subject)
        }
    }

    /// Returns the statement that takes a right, with a row if the user had it.
    private func statement(_ right: LostRight) -> Statement {
        switch right {
        case .activity(let user):
            Statement(
                "UPDATE users SET is_active = false, updated_at = $2 WHERE id = $1 AND is_active RETURNING 1",
                user.bytes, now)
        case .role(let role, let user):
            Statement(
                """
                UPDATE users SET role = $3, version = version + 1, updated_at = $2 WHERE id = $1 AND role = $4
                RETURNING 1
                """, user.bytes, now, User.defaultRole, role)
        case .password(let user): Statement("DELETE FROM passwords WHERE user_id = $1 RETURNING 1", user.bytes)
        case .secondFactor(let detail, let user): SecondFactorRows.taking(detail, from: user)
        case .identity(let identity):
            Statement(
                "DELETE FROM identities WHERE user_id = $1 AND kind = $2 AND created_at = $3 RETURNING 1",
                identity.user.bytes, identity.kind, identity.since)
        case .passkey(let id, let user): PasskeyRows.removal(id, of: user)
        case .addedIdentity(let identity, let sealed): RestoredIdentityRows.insertion(identity, sealed)
        case .review(let user, let since): ReviewRows.opening(of: user, since: since, until: nil, now: now)
        case .withdrawal(let user):
            Statement(
                """
                UPDATE users SET deletion_requested_at = NULL, deletion_due_at = NULL, updated_at = $2
                WHERE id = $1 AND deletion_due_at IS NOT NULL RETURNING 1
                """, user.bytes, now)
        case .account(let user, let deletion):
            Statement(
                """
                UPDATE users SET deletion_requested_at = $3, deletion_due_at = $4, updated_at = $2
                WHERE id = $1 AND deletion_due_at IS DISTINCT FROM $4 RETURNING 1
                """, user.bytes, now, deletion.requestedAt, deletion.dueAt)
        case .invitation(let id): Statement("DELETE FROM invitations WHERE id = $1 RETURNING 1", id.bytes)
        case .client(let subject):
            Statement(
                "UPDATE clients SET revoked_at = $2 WHERE sid = $1 AND revoked_at IS NULL RETURNING 1",
                Array(subject.bytes.prefix(APIClient.sidByteCount)), now)
        }
    }
}
