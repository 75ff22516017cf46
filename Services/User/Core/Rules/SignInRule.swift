import InternalAPI
import Policies

/// Decides on sign-ins with verified identities and passkeys.
struct SignInRule: Sendable {
    /// The effect of a sign-in on an account that is scheduled for deletion.
    let onScheduledDeletion: DeletionPolicy.SignIn
    /// The policy for the first sign-ins of people, which create users.
    var newUsers = NewUsersPolicy()
    /// The Unix time in seconds of the request for deletion that the person cancels (`RestoreOffer`). Nothing else is done then. `nil`
    /// for an ordinary sign-in.
    var cancelledRequest: Int64?
    /// `nil` if the policy has no second factor.
    var secondFactor: SecondFactorRule?

    /// The rule for a person who cancels the deletion of their account.
    func cancelling(requestedAt time: Int64) -> SignInRule {
        SignInRule(
            onScheduledDeletion: .restore, newUsers: newUsers, cancelledRequest: time, secondFactor: secondFactor)
    }

    func decide(_ proof: SignInProof, on facts: UserFacts, now: Int64) -> SignInVerdict {
        if let password = proof.password {
            // If the password or the holder has changed, the proof is invalid, also for repeats.
            guard let holder = facts.holder, holder.id == password.user, facts.password?.version == password.version
            else { return .refuse(.used) }
        }
        if let second = proof.second {
            guard facts.holder?.id == second.user, facts.holder?.epoch == second.epoch else { return .refuse(.used) }
        }
        if let token = proof.token, facts.refuses(token, now: now) || facts.isGivenUp(since: token) {
            return .refuse(.tokenUsed)
        }
        // The counter is not compared again for a repeat.
        if let passkey = proof.passkey, facts.earlier == nil, case .refused(let refusal) = passkey.judge(facts, now) {
            return .refuse(.passkey(refusal))
        }
        // This applies to repeats too.
        if facts.outdates(codeOf: proof.challengedAt) { return .refuse(.used) }
        if facts.isIdentityUnderReview || facts.isPasskeyUnderReview
            || (proof.password != nil && facts.isPasswordUnderReview)
        {
            return .refuse(.underReview)
        }
        let verdict = decide(proof, on: facts, now)
        guard isAsked(verdict) else { return .refuse(.used) }
        // The use of a password's proof is not always stored, but its epoch shows that it is older than the deletion.
        if case .restore(let holder) = verdict, let epoch = proof.password?.epoch, epoch < holder.epoch {
            return .refuse(.used)
        }
        if let user = verdict.signedIn, secondFactor?.isDue(user, facts.secondFactor, proof, now: now) == true {
            return .refuse(.secondFactorRequired)
        }
        if proof.isForReview {
            return facts.earlier != nil || facts.isReviewers && facts.pending.isEmpty ? verdict : .refuse(.notForReview)
        }
        guard verdict.makesUser || verdict == .takeOver else { return verdict }
        // A passkey makes no account and moves no identity.
        guard let identity = proof.identity else { return .refuse(.passkey(.unknown)) }
        return verdict.makesUser && facts.invitation == nil && !isOpen(to: identity.kind)
            ? .refuse(.notInvited) : verdict
    }

    /// Whether the person asked for the verdict. One who cancels a deletion asked for no new account, and for no later deletion.
    private func isAsked(_ verdict: SignInVerdict) -> Bool {
        guard let cancelledRequest else { return true }
        return switch verdict {
        case .restore(let holder): holder.deletion?.requestedAt == cancelledRequest
        case .repeated, .refuse: true
        case .create, .admit, .replace, .succeed, .takeOver: false
        }
    }

    private func decide(_ proof: SignInProof, on facts: UserFacts, _ now: Int64) -> SignInVerdict {
        if let earlier = facts.earlier {
            // The user has lost the identity since, which then signs in to nothing of theirs.
            guard earlier.user?.id == facts.holder?.id else { return .refuse(.used) }
            return repeated(earlier.resolution, earlier.user)
        }
        if let change = facts.pending.first { return .refuse(.phoneChangePending(change)) }
        guard let holder = facts.holder else { return facts.claimant.map(verified) ?? .create }
        // Whatever became of the reviewers' account, it is not the owner's.
        if holder.isForReview, !proof.isForReview { return .succeed(holder) }
        guard holder.isActive else { return .refuse(.inactive) }
        guard let deletion = holder.deletion else { return .admit(holder) }
        // Carriers give phone numbers to other people, so only a phone number leaves a holder who still exists.
        let givenUp: SignInVerdict = proof.identity?.kind == .phone ? .replace(holder) : .refuse(.deletionScheduled)
        // Once the deletion is due, the account cannot be restored, even if the data are not removed yet.
        guard now < deletion.dueAt else { return givenUp }
        return switch onScheduledDeletion {
        case .restore: .restore(holder)
        case .ask: .refuse(.deletionScheduled)
        case .newAccount: givenUp
        }
    }

    /// Decides on an email address that an account has without verification, which gives the account no rights. When someone else
    /// verifies it, an account without any other identity passes to them and its sessions are revoked; any other account loses the
    /// email address. An account that the operator deactivated, and that has no other identity, stays deactivated.
    private func verified(_ claimant: Claimant) -> SignInVerdict {
        if claimant.isDeactivated { return .refuse(.inactive) }
        return claimant.isAlone ? .takeOver : .create
    }

