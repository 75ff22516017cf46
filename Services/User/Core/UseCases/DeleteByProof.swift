import CryptoPrimitives
import InternalAPI

/// Schedules an account for deletion on request of a person who has proved, by a code for this purpose, that they hold its
/// phone number or email address.
struct DeleteByProof: Sendable {
    let store: any UserStore
    let delete: DeleteAccount
    let attestationKeys: KeyRing
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// The result of a request.
    enum Result: Sendable, Equatable {
        case answer(DeleteByProofAnswer)
        /// The deletion is scheduled; token-service has not confirmed that the sessions are over.
        case unconfirmed
    }

    func callAsFunction(_ request: DeleteByProofRequest, requestID: String?) async throws -> Result {
        let now = self.now()
        guard let proof = proof(request.attestation, now: now) else { return .answer(.init(.attestationRefused)) }
        let facts = try await self.facts(proof, now)
        if let refusal = refusal(of: proof, by: facts) { return .answer(refusal) }
        guard let holder = facts.holder else { return .answer(.init(.unknown)) }
        let result = try await delete(holder.id, by: proof.method, requestID: requestID) {
            let facts = try await self.facts(proof, now)
            return refusal(of: proof, by: facts) == nil && facts.holder?.id == holder.id ? facts.holder : nil
        }
        switch result {
        case .scheduled(let dueAt): return .answer(.init(.scheduled, dueAt: dueAt))
        case .unconfirmed: return .unconfirmed
        // Something has changed meanwhile.
        case .unknown: return .answer(refusal(of: proof, by: try await self.facts(proof, now)) ?? .init(.unknown))
        }
    }

    private func facts(_ proof: Attestation, _ now: Int64) async throws -> SignInFacts {
        try await store.signInFacts(proof.identity.canonical, proofID: proof.proofID, now: now)
    }

    /// Returns why a proof deletes nothing; nil: its holder's account may be deleted.
    private func refusal(of proof: Attestation, by facts: SignInFacts) -> DeleteByProofAnswer? {
        guard let holder = facts.holder, holder.holds(proof.identity.canonical) else { return .init(.unknown) }
        guard holder.isActive else { return .init(.inactive) }
        // The code of a store's reviewers opens accounts that such codes have made, and deletes no other.
        let isForeign = proof.method == Attestation.reviewMethod && !holder.isForReview
        return isForeign || facts.outdates(codeOf: proof.challengedAt) ? .init(.attestationRefused) : nil
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
    /// Whether a proved phone number or email address is the user's.
    fileprivate func holds(_ identity: ProvedIdentity) -> Bool {
        switch identity.kind {
        case .phone: phone == identity.value
        case .email: email == identity.value
        case .apple, .oidc: false
        }
    }
}
