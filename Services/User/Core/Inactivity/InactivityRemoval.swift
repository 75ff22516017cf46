import InternalAPI
import Policies

/// Removes the account of a user who did not return after the notice.
///
/// A sign-in or a refresh prevents it if it is within the policy's `months` before the notice, or later. So the account also stays
/// if `months` was raised after the notice. It stays too if no provider accepted the notice, or if nothing reaches the user any more, for
/// example since the mail bounced.
struct InactivityRemoval: PendingChangeRule {
    /// `nil` if the policy removes no such accounts.
    let accounts: InactiveAccounts?
    let delete: DeleteAccount

    func subjects(of change: PendingChange) -> [UserQuestion.Subject] { [] }

    func obstacle(to change: PendingChange) async throws -> String? {
        guard let accounts, accounts.rule.isConfirmed else { return "policy" }
        let question = UserQuestion(.user(change.user), askedAt: change.createdAt)
        guard let user = try await accounts.store.facts(question).holder else { return nil }
        if try await accounts.recipients(of: user).isEmpty {
            guard accounts.rule.policy.withoutNotice else { return InactivityRule.noChannel }
        } else if !change.isTold {
            return InactivityRule.notSent
        }
        // The last question, since the user may return at any time.
        return try await accounts.isUsed(change.user, since: accounts.rule.start(change.createdAt)) ? "used" : nil
    }

    func decide(
        _ change: PendingChange, _ own: UserFacts, _ others: [UserFacts], obstacle: String?, _ now: Int64
    ) throws -> [UserChange] {
        guard let user = own.holder else { return [] }
        if let reason = obstacle ?? reasonToStay(own, change) {
            InactivityJob.Result.kept.count()
            return [.audit(AuditEntry(.inactivityEnded, user, RequestOrigin(), detail: reason))]
        }
        InactivityJob.Result.removed.count()
        return [.audit(AuditEntry(.inactivityRemoved, user, RequestOrigin()))]
            + (try delete.schedule(user, RequestOrigin(), now, graceDays: 0).changes)
    }

    private func reasonToStay(_ facts: UserFacts, _ change: PendingChange) -> String? {
        guard let accounts else { return "policy" }
        return InactivityRule.reasonToStay(facts, unusedSince: accounts.rule.start(change.createdAt))
    }
}

extension PendingChange {
    /// Whether a provider accepted the notice of a removal after inactivity.
    var isTold: Bool { sealed == Self.told }
}

extension InactivityRemoval {
    /// Creates the rule over a deployment's storage. The user had the notice, so the deletion sends no mail.
    init(
        _ accounts: InactiveAccounts?, _ policy: Policy, _ storage: UserStorage, _ courier: OutboxCourier,
        _ keys: UserKeys, now: @escaping @Sendable () -> Int64
    ) {
        let numbers = policy.phoneTokens.isEmpty ? nil : GivenUpIdentities(tags: CallTags(ring: keys.storage))
        self.init(
            accounts: accounts,
            delete: DeleteAccount(
                store: storage.users, courier: courier, userIDPrefix: policy.userIDPrefix,
                graceDays: policy.deletion.graceDays, notices: nil, numbers: numbers, now: now))
    }
}
