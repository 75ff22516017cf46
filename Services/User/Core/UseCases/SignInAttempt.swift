import AuthAPI
import InternalAPI
import Policies

/// A proved identity, and the user that it makes if nobody holds it.
struct SignInAttempt: Sendable {
    let proof: SignInProof
    let origin: RequestOrigin
    let newcomer: Newcomer
    let userIDPrefix: String

    /// What the attempt comes to, and what of it is to be written; nil when nothing is.
    ///
    /// - Parameter now: Unix time in seconds.
    func outcome(
        of facts: SignInFacts, by rule: SignInRule, now: Int64
    ) throws -> (SignInOutcome, SignInChanges?) {
        switch rule.decide(proof, on: facts, now: now) {
        case .repeated(let resolution, let user): return (.admitted(user, resolution, isRepeat: true), nil)
        case .create: return admitNewcomer(facts, now, audit: [])
        case .replace(let holder): return admitNewcomer(facts, now, audit: [entry(.identityMoved, holder)])
        case .createInPlaceOf(let claimant):
            return admitNewcomer(facts, now, audit: [entry(.addressLost, claimant)], endsClaim: true)
        case .takeOver(let claimant): return try takeOver(claimant, facts, now)
        case .admit(let user): return admit(user)
        case .restore(let user): return restore(user, now)
        case .refuse(let refusal):
            return (.refused(refusal), refused(refusal, facts.holder ?? facts.claimant?.user))
        }
    }

    private func admitNewcomer(
        _ facts: SignInFacts, _ now: Int64, audit: [AuditEntry], endsClaim: Bool = false
    ) -> (SignInOutcome, SignInChanges?) {
        let user = User(
            id: newcomer.id, pseudonym: newcomer.pseudonym,
            phone: proof.identity.kind == .phone ? proof.identity.value : nil,
            email: proof.identity.kind == .email ? proof.identity.value : nil, name: newcomer.name?.text,
            attributes: UserAttributes(), role: facts.invitation?.role ?? User.defaultRole, isActive: true,
            epoch: max(1, facts.epoch),
            version: 1,
            createdAt: now, updatedAt: now, isForReview: proof.isForReview)
        let resolution = Resolution(userID: user.id, isNewUser: true, restored: false)
        let changes = SignInChanges(
            proof: proof, resolution: resolution, newcomer: user, endsClaim: endsClaim,
            audit: audit + [entry(.created, user)], ofAccounts: ended(by: facts))
        return (.admitted(user, resolution, isRepeat: false), changes)
    }

    private func admit(_ user: User) -> (SignInOutcome, SignInChanges?) {
        let resolution = Resolution(userID: user.id, isNewUser: false, restored: false)
        return (.admitted(user, resolution, isRepeat: false), SignInChanges(proof: proof, resolution: resolution))
    }

    /// What strangers have begun with the address, and what the invitation was for.
    private func ended(by facts: SignInFacts) -> [AccountChange] {
        (facts.hasRegistrations ? [.endRegistrations(address: proof.identity.value)] : [])
            + (facts.invitation.map { [.endInvitation($0)] } ?? [])
    }

    /// Sessions and grants end with the raised epoch, and the password and the links of whoever had it go.
    private func takeOver(
        _ claimant: User, _ facts: SignInFacts, _ now: Int64
    ) throws -> (SignInOutcome, SignInChanges?) {
        var user = claimant
        user.email = proof.identity.value
        user.role = facts.invitation?.role ?? user.role
        user.epoch += 1
        user.version += 1
        user.updatedAt = now
        let ending = RevokeUserRequest(
            userID: user.id.text(prefix: userIDPrefix), epoch: user.epoch, reason: .takenOver)
        let resolution = Resolution(userID: user.id, isNewUser: false, restored: false)
        let changes = SignInChanges(
            proof: proof, resolution: resolution, changed: user, endsClaim: true, claimBecomesIdentity: true,
            audit: [entry(.takenOver, user)],
            ofAccounts: ended(by: facts) + [.removePassword(of: user.id), .endLinks(of: user.id)],
            messages: [try OutboxMessage(.revokeUser, encoding: ending)])
        return (.admitted(user, resolution, isRepeat: false), changes)
    }

