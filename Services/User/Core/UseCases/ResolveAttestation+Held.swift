import InternalAPI
import Policies

extension ResolveAttestation {
    /// Tells the person who verified an identity why a sign-in with it opens no session. The response has no addresses.
    func held(_ request: HeldSignInRequest) async throws -> HeldSignIn {
        let now = now()
        let (opened, rule): ((SignInProof, String)?, SignInRule)
        do throws(SealRefusal) { (opened, rule) = try openWithRule(request.attestation, now: now) } catch {
            return HeldSignIn()
        }
        guard let (proof, method) = opened else { return HeldSignIn() }
        if var ticket = try await ticket(proof, method, rule, now) {
            // The refusal may be that of a recycled number.
            ticket.methods = try await otherWays(proof, now)
            return ticket
        }
        if rule.cancelledRequest != nil { return HeldSignIn() }
        if let offer = try await offer(proof, method, now) {
            return HeldSignIn(restoreToken: try restores.seal(offer))
        }
        guard let identity = proof.identity, identity.kind == .phone, !proof.isForReview else { return HeldSignIn() }
        let facts = try await store.facts(UserQuestion(.identity(identity), askedAt: now))
        guard facts.holder != nil else { return HeldSignIn(movesAt: facts.pending.first?.movesAt) }
        return HeldSignIn(methods: try await otherWays(proof, now))
    }

    /// The other ways to sign in to the account with a phone number; `nil` if the policy does not ask for one.
    private func otherWays(_ proof: SignInProof, _ now: Int64) async throws -> [String]? {
        guard let recycled, let identity = proof.identity, identity.kind == .phone,
            let holder = try await store.facts(UserQuestion(.identity(identity), askedAt: now)).holder
        else { return nil }
        let own = try await store.facts(UserQuestion(.identities(holder.id), askedAt: now))
        let others = own.identities.map(\.identity).filter { $0 != identity }
        let passkey = own.hasPasskey(now) ? ["passkey"] : []
        return recycled.ways.methods(others, hasPassword: own.password != nil) + passkey
    }

    /// Returns the token for the second factor, or `nil` unless only that is missing.
    private func ticket(
        _ proof: SignInProof, _ method: String, _ rule: SignInRule, _ now: Int64
    ) async throws -> HeldSignIn? {
        guard rule.secondFactor != nil, let tickets else { return nil }
        let facts = try await store.facts(question(proof, now))
        guard let user = facts.holder, rule.decide(proof, on: facts, now: now) == .refuse(.secondFactorRequired)
        else { return nil }
        let own = try await store.facts(UserQuestion(.account(user.id), askedAt: now, readsSecondFactor: true))
        let factor = own.secondFactor ?? SecondFactor()
        let acceptsTOTP = factor.isOn(at: now) && factor.wrongCount < SecondFactorGuesses.totpMax
        let ticket = SecondFactorTicket(
            proof, method: method, of: user, deletionRequestedAt: rule.cancelledRequest, now: now)
        return HeldSignIn(
            mfaToken: try tickets.seal(ticket),
            factors: (acceptsTOTP ? [.totp] : []) + (factor.passkeyCount > 0 ? [.passkey] : [])
                + (factor.codesLeft > 0 && !factor.isWaiting(at: now) ? [.recovery] : []))
    }

    /// Offers to cancel the deletion of the account to which a proof leads, or returns `nil` unless the policy asks the person and a
    /// sign-in may cancel it.
    private func offer(_ proof: SignInProof, _ method: String, _ now: Int64) async throws -> RestoreOffer? {
        guard rule.onScheduledDeletion == .ask else { return nil }
        let facts = try await store.facts(question(proof, now))
        guard let requestedAt = facts.holder?.deletion?.requestedAt,
            case .restore = rule.cancelling(requestedAt: requestedAt).decide(proof, on: facts, now: now)
        else { return nil }
        return RestoreOffer(proof, method: method, deletionRequestedAt: requestedAt, now: now)
    }
}
