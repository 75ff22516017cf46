import InternalAPI

/// Judges a passkey of a user who is known already: one by which the user of a session shows again who they are, or one that is
/// their second factor.
///
/// The use is stored, so that an assertion serves one call.
struct StepUpByPasskey: Sendable {
    let prove: ProvePasskey
    let notices: AccountNotices

    /// Judges the passkey of a session's user. Its challenge is bound to the user, the epoch and the session.
    ///
    /// - Parameter user: the session's user, whose account may be used.
    func judge(
        _ passkey: PresentedPasskey, _ caller: SignedInUser, _ user: User, callID: String, requestID: String?
    ) async throws -> Reauthenticate.Judgement {
        let owner = PasskeyChallenge.Owner(user: user.id, epoch: user.epoch, sessionID: caller.sessionID)
        let origin = RequestOrigin(requestID: requestID, sessionID: caller.sessionID, method: "passkey")
        let proof = try await use(
            passkey, for: .stepUp, by: owner, UserOperations.reauthenticate.path, callID: callID, origin)
        guard let proof, let token = proof.token else { return .wrong }
        return .right(at: token.issuedAt, proof.factors ?? .pop, id: proof.id)
    }

    /// Uses a passkey, and returns its proof; `nil` if it is not the owner's, breaks a rule, or was used by another call.
    ///
    /// - Parameters:
    ///   - owner: what the challenge has to be bound to.
    ///   - path: the operation's path, which is a part of the call.
    func use(
        _ passkey: PresentedPasskey, for purpose: PasskeyChallenge.Purpose, by owner: PasskeyChallenge.Owner,
        _ path: String, callID: String, _ origin: RequestOrigin
    ) async throws -> SignInProof? {
        let verified = try await prove.verified(passkey, for: purpose, requestID: origin.requestID) { $0 == owner }
        guard let verified else { return nil }
        let proof = prove.proof(verified, by: path, passkey, callID: callID)
        return try await use(proof, verified.shown, by: owner, origin) ? proof : nil
    }

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