    private func restore(_ user: User, _ now: Int64) -> (SignInOutcome, SignInChanges?) {
        let restored = user.restored(at: now)
        let resolution = Resolution(userID: user.id, isNewUser: false, restored: true)
        let changes = SignInChanges(
            proof: proof, resolution: resolution, changed: restored, audit: [entry(.restored, user)])
        return (.admitted(restored, resolution, isRepeat: false), changes)
    }

    private func refused(_ refusal: SignInRefusal, _ holder: User?) -> SignInChanges? {
        guard let holder else { return nil }
        return switch refusal {
        case .inactive: SignInChanges(proof: proof, audit: [entry(.refused, holder, detail: "inactive")])
        case .notForReview: SignInChanges(proof: proof, audit: [entry(.refused, holder, detail: "review")])
        case .deletionScheduled, .spent, .notInvited: nil
        }
    }

    private func entry(_ event: AuditEntry.Event, _ user: User, detail: String? = nil) -> AuditEntry {
        AuditEntry(event: event, subject: user.pseudonym, origin: origin, detail: detail)
    }
}

/// What a new user begins with.
struct Newcomer: Sendable {
    let id: UserID
    let pseudonym: Pseudonym
    let name: DisplayName?
}

/// What a sign-in attempt came to.
enum SignInOutcome: Sendable, Equatable {
    /// - isRepeat: the attestation came before, and nothing was changed now.
    case admitted(User, Resolution, isRepeat: Bool)
    case refused(SignInRefusal)
}

extension SignInRule {
    /// Decides on what is stored.
    func decide(_ proof: SignInProof, on facts: SignInFacts, now: Int64) -> SignInDecision {
        if let password = proof.password {
            // Another password, or another holder: what the old one proved is void, repeats included.
            guard let holder = facts.holder, holder.id == password.user, facts.passwordVersion == password.version
            else { return .refuse(.spent) }
        }
        // Repeats included.
        if facts.outdates(codeOf: proof.challengedAt) { return .refuse(.spent) }
        let decision = decide(
            earlier: facts.earlier, kind: proof.identity.kind, holder: facts.holder, claimant: facts.claimant, now: now)
        // Of a password's proof it is not always kept that it has served: the epoch tells one given before the deletion.
        if case .restore(let holder) = decision, let epoch = proof.password?.epoch, epoch < holder.epoch {
            return .refuse(.spent)
        }
        if proof.isForReview {
            return facts.earlier != nil || facts.isReviewers ? decision : .refuse(.notForReview)
        }
        return decision.makesUser && facts.invitation == nil && !isOpen(to: proof.identity.kind)
            ? .refuse(.notInvited) : decision
    }

    fileprivate func isOpen(to kind: ProvedIdentity.Kind) -> Bool {
        switch kind {
        case .phone: newUsers.phone == .open
        case .email: newUsers.email == .open
        case .apple: newUsers.apple == .open
        case .oidc: newUsers.oidc == .open
        }
    }
}

extension SignInFacts {
    /// Whether a code is from before a reset or a change of the holder's password; of the same second too, since nothing tells
    /// which was first.
    func outdates(codeOf challengedAt: Int64?) -> Bool {
        guard let challengedAt, let passwordChangedAt else { return false }
        return challengedAt <= passwordChangedAt
    }

    /// Whatever number an operator opens for reviewers: nobody else's account or invitation is behind it, and no rights.
    fileprivate var isReviewers: Bool {
        invitation == nil && holder.map { $0.isForReview && $0.role == User.defaultRole } ?? true
    }
}
