import CoreMetrics
import CryptoPrimitives
import InternalAPI
import Storage

/// Turns otp-service's statement about a proof into a grant for one session of its user (design section 4, step 2).
///
/// However often an attestation is resolved, it gives the same user, `isNewUser` and grant id.
struct ResolveAttestation: Sendable {
    static let grantLifetimeSeconds: Int64 = 60

    let store: any UserStore
    let rule: SignInRule
    let userIDPrefix: String
    let attributes: AttributeRules
    let attestationKeys: KeyRing
    let grantKeys: KeyRing
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// What a request came to.
    enum Result: Sendable, Equatable {
        case granted(ResolveAnswer)
        case attestationRefused(SealRefusal?)
        case invalidName
        case inactive
        case deletionScheduled
    }

    func callAsFunction(_ request: ResolveRequest, requestID: String?) async throws -> Result {
        let now = self.now()
        let attestation: Attestation
        do throws(SealRefusal) {
            attestation = try Attestation.open(request.attestation, with: attestationKeys, now: now)
        } catch {
            return .attestationRefused(error)
        }
        guard attestation.purpose == .signIn else { return .attestationRefused(nil) }
        guard let name = Self.name(request.name) else { return .invalidName }
        switch try await signIn(attempt(attestation, name, requestID), now) {
        case .admitted(let user, let resolution, let isRepeat):
            if resolution.isNewUser, !isRepeat { countSignUp(attestation.method) }
            return .granted(try answer(user, resolution, attestation, now: now))
        case .refused(.inactive): return .inactive
        case .refused(.deletionScheduled): return .deletionScheduled
        case .refused(.spent): return .attestationRefused(nil)
        }
    }

    /// Decides by what is stored, and again while another request was faster.
    private func signIn(_ attempt: SignInAttempt, _ now: Int64) async throws -> SignInOutcome {
        try await Decision.untilItHolds { () async throws -> SignInOutcome? in
            let facts = try await store.signInFacts(attempt.proof.identity, proofID: attempt.proof.id)
            let (outcome, changes) = try attempt.outcome(of: facts, by: rule, now: now)
            guard let changes else { return outcome }
            return try await store.apply(changes, on: facts, now: now) == .applied ? outcome : nil
        }
    }

    private func countSignUp(_ method: String) {
        Counter(label: "auth_signups_total", dimensions: [("method", method)]).increment()
    }

    /// No name, blank ones included, is fine; one that cannot stand is not.
    private static func name(_ typed: String?) -> DisplayName?? {
        guard let typed, typed.contains(where: { !$0.isWhitespace }) else { return .some(nil) }
        return DisplayName(typed).map { .some($0) }
    }

    private func attempt(_ attestation: Attestation, _ name: DisplayName?, _ requestID: String?) -> SignInAttempt {
        SignInAttempt(
            proof: SignInProof(
                id: attestation.proofID, expiresAt: attestation.expiresAt, identity: attestation.identity),
            origin: RequestOrigin(requestID: requestID, method: attestation.method),
            newcomer: Newcomer(id: .new(), pseudonym: .new(), name: name), userIDPrefix: userIDPrefix)
    }

    private func answer(
        _ user: User, _ resolution: Resolution, _ attestation: Attestation, now: Int64
    ) throws -> ResolveAnswer {
        let grant = Grant(
            id: GrantID.derived(fromProof: attestation.proofID), userID: user.id.text(prefix: userIDPrefix),
            epoch: user.epoch, claims: user.claims, method: attestation.method, isNewUser: resolution.isNewUser,
            expiresAt: now + Self.grantLifetimeSeconds)
        return ResolveAnswer(
            grant: try grant.sealed(with: grantKeys), isNewUser: resolution.isNewUser, restored: resolution.restored,
            user: user.details(idPrefix: userIDPrefix, attributes: attributes))
    }
}
