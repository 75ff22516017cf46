import InternalAPI
import Policies

extension PendingChange {
    /// The rules of all kinds.
    ///
    /// - Parameter inactivity: the rule that removes the accounts of inactive users.
    static func rules(
        _ policy: Policy, _ keys: UserKeys, _ outbox: OutboxSeal, tokenService: ServiceClient,
        inactivity: (any PendingChangeRule)? = nil
    ) -> [Kind: any PendingChangeRule] {
        let attributes = AttributeRules(policy)
        let move = IdentityMove(
            userIDPrefix: policy.userIDPrefix, identities: IdentitySeal(ring: keys.storage), outbox: outbox,
            attributes: attributes)
        var rules: [Kind: any PendingChangeRule] = [
            .phone: PhoneReplacement(
                move: move, seal: PendingSeal(ring: keys.storage), notices: .ofChanges(policy, outbox)),
            .merge: WaitingMerge(
                merges: AccountMerges(
                    ways: SignInWays(policy), ends: policy.identityChange.ends, move: move,
                    attributes: attributes, notices: .ofChanges(policy, outbox)),
                seal: PendingSeal(ring: keys.storage), tokenService: tokenService),
        ]
        rules[.secondFactor] = SecondFactorReset(
            move: move, seal: PendingSeal(ring: keys.storage), notices: .ofChanges(policy, outbox))
        rules[.inactivity] = inactivity
        return rules
    }
}
