import InternalAPI

/// Verifies the email address that the operator gave an account, once its owner opens the mailed link. It replaces the account's
/// earlier address. No session ends.
struct ConfirmAddress: Sendable {
    let act: AccountAct
    let seal: OutboxSeal
    let tags: CallTags
    let userIDPrefix: String

    /// - Throws: `StorageError`; the link is not used then.
    func callAsFunction(_ request: AccountLinkRequest, requestID: String?) async throws -> AccountAnswer {
        guard let secret = LinkSecret(request.token) else { return AccountAnswer(.invalidLink) }
        let call = tags.tag(AccountOperations.confirmAddress.path, callID: request.callID, body: [secret.text])
        let origin = RequestOrigin(requestID: requestID, method: "link")
        return try await act(.link(hash: secret.hash), call) { facts, now in
            guard let user = Self.claimant(facts), let identity = facts.identity else { return .refused(.invalidLink) }
            return .done(
                AccountTakeover.begun(identity, facts) + (try verifying(identity, of: user, origin, now)))
        }
    }

    /// The user whose address the link verifies, unless another person has verified it.
    private static func claimant(_ facts: UserFacts) -> User? {
        guard let link = facts.link, link.purpose == .address, facts.holder == nil, let user = facts.claimant?.user,
            user.id == link.subject
        else { return nil }
        return user
    }

    private func verifying(
        _ identity: VerifiedIdentity, of before: User, _ origin: RequestOrigin, _ now: Int64
    ) throws -> [UserChange] {
        var user = before
        (user.email, user.updatedAt) = (identity.value, now)
        user.version += 1
        let rights = ChangeRightsRequest(
            userID: user.id.text(prefix: userIDPrefix), role: user.role, version: user.version, email: user.email)
        var changes: [UserChange] = [
            .endClaim(identity), .endLinks(of: user.id), .assignIdentity(identity, to: user.id, isUsed: false),
            .update(user), .audit(AuditEntry(.addressVerified, user, origin)),
            .tell(try OutboxMessage(.changeRights, encoding: rights), about: user.id, dueAt: now),
        ]
        if let old = before.email {
            // The address's next owner signs in from other networks.
            changes += [
                .endIdentity(.email(old)),
                .tell(
                    try seal.forgetting(user.id, phone: nil, email: old, networksUntil: now), about: user.id, dueAt: now
                ),
            ]
        }
        return changes
    }
}
