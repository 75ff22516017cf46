import CryptoPrimitives
import InternalAPI
import Policies

extension InactiveAccounts {
    /// Tells a user that the account will be removed, and begins the time until then.
    ///
    /// - Returns: `false` if the account stays: no notice reaches the user, or the stored facts are others by now.
    func tell(_ person: Person, now: Int64) async throws -> Bool {
        let (rule, notices, reached) = (rule, notices, person.recipients)
        guard !reached.isEmpty || rule.policy.withoutNotice else { return false }
        let question = UserQuestion(.identities(person.quiet.user.id), askedAt: now)
        return try await store.decide(question) { facts, now in
            guard let user = facts.holder,
                InactivityRule.reasonToStay(facts, unusedSince: rule.start(now)) == nil,
                facts.inactivityRemoval == nil, Set(reached).isSubset(of: notices.recipients(of: user))
            else { return Verdict(false) }
            let removal = PendingChange(
                id: UUIDText.random(), kind: .inactivity, user: user.id, sealed: "", createdAt: now,
                movesAt: rule.removal(toldAt: now))
            let detail = reached.isEmpty ? InactivityRule.noChannel : nil
            return Verdict(
                true,
                [.addPending(removal), .audit(AuditEntry(.inactivityNoticed, user, RequestOrigin(), detail: detail))]
                    + (try notices.ofInactivity(to: reached, user.id, removedAt: rule.removal(toldAt: now), now)))
        }
    }

    /// Ends a removal if all its notices were dropped because no provider accepted them in time. A later turn tells the user again.
    ///
    /// - Returns: whether the removal ended.
    func endIfUntold(_ person: Person, now: Int64) async throws -> Bool {
        let (user, channels) = (person.quiet.user.id, max(1, person.recipients.count))
        let dropped = try await courier.store.pending(.mail, about: user, limit: Self.messagesMax).filter {
            OutboxLimits.isOverdue($0, now: now) && courier.notice(in: $0)?.kind == .inactivity
        }
        guard dropped.count >= channels else { return false }
        return try await store.decide(UserQuestion(.identities(user), askedAt: now)) { facts, _ in
            // Notices of an earlier removal are kept for a week.
            guard let removal = facts.inactivityRemoval,
                dropped.count(where: { $0.createdAt >= removal.createdAt }) >= channels
            else { return Verdict(false) }
            return Verdict(true, facts.ending(.inactivity, "notice not sent", RequestOrigin()))
        }
    }

    /// The most messages about a user that are searched for dropped notices.
    private static let messagesMax = 64
}

extension UserFacts {
    /// The removal that waits because the user was away for long.
    fileprivate var inactivityRemoval: PendingChange? { pending.first { $0.kind == .inactivity } }
}
