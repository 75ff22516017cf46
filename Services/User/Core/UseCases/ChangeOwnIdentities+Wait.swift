import CryptoPrimitives
import InternalAPI

/// Merges for which nothing more of the other account is verified: they wait, so that its user may object.
extension ChangeOwnIdentities {
    /// Whether a merge may wait in place of a further proof. The new owner of a recycled number could have it, and the former one would
    /// not be there to object. A wait protects only a user who learns of it.
    ///
    /// - Throws: `ServiceUnavailable` if token-service does not respond.
    func mayWait(_ pair: MergeProofs.Pair, _ caller: Caller) async throws -> Bool {
        guard delaySeconds > 0, !(recyclesNumbers && pair.offer.identity.kind == .phone), let other = pair.other.holder
        else { return false }
        // A notice to what the user has verified reaches only the user.
        if notices.recipients(of: other).contains(where: { $0 != pair.offer.identity }) { return true }
        let sessions = try await recent.tokenService.call(
            TokenOperations.sessionCounts, SessionCountsRequest(userIDs: [other.id.text(prefix: move.userIDPrefix)]),
            requestID: caller.requestID)
        guard case .answer(let live) = sessions else {
            throw ServiceUnavailable(service: "token", reason: "it refused the query")
        }
        return live.counts.contains { $0 > 0 }
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
            return try start(content, user, other, facts[0].pending, rule.origin, now)
        }
    }

    /// - Parameter pending: the changes of the session's user that wait already.
    private func start(
        _ content: WaitingMerge.Content, _ user: User, _ other: User, _ pending: [PendingChange],
        _ origin: RequestOrigin, _ now: Int64
    ) throws -> Verdict<AccountReply> {
        let change = PendingChange(
            id: UUIDText.random(), kind: .merge, user: user.id, other: other.id,
            sealed: try self.pending.seal(content, .merge, of: user.id), createdAt: now, movesAt: now + delaySeconds)
        let told = try [user, other].flatMap { user -> [UserChange] in
            [.audit(AuditEntry(.mergeBegun, user, origin))]
                + (try notices.ofMerge(to: user, at: now + delaySeconds, now))
        }
        let answer = AccountAnswer(.mergeWaits, movesAt: change.movesAt)
        // An earlier one of this user would not happen any more after this one.
        let earlier = pending.filter { $0.kind == .merge && $0.user == user.id }
        let ended = earlier.flatMap { earlier -> [UserChange] in
            [.endPendingChange(earlier), .audit(AuditEntry(.mergeEnded, user, origin, detail: "replaced"))]
        }
        return Verdict(AccountReply(answer: answer, user: user.id), ended + [.addPending(change)] + told)
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
