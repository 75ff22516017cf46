import CryptoPrimitives
import InternalAPI
import WebAuthn

/// Turns an assertion into a proof that `resolve` accepts. Nothing is stored but a record of a refusal.
struct ProvePasskey: Sendable {
    let rules: PasskeyRules
    let store: any UserStore
    let tags: CallTags
    let proofKeys: KeyRing
    let audit: RefusedTokenAudit
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// An assertion that was verified, with the facts that were read for it.
    struct Verified: Sendable {
        let challenge: PasskeyChallenge
        let shown: ShownPasskey
        let stored: StoredPasskey
    }

    /// Signs a user in. All failures look the same.
    func callAsFunction(_ request: PasskeyProofRequest, requestID: String?) async throws -> IdentityTokenAnswer {
        guard let verified = try await verified(request.passkey, for: .signIn, requestID: requestID) else {
            return IdentityTokenAnswer(.refused)
        }
        let proof = OwnProof(
            self.proof(verified, by: PasskeyOperations.prove.path, request.passkey, callID: request.callID),
            method: verified.stored.method, now: now())
        return IdentityTokenAnswer(.proved, proof: try proof.sealed(with: proofKeys))
    }

    /// Returns the proof of a verified assertion, which serves one call.
    func proof(
        _ verified: Verified, by path: String, _ passkey: PresentedPasskey, callID: String
    ) -> SignInProof {
        let call = tags.tag(
            path, callID: callID,
            body: [passkey.challengeID, passkey.credential.id, passkey.credential.response.signature])
        return SignInProof(
            id: verified.challenge.proofID, expiresAt: verified.challenge.expiresAt, identity: nil,
            passkey: verified.shown, token: PresentedToken(call: call.bytes, issuedAt: verified.challenge.issuedAt),
            factors: verified.shown.factors)
    }

    /// Verifies an assertion, or returns `nil` if it breaks a rule, which is recorded at most once an hour for each reason.
    ///
    /// - Parameter matches: whether the challenge is bound to the caller.
    func verified(
        _ passkey: PresentedPasskey, for purpose: PasskeyChallenge.Purpose, requestID: String?,
        where matches: (PasskeyChallenge.Owner?) -> Bool = { $0 == nil }
    ) async throws -> Verified? {
        do {
            guard let challenge = rules.seal.open(passkey.challengeID, for: [purpose], now: now()),
                matches(challenge.owner)
            else { throw WebAuthnRefusal.challenge }
            return try await verify(passkey.credential, challenge)
        } catch let refusal as WebAuthnRefusal {
            try await audit.note(passkey: refusal.rawValue, requestID: requestID)
        } catch let refusal as PasskeyRefusal {
            try await audit.note(passkey: refusal.rawValue, requestID: requestID)
        }
        return nil
    }

    /// An unknown credential's signature is verified under a fixed key, so that its refusal takes as long as that of a known one.
    private func verify(_ credential: AssertionCredential, _ challenge: PasskeyChallenge) async throws -> Verified {
        let id = Base64URL.decode(credential.rawId) ?? []
        let question = UserQuestion(.passkey(StoredPasskey.key(ofCredential: id)), askedAt: now())
        let facts = try await store.facts(question)
        // A user who is known already may present any of their own passkeys, but no restore key, and no other user's.
        let stored = facts.passkey.flatMap { passkey in
            challenge.owner.map { $0.user == passkey.user && passkey.kind == .passkey } ?? true ? passkey : nil
        }
        let assertion = try rules.relyingParty.verify(
            credential, record: stored?.record ?? Self.unknownRecord(id), challenge: challenge.bytes,
            requiresUserHandle: challenge.owner == nil,
            requiresUserVerification: challenge.requiresUserVerification && stored?.kind != .restore)
        guard let stored, let user = facts.holder else { throw PasskeyRefusal.unknown }
        if let refusal = stored.refusal(for: user, now()) { throw refusal }
        let shown = ShownPasskey(key: stored.key, kind: stored.kind, assertion: assertion)
        return Verified(challenge: challenge, shown: shown, stored: stored)
    }

    /// A record with the base point of P-256 as its key. No credential has it: an assertion is refused even if it verifies.
    private static func unknownRecord(_ id: [UInt8]) -> CredentialRecord {
        CredentialRecord(
            id: id, userHandle: [], publicKey: unknownKey, aaguid: [], signCount: 0, isUserVerified: false,
            isBackupEligible: false, isBackedUp: false)
    }

    private static let unknownKey: [UInt8] =
        [0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]
        + (Hex.decode("6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296") ?? []) + [0x22, 0x58, 0x20]
        + (Hex.decode("4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5") ?? [])
}
