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
    /// Announces a passkey that may have been copied; `nil` if users get no notices.
    var notices: AccountNotices?
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
        // The number's next owner gets an account of their own, without the other's second factor.
        let admitted: User? =
            switch verdict {
            case .admit(let user): proof.second == nil ? user : nil
            case .refuse(.secondFactorRequired): facts.holder.flatMap { $0.deletion == nil ? $0 : nil }
            default: nil
            }
        guard let user = admitted, let identity = proof.identity, let recycled, recycled.applies(to: user, own)
        else { return try carryOut(verdict, facts, now) }
        guard recycled.beginsNewAccount else {
            let entry = AuditEntry(.refused, user, origin, detail: "second identity")
            return Verdict(.refused(.secondIdentityRequired), [.audit(entry)])
        }
        guard rule.isOpen(to: identity.kind) else { return Verdict(.refused(.notInvited)) }
        let (changes, endsSessions) = try recycled.losing(identity, user, own, origin, now)
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
        case .admit(let user): return try admit(user, facts, now, use(by: user, facts, now))
        case .restore(let user):
            let restored = user.restored(at: now)
            return try admit(
                restored, facts, now,
                [.audit(AuditEntry(.restored, user, origin)), .update(restored)] + use(by: user, facts, now),
                isRestored: true)
        case .refuse(let refusal):
            let user = facts.holder ?? facts.claimant?.user
            let told =
                refusal == .passkey(.counter)
                ? try user.map { try notices?.ofChange(.passkeyCounter, to: $0, now) ?? [] } : nil
            return Verdict(
                .refused(refusal), (user.flatMap { entry(refusal, $0) }.map { [.audit($0)] } ?? []) + (told ?? []))
        }
    }

    /// The changes that note the use of the identity or the passkey.
    private func use(by user: User, _ facts: UserFacts, _ now: Int64) -> [UserChange] {
        if let identity = proof.identity { return [.noteUse(identity, at: now)] }
        guard let passkey = proof.passkey, case .admitted(let stored, let isCopy) = passkey.judge(facts, now) else {
            return []
        }
        return passkey.use(stored, by: user, isCopy: isCopy, origin, now)
    }

    private func begin(
        _ facts: UserFacts, _ now: Int64, _ first: [UserChange] = [], dispossessed: UserID? = nil
    ) throws -> Verdict<Outcome> {
        guard let identity = proof.identity else { return Verdict(.refused(.used)) }
        let (user, changes) = try takeover(of: identity, by: newcomer, facts, origin, now)
        return try admit(
            user, facts, now, first + changes, isNew: user.id == newcomer.id, dispossessed: dispossessed)
    }

    private func admit(
        _ user: User, _ facts: UserFacts, _ now: Int64, _ changes: [UserChange], isNew: Bool = false,
        isRestored: Bool = false, dispossessed: UserID? = nil
    ) throws -> Verdict<Outcome> {
        let resolution = Resolution(userID: user.id, isNewUser: isNew, restored: isRestored)
        let exchange = try proof.code.flatMap { code -> UserChange? in
            guard let subject = proof.identity?.value else { return nil }
            return .tell(try seal.exchanging(code, of: subject, for: user.id), about: user.id, dueAt: now)
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
        case .passkey(.counter): AuditEntry(.passkeyCounter, user, origin, detail: "refused")
        case .invalidProof, .deletionScheduled, .used, .notInvited, .phoneChangePending,
            .secondIdentityRequired, .secondFactorRequired, .passkey:
            nil
        }
    }
}
