import InternalAPI

/// Merging the account that has an identity into the account of the session's user, who has verified it.
extension ChangeOwnIdentities {
    func merge(_ request: MergeRequest, _ caller: Caller, _ proofs: MergeProofs) async throws -> Outcome {
        let keepsOther = request.keepsOtherPhone == true
        let call = mergeCall(request, caller)
        return try await change(caller, call) { read in
            let rule = rule(of: caller, keepsOtherPhone: keepsOther)
            guard let pair = try await pair(request.mergeToken, read, caller) else {
                return AccountAnswer(.mergeRefused)
            }
            if let methods = rule.missingProof(of: pair.other, pair.offer) {
                guard let proof = request.proof else {
                    guard request.waits == true, try await mayWait(pair, caller) else {
                        return AccountAnswer(.mergeProofRequired, methods: methods)
                    }
                    return try await wait(rule, pair, read, call)
                }
                let refusal = try await proofs.refusal(of: proof, pair, caller, methods: methods)
                if let refusal { return refusal }
            }
            return try await decide(rule, pair.offer, read, pair.other, call)
        }
    }

    /// Sends a code for a further proof to the other account's phone number or email address.
    ///
    /// - Throws: `InvalidInput` for a merge token that merges nothing.
    func requestMergeCode(
        _ request: MergeCodeRequest, _ caller: Caller, _ proofs: MergeProofs
    ) async throws -> OperationOutcome<OTPRequestAnswer, IdentityChangeRefusal> {
        switch try await admit(caller, nil) {
        case .admitted(let read):
            guard let pair = try await pair(request.mergeToken, read, caller) else {
                throw InvalidInput("the merge token merges nothing", member: "mergeToken")
            }
            return .answer(try await proofs.requestCode(request.code, of: pair, requestID: caller.requestID))
        // A call without a tag is no repeat.
        case .repeated: return .refused(.invalidRequest)
        case .refused(let refusal): return .refused(refusal)
        }
    }

    /// The accounts that a token merges, or `nil` if it merges none.
    ///
    /// - Parameter read: the facts of the session's user.
    private func pair(_ token: String, _ read: UserFacts, _ caller: Caller) async throws -> MergeProofs.Pair? {
        guard let user = read.holder, let offer = merges.open(token, of: caller.user, now: act.now()) else {
            return nil
        }
        let other = try await act.facts(.identities(offer.other), nil)
        return AccountMerge.permits(offer, other, into: read)
            ? MergeProofs.Pair(user: user, other: other, offer: offer) : nil
    }

    private func rule(of caller: Caller, keepsOtherPhone: Bool) -> AccountMerge {
        AccountMerges(ways: ways, ends: ends, move: move, attributes: attributes, notices: notices)(
            of: caller.user.sessionID, caller.origin, keepsOtherPhone: keepsOtherPhone)
    }

    /// The tag of a call. A merge token starts one merge that waits, whichever calls present it: an objection must not be undone by
    /// another call.
    private func mergeCall(_ request: MergeRequest, _ caller: Caller) -> CallTag {
        let (path, proof) = (IdentityOperations.mergeOwn.path, request.proof)
        let merge = [request.mergeToken, "\(request.keepsOtherPhone == true)"]
        guard request.waits == true, proof == nil else {
            let proofs = [proof?.code, proof?.password, proof?.token, proof?.phoneToken].map { $0 ?? "" }
            return tag(path, request.callID, caller, merge + proofs)
        }
        return tag(path + " wait", "", caller, [request.mergeToken])
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
            guard IdentityState(facts[0]) == IdentityState(own), IdentityState(facts[1]) == IdentityState(other) else {
                return .refused(.changedMeanwhile)
            }
            guard AccountMerge.permits(offer, facts[1], into: facts[0]) else { return .refused(.mergeRefused) }
            return try rule.merge(facts[1], into: facts[0], Array(facts[2..<(2 + moving.count)]), now)
        }
    }
}
