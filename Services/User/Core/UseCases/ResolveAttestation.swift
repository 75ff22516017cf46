import CoreMetrics
import CryptoPrimitives
import InternalAPI
import Logging
import Storage

/// Turns a proof, such as otp-service's attestation, into a grant for one session of its user (design section 4, step 2).
///
/// However often an attestation is resolved, the user, `isNewUser` and the grant's id are the same.
struct ResolveAttestation: Sendable {
    let store: any UserStore
    let rule: SignInRule
    let grants: SessionGrants
    let attestationKeys: KeyRing
    /// The keys that seal user-service's own proofs.
    let proofKeys: KeyRing
    let restores: RestoreSeal
    /// Seals the codes that are exchanged after the sign-in, and delivers the end of the sessions of an account that its owner replaces.
    let courier: OutboxCourier
    let givenUp: GivenUpIdentities
    let phoneChanges: PhoneChanges
    /// `nil` if the policy has no `recycledNumbers.idleMonths`.
    let recycled: RecycledNumbers?
    var notices: AccountNotices?
    /// `nil` if the policy has `anomalies: off`.
    var watch: SignInWatch?
    /// `nil` if the policy has no second factor.
    var tickets: SecondFactorTicketSeal?
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    typealias Outcome = OperationOutcome<ResolveAnswer, ResolveRefusal>

    /// - Throws: `InvalidInput` for an invalid name; `StorageError`; `ServiceUnavailable` for a review code without otp-service;
    ///   `Unconfirmed` if the sign-in is stored, but the sessions that others had may not be revoked yet. A repeat gets the grant.
    func callAsFunction(_ request: ResolveRequest, requestID: String?, logger: Logger) async throws -> Outcome {
        let now = self.now()
        let (opened, rule): ((SignInProof, String)?, SignInRule)
        do throws(SealRefusal) { (opened, rule) = try openWithRule(request.attestation, now: now) } catch {
            return refused(.invalidProof(error), logger)
        }
        guard let (proof, method) = opened, try await isOpen(proof, requestID) else { return refused(.used, logger) }
        let name = try name(request.name, of: proof)
        let suspect = try await recycled?.suspect(
            proof, beginsNewAccount: request.newAccount == true, requestID, now: now)
        let attempt = SignInAttempt(
            proof: proof, origin: RequestOrigin(requestID: requestID, method: method),
            newcomer: .new(name: name?.text, isForReview: proof.isForReview), rule: rule,
            takeover: AccountTakeover(userIDPrefix: grants.userIDPrefix), seal: courier.seal, recycled: suspect,
            notices: notices, watch: watch, client: request.origin)
        switch try await decide(attempt, question(proof, now), now) {
        case .admitted(let user, let resolution, let isRepeat, let dispossessed, let isNewDevice):
            if resolution.isNewUser, !isRepeat { countSignUp(method) }
            if isNewDevice { SignInWatch.count(.signIn) }
            if let dispossessed { try await courier.confirmPending(about: dispossessed) }
            return .answer(
                try grants.answer(
                    user, resolution, proofID: proof.id, method: method, accessEndsAt: proof.reviewEndsAt,
                    factors: proof.factors, isNewDevice: isNewDevice, now: now))
        case .refused(let refusal):
            if case .phoneChangePending(let change) = refusal {
                try await phoneChanges.verify(change, attempt.origin)
            }
            return refused(refusal, logger)
        }
    }

    /// The query for the facts about the person who has a proof.
    func question(_ proof: SignInProof, _ now: Int64) -> UserQuestion {
        let subject = proof.identity.map { UserQuestion.Subject.identity($0) } ?? .passkey(proof.passkey?.key ?? [])
        let deletion = proof.token.flatMap { _ in proof.identity.map(givenUp.tag) }
        return UserQuestion(
            subject, proofID: proof.id, call: deletion, askedAt: now, readsOrigins: watch != nil,
            readsSecondFactor: rule.secondFactor != nil)
    }

