import InternalAPI
import Policies

/// The parts that merges of accounts need, whichever session makes them.
struct AccountMerges: Sendable {
    let ways: SignInWays
    let ends: IdentityChangePolicy.Ends
    let move: IdentityMove
    let attributes: AttributeRules
    let notices: AccountNotices

    func callAsFunction(of sessionID: String, _ origin: RequestOrigin, keepsOtherPhone: Bool) -> AccountMerge {
        AccountMerge(
            ways: ways, ends: ends, move: move, attributes: attributes, notices: notices, sessionID: sessionID,
            origin: origin, keepsOtherPhone: keepsOtherPhone)
    }
}

/// Decides on merging another account of the same person into the account of a session's user.
///
/// The user keeps id, role, password and everything else that they have. From the other account they get the identities of kinds that
/// they lack, the claims, and the name, the legacy id and the attributes that they lack, of the latter only those that users set. The
/// rest of the other account is removed.
struct AccountMerge: Sendable {
    let ways: SignInWays
    let ends: IdentityChangePolicy.Ends
    let move: IdentityMove
    let attributes: AttributeRules
    let notices: AccountNotices
    /// The session that makes the change.
    let sessionID: String
    let origin: RequestOrigin
    /// Whether the other account's phone number replaces the user's.
    let keepsOtherPhone: Bool

    /// Whether an offer still allows the merge. An account under review might be in a thief's hands, and one with a second factor
    /// needs more than a merge asks for.
    ///
    /// - Parameter waited: Whether the merge has waited for an objection. Then a review after a lockout does not prevent it: anybody who
    ///   knows a phone number can cause one.
    static func permits(
        _ offer: MergeOffer, _ other: UserFacts, into own: UserFacts, waited: Bool = false
    ) -> Bool {
        guard let user = own.holder, let lost = other.holder else { return false }
        let reviews = [own, other].compactMap { waited ? $0.lastingReviewSince : $0.reviewedSince }
        let isGuarded = other.secondFactor.map { $0.isRequired || $0.activatedAt != nil } ?? false
        return reviews.isEmpty && !isGuarded && allows(lost, into: user) && offer.holds(for: other)
    }

    /// Whether an account may be merged into a user's. One with a role of its own needs the operator.
    static func allows(_ other: User, into user: User) -> Bool {
        other.id != user.id && other.role == User.defaultRole
            && [other, user].allSatisfy { $0.isActive && $0.deletion == nil && !$0.isForReview }
    }

    /// The parts of the other account that the user can verify in addition to the identity of the offer, or `nil` if that suffices. A
    /// stolen phone number does not bring a whole account with it. A passkey is no such part, but the merge then waits.
    func missingProof(of other: UserFacts, _ offer: MergeOffer) -> [String]? {
        let rest = other.identities.map(\.identity).filter { $0 != offer.identity }
        let hasPasskey = other.passkeys.contains { $0.kind == .passkey }
        guard other.password != nil || !rest.isEmpty || hasPasskey else { return nil }
        let names = rest.filter { ways.signIn([$0], hasPassword: false) }.map(\.providerName)
        return (other.password != nil && ways.password ? [SignInMethod.password] : []) + names
    }

    /// The identities of the other account that the user gets: one of each kind that the user lacks.
    func moving(_ other: UserFacts, to own: UserFacts) -> [HeldIdentity] {
        var moving: [HeldIdentity] = []
        for held in other.identities {
            let isReplaced = keepsOtherPhone && held.identity.kind == .phone
            let rivals = (isReplaced ? [] : own.identities) + moving
            if !rivals.contains(where: { $0.identity.sharesPlace(with: held.identity) }) { moving.append(held) }
        }
        return moving
    }

    /// The changes that merge the accounts.
    ///
    /// - Parameters:
    ///   - found: the facts of the identities that move, in their order.
    func merge(
        _ other: UserFacts, into own: UserFacts, _ found: [UserFacts], _ now: Int64
    ) throws -> Verdict<AccountReply> {
        guard let user = own.holder, let lost = other.holder else { return .refused(.mergeRefused) }
        let moving = moving(other, to: own)
        let replaced = own.identities.map(\.identity).filter { old in
            moving.contains { $0.identity.sharesPlace(with: old) }
        }
        let after = merged(user, lost, moving.map(\.identity), isLoss: !replaced.isEmpty, now)
        let gained = try zip(moving, found).flatMap { try giving($0, to: user.id, $1) }
        let names = moving.map(\.identity.providerName).joined(separator: " ")
        return .done(
            move.taking(replaced, from: user.id) + [.merge(lost, into: user.id)] + gained + [
                .update(after), .endLinks(of: user.id),
                .audit(AuditEntry(.merged, user, origin, detail: names.isEmpty ? nil : names)),
                .audit(AuditEntry(.mergedAway, lost, origin)),
            ] + (try messages(from: user, to: after, lost, now)) + (try told(user, lost, now)),
            endingSessionsOf: user.id, endsOwn: !replaced.isEmpty && ends == .all)
    }

    /// Gives the user an identity as it was, after the other account is gone.
    private func giving(_ held: HeldIdentity, to user: UserID, _ facts: UserFacts) throws -> [UserChange] {
        let identity = held.identity
        return try move.assigning(identity, to: user)
            + (held.usedAt > 0 ? [.noteUse(identity, at: held.usedAt)] : [])
            + (facts.tokensFrom.map { [.refuseTokens(of: identity, before: $0)] } ?? [])
    }

    /// - Parameter isLoss: whether the user loses an identity, so that sessions end as the policy says.
    private func merged(
        _ user: User, _ lost: User, _ gained: [VerifiedIdentity], isLoss: Bool, _ now: Int64
    ) -> User {
        var after = user
        after.phone = gained.first { $0.kind == .phone }?.value ?? user.phone
        after.email = gained.first { $0.kind == .email }?.value ?? user.email
        after.name = user.name ?? lost.name
        after.legacyID = user.legacyID ?? lost.legacyID
        after.attributes = attributes.completing(user.attributes, from: lost.attributes)
        after.updatedAt = now
        after.version += 1
        if isLoss, ends != .none { after.epoch += 1 }
        return after
    }

    /// The messages that end the sessions, and make what is remembered about a lost phone number or email address void.
    private func messages(
        from user: User, to after: User, _ lost: User, _ now: Int64
    ) throws -> [UserChange] {
        let ending = RevokeUserRequest(
            userID: lost.id.text(prefix: move.userIDPrefix), epoch: lost.endingSessions(at: now).epoch,
            reason: .identityChange)
        let messages =
            [try OutboxMessage(.revokeUser, encoding: ending)]
            + (try move.messages(
                from: user, to: after, .identityChange, sparing: ends == .others ? sessionID : nil))
        let phone = lost.phone.flatMap { $0 == after.phone ? nil : $0 }
        let email = lost.email.flatMap { $0 == after.email ? nil : $0 }
        let forgotten: [UserChange] =
            phone == nil && email == nil
            ? []
            : [
                .tell(
                    try move.outbox.forgetting(lost.id, phone: phone, email: email, networksUntil: now),
                    about: lost.id, dueAt: now)
            ]
        return messages.map { .tell($0, about: user.id, dueAt: now + OutboxLimits.ownAttemptSeconds) } + forgotten
    }

    /// Tells the owners of both accounts.
    private func told(_ user: User, _ lost: User, _ now: Int64) throws -> [UserChange] {
        try [user, lost].flatMap { try notices.ofChange(.identityChanged, to: $0, about: user, now) }
    }
}