    /// Decides on a proof that was resolved before. A proof from before the deletion was scheduled does not cancel it: only a new
    /// sign-in shows that the person has returned.
    private func repeated(_ resolution: Resolution, _ user: User?) -> SignInVerdict {
        guard let user else { return .refuse(.used) }
        guard user.isActive else { return .refuse(.inactive) }
        guard user.deletion == nil else { return .refuse(.used) }
        return .repeated(resolution, user)
    }

    func isOpen(to kind: VerifiedIdentity.Kind) -> Bool {
        switch kind {
        case .phone: newUsers.phone == .open
        case .email: newUsers.email == .open
        case .apple: newUsers.apple == .open
        case .oidc: newUsers.oidc == .open
        }
    }
}

extension UserFacts {
    /// Whether the token has served another call, which this presentation does not repeat, is from before the provider reported
    /// the end of the user's consent, or belonged to an identity that the user has lost.
    func refuses(_ token: PresentedToken, now: Int64) -> Bool {
        if let tokensFrom, token.issuedAt < tokensFrom { return true }
        return hasUsed(token, now: now) || earlier.map { $0.user?.id != holder?.id } ?? false
    }

    /// Whether the token has served another call, which this presentation does not repeat.
    func hasUsed(_ token: PresentedToken, now: Int64) -> Bool {
        earlier.map { $0.served?.isRepeated(by: token, now: now) != true } ?? false
    }

    /// Whether the code for reviewers may sign in with the identity: it leads to no other person's account or invitation, and to
    /// no rights.
    fileprivate var isReviewers: Bool {
        invitation == nil && holder.map { $0.isForReview && $0.role == User.defaultRole } ?? true
    }
}

extension UserFacts {
    /// Whether the account with the identity was scheduled for deletion after the token was issued, also if it is removed by now
    /// (`GivenUpIdentities`). A token is valid long enough for this, and only a new sign-in shows that the person has returned.
    func isGivenUp(since token: PresentedToken) -> Bool {
        let noted = firstAnswer.flatMap { Int64(String(decoding: $0.answer, as: UTF8.self)) }
        return [holder?.deletion?.requestedAt, noted].compactMap { $0 }.contains { token.issuedAt < $0 }
    }
}

/// The decision about a sign-in with a verified identity.
enum SignInVerdict: Sendable, Equatable {
    /// The identity has no holder, and a new user gets it. A user who only claimed it loses it.
    case create
    case admit(User)
    /// The scheduled deletion of the account is cancelled.
    case restore(User)
    /// The identity moves from an account that is scheduled for deletion to a new one.
    case replace(User)
    /// The identity moves from an account of an app store's reviewers to a new one, which its owner gets.
    case succeed(User)
    /// The account that only claimed the email address passes to the person who verified it (`AccountTakeover`).
    case takeOver
    /// The proof was resolved before, and has the same outcome.
    case repeated(Resolution, User)
    case refuse(SignInRefusal)

    /// The user who has the identity and gets a session by this proof for the first time.
    fileprivate var signedIn: User? {
        switch self {
        case .admit(let user), .restore(let user): user
        case .create, .replace, .succeed, .takeOver, .repeated, .refuse: nil
        }
    }

    /// Whether a new user is added.
    var makesUser: Bool {
        switch self {
        case .create, .replace, .succeed: true
        case .admit, .restore, .takeOver, .repeated, .refuse: false
        }
    }
}

/// The reason why a proof does not lead to a grant.
enum SignInRefusal: Sendable, Equatable {
    /// The sealed proof cannot be opened.
    case invalidProof(SealRefusal)
    case inactive
    /// The identity or the password was changed since the event for which the account is under review.
    case underReview
    /// The account is scheduled for deletion. The policy requires asking the person first, or the identity stays with the account.
    case deletionScheduled
    /// The proof is older than the schedule for deletion, or than a change of the password.
    case used
    /// Only invited people become users.
    case notInvited
    /// The identity token has served another call, or was issued before the account was scheduled for deletion or the user's consent
    /// ended.
    case tokenUsed
    /// The code for an app store's reviewers does not sign in to another person's account, or to an account with a role.
    case notForReview
    /// An account gets the phone number later.
    case phoneChangePending(PendingChange)
    /// The user of the phone number was away for months (`RecycledNumber`).
    case secondIdentityRequired
    /// The proof is one factor, and the user needs a second one.
    case secondFactorRequired
    /// The passkey was removed, cannot be used now, or its counter shows a copy.
    case passkey(PasskeyRefusal)

    /// The refusal that the caller learns: about the proof only that it is refused.
    var toCaller: ResolveRefusal {
        switch self {
        case .inactive: .accountInactive
        case .underReview: .accountUnderReview
        case .deletionScheduled: .deletionScheduled
        case .notInvited: .notInvited
        case .phoneChangePending: .phoneChangePending
        case .secondIdentityRequired: .secondIdentityRequired
        case .secondFactorRequired: .secondFactorRequired
        case .invalidProof, .used, .tokenUsed, .notForReview, .passkey: .attestationRefused
        }
    }
}
