import InternalAPI

/// The changes by which a user gets an identity or loses one, whether the user makes them or the operator.
struct IdentityMove: Sendable {
    let userIDPrefix: String
    let identities: IdentitySeal
    let outbox: OutboxSeal
    /// The rules for values in access tokens.
    var attributes: AttributeRules

    /// The changes that give a user an identity, which ends claims, registrations and invitations with it.
    ///
    /// - Parameters:
    ///   - old: the identities that it replaces.
    ///   - facts: the facts of the new identity. Its holder loses it.
    func giving(
        _ identity: VerifiedIdentity, to user: UserID, replacing old: [VerifiedIdentity], _ facts: UserFacts,
        _ origin: RequestOrigin
    ) throws -> [UserChange] {
        let moved = facts.holder.map { [UserChange.audit(AuditEntry(.identityMoved, $0, origin))] } ?? []
        let begun =
            facts.claimant?.user.id == user
            ? [.endClaim(identity)] + AccountTakeover.begun(identity, facts)
            : AccountTakeover.ending(identity, facts, origin)
        return try taking(old, from: user) + moved + begun + assigning(identity, to: user)
    }

    /// The changes that give a user an identity, and note it for a restore.
    func assigning(_ identity: VerifiedIdentity, to user: UserID) throws -> [UserChange] {
        [.assignIdentity(identity, to: user, isUsed: false), try identities.noteAdded(identity, to: user)]
    }

    /// The changes that take identities from a user. Tokens of Apple's are revoked there.
    func taking(_ old: [VerifiedIdentity], from user: UserID) -> [UserChange] {
        old.flatMap { identity -> [UserChange] in
            let tokens: [UserChange] =
                identity.kind == .apple ? [.revokeAppleTokens(of: user, subject: identity.value)] : []
            return tokens + [.endIdentity(identity)]
        }
    }

    /// The messages to other services about a user whose claims or epoch have changed.
    ///
    /// - Parameters:
    ///   - reason: why sessions end, if the epoch has changed.
    ///   - session: a session that stays; `nil` if all end.
    ///   - keepsTokens: whether earlier access tokens stay valid.
    ///   - lowersFactors: whether a second factor is gone, so that sessions fall to the factors with which they began.
    func messages(
        from before: User, to after: User, _ reason: RevocationReason, sparing session: String? = nil,
        keepsTokens: Bool = false, lowersFactors: Bool = false
    ) throws -> [OutboxMessage] {
        var messages: [OutboxMessage] = []
        let userID = after.id.text(prefix: userIDPrefix)
        if after.version > before.version {
            let request = ChangeRightsRequest(
                userID: userID, claims: try after.claims(attributes), keepsTokens: keepsTokens,
                lowersFactors: lowersFactors)
            messages.append(try OutboxMessage(.changeRights, encoding: request))
        }
        if after.epoch > before.epoch {
            let request = RevokeUserRequest(
                userID: userID, epoch: after.epoch, reason: reason, sparedSession: session)
            messages.append(try OutboxMessage(.revokeUser, encoding: request))
        }
        // The next owner of a phone number or an email address signs in from other networks.
        let phone = before.phone.flatMap { $0 == after.phone ? nil : $0 }
        let email = before.email.flatMap { $0 == after.email ? nil : $0 }
        if phone != nil || email != nil {
            messages.append(
                try outbox.forgetting(before.id, phone: phone, email: email, networksUntil: after.updatedAt))
        }
        return messages
    }
}