    private func decide(
        _ attempt: SignInAttempt, _ question: UserQuestion, _ now: Int64
    ) async throws -> SignInAttempt.Outcome {
        guard let suspect = attempt.recycled else { return try await store.decide(question, attempt.decide) }
        let questions = [question, UserQuestion(.identities(suspect.holder), askedAt: now)]
        return try await store.decide(questions, now: now) { facts in
            guard facts.count == 2 else { throw StorageError(.other, "no facts") }
            return try attempt.decide(facts[0], own: facts[1], now)
        }
    }

    private func refused(_ refusal: SignInRefusal, _ logger: Logger) -> Outcome {
        if refusal.toCaller == .attestationRefused {
            let reason = if case .invalidProof(let reason) = refusal { reason.rawValue } else { "spent" }
            logger.notice("attestation.refused", metadata: ["reason": "\(reason)"])
        }
        return .refused(refusal.toCaller)
    }

    /// Whether the review access of a review code's proof is still open; `true` for any other proof. The operator may have ended it
    /// after the code was accepted.
    private func isOpen(_ proof: SignInProof, _ requestID: String?) async throws -> Bool {
        guard proof.isForReview else { return true }
        guard let challengedAt = proof.challengedAt, let identity = proof.identity, identity.kind == .phone
        else { return false }
        let question = ReviewProof(phone: identity.value, challengedAt: challengedAt)
        switch try await courier.otpService.call(OTPOperations.confirmReview, question, requestID: requestID) {
        case .answer(let standing): return standing.isOpen
        case .refused(.invalidRequest, _): return false
        }
    }

    private func name(_ typed: String?, of proof: SignInProof) throws(InvalidInput) -> DisplayName? {
        do { return try DisplayName.optional(typed) } catch {
            // A name from a provider may be invalid here. The user begins without a name then.
            guard proof.token != nil, proof.identity?.kind != .phone else { throw error }
            return nil
        }
    }

    /// Opens a sealed proof, or a restore token, and returns the rule for it too.
    func openWithRule(
        _ text: String, now: Int64
    ) throws(SealRefusal) -> (opened: (SignInProof, String)?, rule: SignInRule) {
        if SealedText.kind(of: text) == OwnProof.kind {
            let own = try OwnProof.open(text, with: proofKeys, now: now)
            return ((own.proof, own.method), own.deletionRequestedAt.map(rule.cancelling) ?? rule)
        }
        guard RestoreSeal.isToken(text) else { return (try open(text, now: now), rule) }
        let offer = try restores.open(text, now: now)
        return ((offer.proof, offer.method), rule.cancelling(requestedAt: offer.deletionRequestedAt))
    }

    /// Opens a sealed proof and returns it with its method, or returns `nil` if it is not valid for signing in.
    ///
    /// The stated kind only selects the keys: otp-service's open nothing but attestations, and user-service's its own proofs.
    func open(_ text: String, now: Int64) throws(SealRefusal) -> (SignInProof, String)? {
        if SealedText.kind(of: text) == OwnProof.kind {
            let own = try OwnProof.open(text, with: proofKeys, now: now)
            return (own.proof, own.method)
        }
        let attestation = try Attestation.open(text, with: attestationKeys, now: now)
        // otp-service is trusted only for phone numbers and email addresses.
        guard attestation.purpose == .signIn, [.phone, .email].contains(attestation.identity.kind),
            (attestation.method == Attestation.reviewMethod) == (attestation.accessEndsAt != nil)
        else { return nil }
        let proof = SignInProof(
            id: attestation.proofID, expiresAt: attestation.expiresAt, identity: attestation.identity.canonical,
            reviewEndsAt: attestation.accessEndsAt, challengedAt: attestation.challengedAt)
        return (proof, attestation.method)
    }

    private func countSignUp(_ method: String) {
        Counter(label: "auth_signups_total", dimensions: [("method", method)]).increment()
    }
}
