import InternalAPI
import Policies

/// Decides what a verified identity leads to.
struct SignInRule: Sendable {
    /// What a sign-in does to an account that waits for its removal.
    let onScheduledDeletion: DeletionPolicy.SignIn
    /// The policy for first proofs, which make users.
    var newUsers = NewUsersPolicy()

    func decide(_ proof: SignInProof, on facts: UserFacts, now: Int64) -> SignInVerdict {
        if let password = proof.password {
            // Another password, or another holder: what the old one proved is void, repeats included.
            guard let holder = facts.holder, holder.id == password.user, facts.password?.version == password.version
            else { return .refuse(.spent) }
        }
        if let token = proof.token, facts.hasUsed(token, now: now) { return .refuse(.tokenUsed) }
        // Repeats included.
        if facts.outdates(codeOf: proof.challengedAt) { return .refuse(.spent) }
        let verdict = decide(on: facts, proof.identity.kind, now)
        // Of a password's proof it is not always kept that it has served: the epoch tells one given before the deletion.
        if case .restore(let holder) = verdict, let epoch = proof.password?.epoch, epoch < holder.epoch {
            return .refuse(.spent)
        }
        if case .restore(let holder) = verdict, let token = proof.token, holder.isGivenUp(since: token) {
            return .refuse(.tokenUsed)
        }
        if proof.isForReview {
            return facts.earlier != nil || facts.isReviewers ? verdict : .refuse(.notForReview)
        }
        return verdict.makesUser && facts.invitation == nil && !isOpen(to: proof.identity.kind)
            ? .refuse(.notInvited) : verdict
    }

    private func decide(on facts: UserFacts, _ kind: ProvedIdentity.Kind, _ now: Int64) -> SignInVerdict {
        if let earlier = facts.earlier { return repeated(earlier.resolution, earlier.user) }
        guard let holder = facts.holder else { return facts.claimant.map(proved) ?? .create }
        guard holder.isActive else { return .refuse(.inactive) }
        guard let deletion = holder.deletion else { return .admit(holder) }
        // Numbers are given to other people, so they alone are taken from a holder who is still there.
        let givenUp: SignInVerdict = kind == .phone ? .replace(holder) : .refuse(.deletionScheduled)
        // The promise to remove the data is kept from its hour on, even while the removal itself is still to come.
        guard now < deletion.dueAt else { return givenUp }
        return switch onScheduledDeletion {
        case .restore: .restore(holder)
        case .ask: .refuse(.deletionScheduled)
        case .newAccount: givenUp
        }
    }

    /// An unverified address gives an account no rights. When someone else verifies it, an account without any other identity
    /// passes to them and its sessions end; any other account loses the address. An account that the operator deactivated, and
    /// that has nothing but the address, stays deactivated: proving the address must not undo that.
    private func proved(_ claimant: Claimant) -> SignInVerdict {
        if claimant.isDeactivated { return .refuse(.inactive) }
        return claimant.isAlone ? .takeOver : .create
    }

    /// A proof given before a deletion does not undo it: only a new sign-in says that the person came back.
    private func repeated(_ resolution: Resolution, _ user: User?) -> SignInVerdict {
        guard let user else { return .refuse(.spent) }
        guard user.isActive else { return .refuse(.inactive) }
        guard user.deletion == nil else { return .refuse(.spent) }
        return .repeated(resolution, user)
    }

    private func isOpen(to kind: ProvedIdentity.Kind) -> Bool {
        switch kind {
        case .phone: newUsers.phone == .open
        case .email: newUsers.email == .open
        case .apple: newUsers.apple == .open
        case .oidc: newUsers.oidc == .open
        }
    }
}

extension UserFacts {
    /// Whether the token of this proof has served a call of which this presentation is no repeat.
    fileprivate func hasUsed(_ token: PresentedToken, now: Int64) -> Bool {
        earlier.map { $0.served?.isRepeated(by: token, now: now) != true } ?? false
    }

    /// Whether an operator may open the identity for reviewers: it leads to no other person's account or invitation, and to no
    /// rights.
    fileprivate var isReviewers: Bool {
        invitation == nil && holder.map { $0.isForReview && $0.role == User.defaultRole } ?? true
    }
}

extension User {
    /// Whether the user gave up the account after the token was issued: a token lives long enough to be older than that, and
    /// only a new sign-in says that the user came back.
    fileprivate func isGivenUp(since token: PresentedToken) -> Bool {
        deletion.map { token.issuedAt < $0.requestedAt } ?? false
    }
}

/// What is to be done with a verified identity.
enum SignInVerdict: Sendable, Equatable {
    /// Nobody holds the identity: make a user. A user who only claimed it loses it.
    case create
    case admit(User)
    /// The account was to be deleted and is not any more.
    case restore(User)
    /// The identity leaves an account that is given up and begins a new one.
    case replace(User)
    /// The account that only claimed the address passes to the person who verified it (`AccountTakeover`).
    case takeOver
    /// The same answer as before.
    case repeated(Resolution, User)
    case refuse(SignInRefusal)

    /// Whether a new user begins.
    var makesUser: Bool {
        switch self {
        case .create, .replace: true
        case .admit, .restore, .takeOver, .repeated, .refuse: false
        }
    }
}

/// Why a verified identity does not lead to a grant.
enum SignInRefusal: Sendable, Equatable {
    case inactive
    /// The policy wants the person to be asked before the account is restored.
    case deletionScheduled
    /// It was verified before the account was given up, or by a password that has changed.
    case spent
    /// Only invited people become users.
    case notInvited
    /// The identity token has served another call, or was issued before the account was given up.
    case tokenUsed
    /// The code of a store's reviewers opens no account of another person, and none with a role.
    case notForReview
}
