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

    /// Ends a removal of whose notice the user cannot know: nothing reaches the user any more, for example since the mail bounced, or no
    /// provider accepted the notice while it was kept. A later turn tells the user again.
    ///
    /// - Returns: whether the removal ended.
    func endIfUntold(_ person: Person, now: Int64) async throws -> Bool {
        let isReached = !person.recipients.isEmpty
        guard isReached || !rule.policy.withoutNotice else { return false }
        return try await store.decide(UserQuestion(.identities(person.quiet.user.id), askedAt: now)) { facts, now in
            guard let removal = facts.inactivityRemoval else { return Verdict(false) }
            let isLate = now - removal.createdAt >= OutboxLimits.deadMailKeptSeconds
            guard !isReached || !removal.isTold && isLate else { return Verdict(false) }
            let reason = isReached ? InactivityRule.notSent : InactivityRule.noChannel
            return Verdict(true, facts.ending(.inactivity, reason, RequestOrigin()))
        }
    }
}

extension UserFacts {
    /// The removal that waits because the user was away for long.
    fileprivate var inactivityRemoval: PendingChange? { pending.first { $0.kind == .inactivity } }
}
