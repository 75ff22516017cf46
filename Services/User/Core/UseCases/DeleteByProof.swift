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

    /// What is decided about a proof.
    private enum Verdict {
        case refused(DeleteByProofAnswer.Result)
        case allowed(DeleteAccount.Result, of: UserID)
    }

    func callAsFunction(_ request: DeleteByProofRequest, requestID: String?) async throws -> Result {
        let now = self.now()
        guard let proof = proof(request.attestation, now: now) else { return .answer(.init(.attestationRefused)) }
        let origin = RequestOrigin(requestID: requestID, method: proof.method)
        let question = UserQuestion(.identity(proof.identity.canonical), askedAt: now)
        switch try await store.decide(question, { try decide(proof, $0, origin, $1) }) {
        case .refused(let refusal): return .answer(.init(refusal))
        case .allowed(let result, let id):
            switch try await delete.confirmed(result, of: id) {
            case .scheduled(let dueAt): return .answer(.init(.scheduled, dueAt: dueAt))
            case .unconfirmed: return .unconfirmed
            case .unknown: return .answer(.init(.unknown))
            }
        }
    }

    private func decide(
        _ proof: Attestation, _ facts: UserFacts, _ origin: RequestOrigin, _ now: Int64
    ) throws -> Outcome<Verdict> {
        guard let holder = facts.holder, holder.holds(proof.identity.canonical) else {
            return Outcome(.refused(.unknown))
        }
        guard holder.isActive else { return Outcome(.refused(.inactive)) }
        // The code of a store's reviewers opens accounts that such codes have made, and deletes no other.
        let isForeign = proof.method == Attestation.reviewMethod && !holder.isForReview
        guard !isForeign, !facts.outdates(codeOf: proof.challengedAt) else {
            return Outcome(.refused(.attestationRefused))
        }
        return try delete.schedule(holder, origin, now).map { .allowed($0, of: holder.id) }
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
