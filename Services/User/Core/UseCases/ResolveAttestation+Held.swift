import InternalAPI

extension ResolveAttestation {
    /// Tells the owner of a phone number why a sign-in with it opens no session. The response has no addresses.
    func held(_ request: HeldSignInRequest) async throws -> HeldSignIn {
        let now = now()
        let opened: (SignInProof, String)?
        do throws(SealRefusal) { opened = try open(request.attestation, now: now) } catch { return HeldSignIn() }
        guard let (proof, _) = opened, proof.identity.kind == .phone, !proof.isForReview else { return HeldSignIn() }
        let facts = try await store.facts(UserQuestion(.identity(proof.identity), askedAt: now))
        guard let holder = facts.holder else { return HeldSignIn(movesAt: facts.pending.first?.movesAt) }
        guard let recycled else { return HeldSignIn() }
        let own = try await store.facts(UserQuestion(.identities(holder.id), askedAt: now))
        let others = own.identities.map(\.identity).filter { $0 != proof.identity }
        return HeldSignIn(methods: recycled.ways.methods(others, hasPassword: own.password != nil))
    }
}
