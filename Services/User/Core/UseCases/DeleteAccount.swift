import InternalAPI

/// Schedules an account for deletion and revokes all its sessions at once.
///
/// The outbox row is written with the schedule, so that the sessions are revoked whatever happens to this process afterwards.
struct DeleteAccount: Sendable {
    var store: any UserStore
    let courier: OutboxCourier
    let userIDPrefix: String
    let graceDays: Int
    /// Creates mails; `nil` if the policy sends none.
    let notices: AccountNotices?
    /// Notes deletions for phone tokens; `nil` if the policy has none. A phone number may pass to another account before the removal,
    /// which notes the other identities (`RemovalJob`).
    let numbers: GivenUpIdentities?
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// - Returns: the time of the deletion in Unix seconds, or `nil` if there is no such user.
    /// - Throws: `Unconfirmed` if the deletion is scheduled, but the sessions may not be revoked yet; `StorageError`.
    func callAsFunction(_ caller: SignedInUser, requestID: String?) async throws -> Int64? {
        let origin = RequestOrigin(requestID: requestID, sessionID: caller.sessionID)
        return try await delete(
            UserQuestion(.user(caller.id), askedAt: now()), of: caller.id, origin, graceDays: graceDays)?
            .dueAt
    }

    /// Deletes on request of the operator.
    func callAsFunction(
        _ request: DeleteUserRequest, requestID: String?
    ) async throws -> OperationOutcome<DeletionSchedule, UserRefusal> {
        guard let id = UserID(text: request.userID, prefix: userIDPrefix),
            let schedule = try await delete(
                UserQuestion(.user(id), askedAt: now()), UserQuestion(.administrators, askedAt: now()), of: id,
                .byOperator(requestID), graceDays: request.now == true ? 0 : graceDays)
        else { return .refused(.notFound) }
        return .answer(schedule)
    }

    /// - Parameter questions: about the user, and about the administrators if the outcome says whether one is left.
    private func delete(
        _ questions: UserQuestion..., of id: UserID, _ origin: RequestOrigin, graceDays: Int
    ) async throws -> DeletionSchedule? {
        let now = now()
        let scheduled = try await store.decide(questions, now: now) { facts -> Verdict<DeletionSchedule?> in
            guard let user = facts.first?.holder else { return Verdict(nil) }
            let verdict = try schedule(user, origin, now, graceDays: graceDays)
            let isLast = verdict.changes.endLastAdministrator(of: facts.last?.administrators ?? [])
            return verdict.map { DeletionSchedule(dueAt: $0, leavesNoAdministrator: isLast ? true : nil) }
        }
        if scheduled != nil { try await courier.confirmPending(about: id) }
        return scheduled
    }

    /// Schedules the deletion, raises the epoch and queues the revocation of all sessions. An earlier schedule stays, unless the
    /// operator has the user removed at once.
    ///
    /// - Parameter graceDays: `nil` for the policy's days.
    /// - Returns: the time at which the user is removed, in Unix seconds.
    func schedule(
        _ user: User, _ origin: RequestOrigin, _ now: Int64, graceDays: Int? = nil
    ) throws -> Verdict<Int64> {
        let days = graceDays ?? self.graceDays
        if let deletion = user.deletion, days > 0 || self.graceDays == 0 || deletion.dueAt <= now {
            return Verdict(deletion.dueAt)
        }
        let (after, deletion) = user.givenUp(at: now, graceDays: days)
        let ending = RevokeUserRequest(
            userID: user.id.text(prefix: userIDPrefix), epoch: after.epoch, reason: .deleted)
        let messages =
            [try OutboxMessage(.revokeUser, encoding: ending)]
            + (try notices?.deletion(of: user, dueAt: deletion.dueAt) ?? [])
        return Verdict(
            deletion.dueAt,
            [.update(after), .endPending(of: user.id, .merge), .audit(AuditEntry(.deletionRequested, user, origin))]
                + notes(user, now)
                + messages.map { .tell($0, about: user.id, dueAt: now + OutboxLimits.ownAttemptSeconds) })
    }
    private func notes(_ user: User, _ now: Int64) -> [UserChange] {
        let number = user.phone.map { [VerifiedIdentity.phone($0)] } ?? []
        return numbers?.notes(number, givenUpAt: now, now: now).map { .noteGivenUp($0) } ?? []
    }
}
