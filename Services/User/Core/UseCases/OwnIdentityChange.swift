import InternalAPI
import Policies

/// Decides on a change that users make of their own identities.
///
/// A user has at most one phone number, one email address, one Apple identity and one identity of each other provider, so a new one
/// replaces the one of its kind. No identity passes from another user, except a phone number from an account that waits for its
/// deletion or was made for an app store's reviewers. Nothing passes over with an address that another account only claims.
struct OwnIdentityChange: Sendable {
    let ways: SignInWays
    let ends: IdentityChangePolicy.Ends
    let move: IdentityMove
    let takeover: AccountTakeover
    let notices: AccountNotices
    let merges: MergeSeal
    /// The session that makes the change.
    let session: SignedInUser
    let origin: RequestOrigin

    /// Decides on an identity that the user has verified.
    ///
    /// - Parameters:
    ///   - user: the user, who may change identities.
    ///   - own: the facts of the user, with all identities.
    ///   - found: the facts of the identity.
    func add(
        _ proof: SignInProof, of identity: VerifiedIdentity, to user: User, _ own: UserFacts, _ found: UserFacts,
        _ now: Int64
    ) throws -> Verdict<AccountReply> {
        guard !proof.isForReview, !user.isForReview, !found.refuses(proof), !own.outdates(codeOf: proof.challengedAt)
        else { return .refused(.proofRefused) }
        let used = UserChange.resolve(proof, Resolution(userID: user.id, isNewUser: false, restored: false))
        guard found.holder?.id != user.id else { return .done([used]) }
        var changes: [UserChange] = [used]
        if let holder = found.holder {
            guard holder.givesAway(identity) else {
                return try refuse(identity, of: holder, to: user, used, now)
            }
            if holder.isForReview { changes += try takeover.ending(holder, origin, now).1 }
        }
        let old = own.identities.map(\.identity).filter { $0 != identity && $0.sharesPlace(with: identity) }
        changes += try move.giving(identity, to: user.id, replacing: old, found, origin)
        if let code = proof.code {
            let message = try move.outbox.exchanging(code, of: identity.value, for: user.id)
            changes.append(.tell(message, about: user.id, dueAt: now))
        }
        let event: AuditEntry.Event = old.isEmpty ? .identityAdded : .identityReplaced
        return try settle(
            user, user.having(identity, instead: nil), event, identity.providerName, isLoss: !old.isEmpty, changes, now)
    }

    /// Refuses an identity of another user. If that account may be merged, the proof is used up for the token that does it.
    private func refuse(
        _ identity: VerifiedIdentity, of holder: User, to user: User, _ used: UserChange, _ now: Int64
    ) throws -> Verdict<AccountReply> {
        let detail = "in use \(identity.providerName)"
        let audit = UserChange.audit(AuditEntry(.identityRefused, user, origin, detail: detail))
        guard AccountMerge.allows(holder, into: user) else { return .refused(.identityInUse, [audit]) }
        let offer = MergeOffer(other: holder.id, epoch: holder.epoch, identity: identity, verifiedAt: now)
        let answer = AccountAnswer(.identityInUse, mergeToken: try merges.seal(offer, for: session))
        return Verdict(AccountReply(answer: answer, user: user.id), [used, audit])
    }

    /// Decides on the removal of one of the user's identities. A password goes with the email address.
    func remove(
        _ identity: VerifiedIdentity, from user: User, _ own: UserFacts, _ now: Int64
    ) throws -> Verdict<AccountReply> {
        let rest = own.identities.map(\.identity).filter { $0 != identity }
        let losesPassword = own.password != nil && !rest.contains { $0.kind == .email }
        guard ways.signIn(rest, hasPassword: own.password != nil && !losesPassword) else {
            return .refused(.lastIdentity)
        }
        let other = rest.first { $0.kind == identity.kind }
        let changes =
            move.taking([identity], from: user.id) + (losesPassword ? [.removePassword(of: user.id)] : [])
        return try settle(
            user, user.having(nil, instead: identity, other), .identityRemoved, identity.providerName, isLoss: true,
            changes, now)
    }

    /// Decides on the removal of the user's password.
    func removePassword(from user: User, _ own: UserFacts, _ now: Int64) throws -> Verdict<AccountReply> {
        guard own.password != nil else { return .refused(.noPassword) }
        guard ways.signIn(own.identities.map(\.identity), hasPassword: false) else { return .refused(.lastIdentity) }
        return try settle(
            user, user, .identityRemoved, "password", isLoss: true, [.removePassword(of: user.id)], now)
    }

    /// The changes with the user as they are then, and what follows for sessions, tokens and links.
    ///
    /// - Parameters:
    ///   - changed: the user with other claims.
    ///   - isLoss: whether the user has lost something, so that sessions end as the policy says, and access tokens with them.
    private func settle(
        _ user: User, _ changed: User, _ event: AuditEntry.Event, _ detail: String, isLoss: Bool,
        _ changes: [UserChange], _ now: Int64
    ) throws -> Verdict<AccountReply> {
        var after = changed
        after.updatedAt = now
        if isLoss || changed.claims != user.claims { after.version += 1 }
        if isLoss, ends != .none { after.epoch += 1 }
        let messages = try move.messages(
            from: user, to: after, .identityChange, sparing: ends == .others ? session.sessionID : nil,
            keepsTokens: !isLoss)
        let notice = try notices.ofChange(.identityChanged, to: user, now)
        let links: [UserChange] = isLoss ? [.endLinks(of: user.id)] : []
        return .done(
            changes + links + notice + [
                .update(after), .audit(AuditEntry(event, user, origin, detail: detail)),
            ]
                + messages.map { .tell($0, about: user.id, dueAt: now + OutboxLimits.ownAttemptSeconds) },
            endingSessionsOf: user.id, endsOwn: isLoss && ends == .all)
    }
}

extension VerifiedIdentity {
    /// The kind, or the provider's name.
    var providerName: String { atProvider?.provider ?? kind.rawValue }

    /// Whether a user has at most one of both identities: they are of one kind and, at providers, of one provider.
    func sharesPlace(with other: VerifiedIdentity) -> Bool {
        kind == other.kind && atProvider?.provider == other.atProvider?.provider
    }
}

extension User {
    /// Whether a person who has verified one of the user's identities gets it. Carriers give phone numbers to other people, so a
    /// number leaves an account that waits for its deletion. The reviewers of an app store do not own theirs.
    fileprivate func givesAway(_ identity: VerifiedIdentity) -> Bool {
        isForReview || (identity.kind == .phone && deletion != nil)
    }

    /// The user with an identity's value in the claims, or without it.
    ///
    /// - Parameter other: another identity of the lost one's kind that the user still has.
    fileprivate func having(
        _ identity: VerifiedIdentity?, instead lost: VerifiedIdentity?, _ other: VerifiedIdentity? = nil
    ) -> User {
        var user = self
        let value = identity?.value ?? other?.value
        switch identity?.kind ?? lost?.kind {
        case .phone: user.phone = value
        case .email: user.email = value
        case .apple, .oidc, nil: break
        }
        return user
    }
}

extension UserFacts {
    /// Whether the proof has served before, or is from before the end of the user's consent or an account's deletion.
    fileprivate func refuses(_ proof: SignInProof) -> Bool {
        guard earlier == nil, !outdates(codeOf: proof.challengedAt) else { return true }
        guard let token = proof.token else { return false }
        return tokensFrom.map { token.issuedAt < $0 } ?? false || isGivenUp(since: token)
    }
}
