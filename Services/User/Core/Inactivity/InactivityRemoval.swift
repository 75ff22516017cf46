import InternalAPI
import Policies

/// Removes the account of a user who did not return after the notice. A sign-in or a refresh since then prevents it.
struct InactivityRemoval: PendingChangeRule {
    /// `nil` if the policy removes no such accounts.
    let accounts: InactiveAccounts?
    let delete: DeleteAccount

    /// A use that is so many seconds before the notice counts as a return: it was stored after the question to token-service.
    private static let marginSeconds = InactivityRule.daySeconds

    func subjects(of change: PendingChange) -> [UserQuestion.Subject] { [] }

    func obstacle(to change: PendingChange) async throws -> String? {
        guard let accounts, accounts.rule.isConfirmed else { return "policy" }
        return try await accounts.isUsed(change.user, since: change.createdAt - Self.marginSeconds) ? "used" : nil
    }

    func decide(
        _ change: PendingChange, _ own: UserFacts, _ others: [UserFacts], obstacle: String?, _ now: Int64
    ) throws -> [UserChange] {
        guard let user = own.holder else { return [] }
        let reason =
            obstacle ?? InactivityRule.reasonToStay(own, unusedSince: change.createdAt - Self.marginSeconds)
        if let reason {
            InactivityJob.Result.kept.count()
            return [.audit(AuditEntry(.inactivityEnded, user, RequestOrigin(), detail: reason))]
        }
        InactivityJob.Result.removed.count()
        return [.audit(AuditEntry(.inactivityRemoved, user, RequestOrigin()))]
            + (try delete.schedule(user, RequestOrigin(), now, graceDays: 0).changes)
    }
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
