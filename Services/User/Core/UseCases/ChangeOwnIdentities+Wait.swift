import CryptoPrimitives
import InternalAPI

/// Merges for which nothing more of the other account is verified: they wait, so that its user may object.
extension ChangeOwnIdentities {
    /// Whether a merge may wait in place of a further proof. The new owner of a recycled number could have it, and the former one would
    /// not be there to object.
    func mayWait(_ offer: MergeOffer) -> Bool {
        delaySeconds > 0 && !(recyclesNumbers && offer.identity.kind == .phone)
    }

    /// Starts a merge that waits, and tells the users of both accounts.
    ///
    /// - Parameters:
    ///   - rule: the merge of the call.
    ///   - read: the facts of the session's user at the start of the call.
    func wait(
        _ rule: AccountMerge, _ pair: MergeProofs.Pair, _ read: UserFacts, _ call: CallTag
    ) async throws -> AccountAnswer {
        let questions = [
            UserQuestion(read.question.subject, call: call, askedAt: act.now()),
            UserQuestion(pair.other.question.subject, askedAt: act.now()),
        ]
        return try await act(questions, keptSeconds: MergeOffer.lifetimeSeconds) { facts, now in
            guard IdentityState(facts[0]) == IdentityState(read), IdentityState(facts[1]) == IdentityState(pair.other)
            else {
                return .refused(.changedMeanwhile)
            }
            guard AccountMerge.permits(pair.offer, facts[1], into: facts[0]), let user = facts[0].holder,
                let other = facts[1].holder
            else { return .refused(.mergeRefused) }
            let content = WaitingMerge.Content(
                offer: pair.offer, keepsOtherPhone: rule.keepsOtherPhone, sessionID: rule.sessionID,
                own: IdentityState(facts[0]), other: IdentityState(facts[1]), legacyID: other.legacyID)
            return try start(content, user, other, rule.origin, now)
        }
    }

    private func start(
        _ content: WaitingMerge.Content, _ user: User, _ other: User, _ origin: RequestOrigin, _ now: Int64
    ) throws -> Verdict<AccountReply> {
        let change = PendingChange(
            id: UUIDText.random(), kind: .merge, user: user.id, other: other.id,
            sealed: try pending.seal(content, .merge, of: user.id), createdAt: now, movesAt: now + delaySeconds)
        let told = try [user, other].flatMap { user -> [UserChange] in
            [.audit(AuditEntry(.mergeBegun, user, origin))]
                + (try notices.ofMerge(to: user, at: now + delaySeconds, now))
        }
        let answer = AccountAnswer(.mergeWaits, movesAt: change.movesAt)
        // An earlier one would not happen any more after this one.
        return Verdict(
            AccountReply(answer: answer, user: user.id),
            [.endPending(of: user.id, .merge), .addPending(change)] + told)
    }
}

extension PendingMerge {
    /// The merge that the user may object to; `nil` if there is none.
    init?(_ facts: UserFacts) {
        let merges = facts.pending.filter { $0.kind == .merge }
        guard let change = merges.min(by: { ($0.movesAt ?? .max) < ($1.movesAt ?? .max) }), let time = change.movesAt
        else { return nil }
        self.init(movesAt: time, intoAnother: change.other == facts.holder?.id)
    }
}
