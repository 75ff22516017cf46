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
        let facts = try await store.signInFacts(proof.identity, proofID: proof.proofID, now: now)
        guard let holder = facts.holder else { return .answer(.init(.unknown)) }
        guard holder.isActive else { return .answer(.init(.inactive)) }
        // The code of a store's reviewers opens accounts that such codes have made, and deletes no other.
        guard proof.method != Attestation.reviewMethod || holder.isForReview else {
            return .answer(.init(.attestationRefused))
        }
        switch try await delete(holder.id, holding: proof.identity, by: proof.method, requestID: requestID) {
        case .scheduled(let dueAt): return .answer(.init(.scheduled, dueAt: dueAt))
        case .unconfirmed: return .unconfirmed
        case .unknown: return .answer(.init(.unknown))
        }
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
