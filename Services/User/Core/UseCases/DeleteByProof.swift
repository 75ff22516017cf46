import CryptoPrimitives
import InternalAPI

/// Schedules an account for deletion on request of a person who has verified its phone number or email address by a code for
/// this purpose.
struct DeleteByProof: Sendable {
    let store: any UserStore
    let delete: DeleteAccount
    let attestationKeys: KeyRing
    /// `nil` if the policy has no second factor.
    var secondFactor: SecondFactorRule?
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// - Throws: `Unconfirmed` if the deletion is scheduled, but the sessions may not be revoked yet; `StorageError`.
    func callAsFunction(_ request: DeleteByProofRequest, requestID: String?) async throws -> DeleteByProofAnswer {
        let now = self.now()
        guard let proof = proof(request.attestation, now: now) else { return DeleteByProofAnswer(.attestationRefused) }
        let origin = RequestOrigin(requestID: requestID, method: proof.method)
        let question = UserQuestion(
            .identity(proof.identity.canonical), askedAt: now, readsSecondFactor: secondFactor != nil)
        let (answer, user) = try await store.decide(question) { try decide(proof, $0, origin, $1) }
        if let user { try await delete.courier.confirmPending(about: user) }
        return answer
    }

    /// Decides on the response, and on the user whose deletion is scheduled.
    private func decide(
        _ proof: Attestation, _ facts: UserFacts, _ origin: RequestOrigin, _ now: Int64
    ) throws -> Verdict<(DeleteByProofAnswer, UserID?)> {
        let refused = { (result: DeleteByProofAnswer.Result) in Verdict((DeleteByProofAnswer(result), UserID?.none)) }
        guard let holder = facts.holder, holder.holds(proof.identity.canonical) else { return refused(.unknown) }
        let isReview = proof.method == Attestation.reviewMethod
        // The reviewers' account is not the owner's.
        if holder.isForReview, !isReview { return refused(.unknown) }
        guard holder.isActive else { return refused(.inactive) }
        // The code is one factor: its owner deletes the account in the app, or asks support.
        if secondFactor?.isNeeded(by: holder, facts.secondFactor, now: now) == true { return refused(.inactive) }
        // The person who has it may have taken the account over.
        guard !facts.isIdentityUnderReview else { return refused(.attestationRefused) }
        // The code for an app store's reviewers deletes only accounts that such a code has created.
        guard !isReview || holder.isForReview, !facts.outdates(codeOf: proof.challengedAt) else {
            return refused(.attestationRefused)
        }
        return try delete.schedule(holder, origin, now).map { (.init(.scheduled, dueAt: $0), holder.id) }
    }

    private func proof(_ text: String, now: Int64) -> Attestation? {
        do throws(SealRefusal) {
            let attestation = try Attestation.open(text, with: attestationKeys, now: now)
            return attestation.purpose == .deletion ? attestation : nil
        } catch {
            return nil
        }
    }
}

extension User {
    /// Whether a verified phone number or email address is the user's.
    fileprivate func holds(_ identity: VerifiedIdentity) -> Bool {
        switch identity.kind {
        case .phone: phone == identity.value
        case .email: email == identity.value
        case .apple, .oidc: false
        }
    }
}
