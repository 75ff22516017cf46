import InternalAPI

/// Verifies the email address that the operator gave an account, once its owner opens the mailed link. It replaces the account's
/// earlier address. No session ends.
struct ConfirmAddress: Sendable {
    let act: AccountAct
    let move: IdentityMove
    let tags: CallTags

    /// - Throws: `StorageError`; the link is not used then.
    func callAsFunction(_ request: AccountLinkRequest, requestID: String?) async throws -> AccountAnswer {
        guard let secret = LinkSecret(request.token) else { return AccountAnswer(.invalidLink) }
        let call = tags.tag(AccountOperations.confirmAddress.path, callID: request.callID, body: [secret.text])
        let origin = RequestOrigin(requestID: requestID, method: "link")
        return try await act(.link(hash: secret.hash), call) { facts, now in
            guard let user = Self.claimant(facts), let identity = facts.identity else { return .refused(.invalidLink) }
            return .done(try verifying(identity, of: user, facts, origin, now))
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
        _ identity: VerifiedIdentity, of before: User, _ facts: UserFacts, _ origin: RequestOrigin, _ now: Int64
    ) throws -> [UserChange] {
        var user = before
        (user.email, user.updatedAt) = (identity.value, now)
        user.version += 1
        let old = before.email.map { [VerifiedIdentity.email($0)] } ?? []
        return try move.giving(identity, to: user.id, replacing: old, facts, origin) + [
            .endLinks(of: user.id), .update(user), .audit(AuditEntry(.addressVerified, user, origin)),
        ] + move.messages(from: before, to: user, .identityChange).map { .tell($0, about: user.id, dueAt: now) }
    }
}
