import InternalAPI
import Policies

/// A sign-in with a verified identity, and the user that it creates if the identity has no holder.
struct SignInAttempt: Sendable {
    let proof: SignInProof
    let origin: RequestOrigin
    let newcomer: Newcomer
    let rule: SignInRule
    let takeover: AccountTakeover
    let seal: OutboxSeal
    /// The rule for the phone number; `nil` if its user was there recently.
    var recycled: RecycledNumber?
    /// Records the client; `nil` if the policy has `anomalies: off`.
    var watch: SignInWatch?
    var client: SignInOrigin?

    /// The outcome of an attempt.
    enum Outcome: Sendable, Equatable {
        /// The identity leads to a user.
        /// - isRepeat: whether the proof was resolved before, so that nothing was changed now.
        /// - dispossessed: the account whose sessions end, because a person without the right to the identity had them.
        /// - isNewDevice: whether the user has not signed in from this device or this network before.
        case admitted(
            User, Resolution, isRepeat: Bool, dispossessed: UserID? = nil, isNewDevice: Bool = false)
        case refused(SignInRefusal)
    }

    /// Decides on the stored facts.
    ///
    /// - Parameter now: Unix time in seconds.
    func decide(_ facts: UserFacts, _ now: Int64) throws -> Verdict<Outcome> {
        try carryOut(rule.decide(proof, on: facts, now: now), facts, now)
    }

    /// - Parameter own: the facts of the number's user, with all identities.
    func decide(_ facts: UserFacts, own: UserFacts, _ now: Int64) throws -> Verdict<Outcome> {
        let verdict = rule.decide(proof, on: facts, now: now)
        guard case .admit(let user) = verdict, let recycled, recycled.applies(to: user, own) else {
            return try carryOut(verdict, facts, now)
        }
        guard recycled.beginsNewAccount else {
            let entry = AuditEntry(.refused, user, origin, detail: "second identity")
            return Verdict(.refused(.secondIdentityRequired), [.audit(entry)])
        }
        guard rule.isOpen(to: proof.identity.kind) else { return Verdict(.refused(.notInvited)) }
        let (changes, endsSessions) = try recycled.losing(proof.identity, user, own, origin, now)
        var facts = facts
        facts.epoch = own.epoch
        return try begin(facts, now, changes, dispossessed: endsSessions ? user.id : nil)
    }

    private func carryOut(_ verdict: SignInVerdict, _ facts: UserFacts, _ now: Int64) throws -> Verdict<Outcome> {
        switch verdict {
        case .repeated(let resolution, let user): return Verdict(.admitted(user, resolution, isRepeat: true))
        case .create: return try begin(facts, now)
        case .takeOver: return try begin(facts, now, dispossessed: facts.claimant?.user.id)
        case .replace(let holder): return try begin(facts, now, [.audit(AuditEntry(.identityMoved, holder, origin))])
        case .succeed(let reviewers):
            let (ended, changes) = try takeover.ending(reviewers, origin, now)
            return try begin(facts, now, changes, dispossessed: ended)
        case .admit(let user): return try admit(user, facts, now, [.noteUse(proof.identity, at: now)])
        case .restore(let user):
            let restored = user.restored(at: now)
            return try admit(
                restored, facts, now,
                [.audit(AuditEntry(.restored, user, origin)), .update(restored), .noteUse(proof.identity, at: now)],
                isRestored: true)
        case .refuse(let refusal):
            let user = facts.holder ?? facts.claimant?.user
            return Verdict(.refused(refusal), user.flatMap { entry(refusal, $0) }.map { [.audit($0)] } ?? [])
        }
    }

    private func begin(
        _ facts: UserFacts, _ now: Int64, _ first: [UserChange] = [], dispossessed: UserID? = nil
    ) throws -> Verdict<Outcome> {
        let (user, changes) = try takeover(of: proof.identity, by: newcomer, facts, origin, now)
        return try admit(
            user, facts, now, first + changes, isNew: user.id == newcomer.id, dispossessed: dispossessed)
    }

    private func admit(
        _ user: User, _ facts: UserFacts, _ now: Int64, _ changes: [UserChange], isNew: Bool = false,
        isRestored: Bool = false, dispossessed: UserID? = nil
    ) throws -> Verdict<Outcome> {
        let resolution = Resolution(userID: user.id, isNewUser: isNew, restored: isRestored)
        let exchange = try proof.code.map { code -> UserChange in
            .tell(try seal.exchanging(code, of: proof.identity.value, for: user.id), about: user.id, dueAt: now)
        }
        // An app store's reviewers sign in from anywhere.
        let watched = proof.isForReview ? nil : try watch?.signIn(user, from: client, facts, origin, now)
        return Verdict(
            .admitted(
                user, resolution, isRepeat: false, dispossessed: dispossessed, isNewDevice: watched?.outcome ?? false),
            changes + [.resolve(proof, resolution)] + (exchange.map { [$0] } ?? []) + (watched?.changes ?? []))
    }

    /// The audit record of a refusal, or `nil` if the refusal is not recorded.
    private func entry(_ refusal: SignInRefusal, _ user: User) -> AuditEntry? {
        switch refusal {
        case .inactive: AuditEntry(.refused, user, origin, detail: "inactive")
        case .underReview: AuditEntry(.refused, user, origin, detail: "under review")
        case .notForReview: AuditEntry(.refused, user, origin, detail: "review")
        case .tokenUsed: AuditEntry(.refused, user, origin, detail: "identity token used")
        case .invalidProof, .deletionScheduled, .used, .notInvited, .phoneChangePending,
            .secondIdentityRequired:
            nil
        }
    }
}
