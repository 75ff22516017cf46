import InternalAPI

/// Judges a passkey by which the user of a session shows again who they are.
///
/// Its challenge is bound to the user, the epoch and the session. The use is stored, so that an assertion serves one call.
struct StepUpByPasskey: Sendable {
    let prove: ProvePasskey
    let notices: AccountNotices

    /// - Parameter caller: the session, whose user may be used.
    func judge(
        _ passkey: PresentedPasskey, _ caller: SignedInUser, _ user: User, callID: String, requestID: String?
    ) async throws -> Reauthenticate.Judgement {
        let owner = PasskeyChallenge.Owner(user: user.id, epoch: user.epoch, sessionID: caller.sessionID)
        let verified = try await prove.verified(passkey, for: .stepUp, requestID: requestID) { $0 == owner }
        guard let verified else { return .wrong }
        let proof = prove.proof(verified, by: UserOperations.reauthenticate.path, passkey, callID: callID)
        let origin = RequestOrigin(requestID: requestID, sessionID: caller.sessionID, method: "passkey")
        guard try await use(proof, verified.shown, by: owner, origin) else { return .wrong }
        return .right(at: verified.challenge.issuedAt, verified.shown.factors, id: proof.id)
    }

    /// Uses the passkey, and returns whether it is still the user's and was not used by another call.
    private func use(
        _ proof: SignInProof, _ shown: ShownPasskey, by owner: PasskeyChallenge.Owner, _ origin: RequestOrigin
    ) async throws -> Bool {
        let question = UserQuestion(.passkey(shown.key), proofID: proof.id, askedAt: prove.now())
        return try await prove.store.decide(question) { [notices] facts, now in
            guard let holder = facts.holder, let token = proof.token, holder.id == owner.user,
                holder.epoch == owner.epoch, !facts.isPasskeyUnderReview, !facts.refuses(token, now: now)
            else { return Verdict(false) }
            guard facts.earlier == nil else { return Verdict(true) }
            switch shown.judge(facts, now) {
            case .admitted(let stored, let isCopy):
                let resolution = Resolution(userID: holder.id, isNewUser: false, restored: false)
                return Verdict(
                    true,
                    shown.use(stored, by: holder, isCopy: isCopy, origin, now) + [.resolve(proof, resolution)])
            case .refused(.counter):
                let told = try notices.ofChange(.passkeyCounter, to: holder, now)
                return Verdict(
                    false, [.audit(AuditEntry(.passkeyCounter, holder, origin, detail: "refused"))] + told)
            case .refused: return Verdict(false)
            }
        }
    }
}
