import InternalAPI

/// Merging the account that has an identity into the account of the session's user, who has verified it.
extension ChangeOwnIdentities {
    func merge(_ request: MergeRequest, _ caller: Caller) async throws -> Outcome {
        let keepsOther = request.keepsOtherPhone == true
        let call = tag(
            IdentityOperations.mergeOwn.path, request.callID, caller, [request.mergeToken, "\(keepsOther)"])
        return try await change(caller, call) { read in
            guard let offer = merges.open(request.mergeToken, of: caller.user, now: act.now()) else {
                return AccountAnswer(.mergeRefused)
            }
            let other = try await act.facts(.identities(offer.other), nil)
            let rule = rule(of: caller, keepsOtherPhone: keepsOther)
            guard rule.permits(offer, other, into: read) else { return AccountAnswer(.mergeRefused) }
            if let methods = rule.missingProof(of: other, offer) {
                return AccountAnswer(.mergeProofRequired, methods: methods)
            }
            return try await decide(rule, offer, read, other, call)
        }
    }

    private func rule(of caller: Caller, keepsOtherPhone: Bool) -> AccountMerge {
        AccountMerge(
            ways: ways, ends: ends, move: move, attributes: attributes, notices: notices,
            sessionID: caller.user.sessionID, origin: caller.origin, keepsOtherPhone: keepsOtherPhone)
    }

    /// Decides on the stored facts of both accounts, which are as they were at the start of the call.
    private func decide(
        _ rule: AccountMerge, _ offer: MergeOffer, _ own: UserFacts, _ other: UserFacts, _ call: CallTag
    ) async throws -> AccountAnswer {
        let now = act.now()
        let moving = rule.moving(other, to: own).map { UserQuestion.Subject.identity($0.identity) }
        let legacyIDs = [other.holder?.legacyID].compactMap { $0 }.map { UserQuestion.Subject.legacyID($0) }
        let questions =
            [UserQuestion(own.question.subject, call: call, askedAt: now)]
            + ([other.question.subject] + moving + legacyIDs).map { UserQuestion($0, askedAt: now) }
        return try await act(questions) { facts, now in
            guard facts[0].isUnchanged(since: own), facts[1].isUnchanged(since: other) else {
                return .refused(.changedMeanwhile)
            }
            guard rule.permits(offer, facts[1], into: facts[0]) else { return .refused(.mergeRefused) }
            return try rule.merge(facts[1], into: facts[0], Array(facts[2..<(2 + moving.count)]), now)
        }
    }
}

extension AccountMerge {
    /// Whether an offer still allows the merge.
    fileprivate func permits(_ offer: MergeOffer, _ other: UserFacts, into own: UserFacts) -> Bool {
        guard let user = own.holder, let lost = other.holder else { return false }
        return Self.allows(lost, into: user) && offer.holds(for: other)
    }
}

extension UserFacts {
    /// Whether an account has the same identities, password and epoch as when it was read before.
    fileprivate func isUnchanged(since read: UserFacts) -> Bool {
        holder?.epoch == read.holder?.epoch && password?.version == read.password?.version
            && identities.map(\.identity) == read.identities.map(\.identity)
    }
}
