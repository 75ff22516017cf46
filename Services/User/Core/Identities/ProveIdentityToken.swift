import AccessTokens
import CoreMetrics
import CryptoPrimitives
import InternalAPI
import Policies

/// Turns an identity token into a proof that `resolve` accepts. Nothing is stored yet.
struct ProveIdentityToken: Sendable {
    /// The policy's providers, by name.
    let providers: [String: IdentityProvider]
    let tags: CallTags
    let proofKeys: KeyRing
    let audit: RefusedTokenAudit
    /// Whether the deployment has the key with which Apple's authorization codes are exchanged.
    let exchangesCodes: Bool
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// - Throws: `ProviderKeys.Unavailable` while the provider's keys are unknown; `InvalidInput` for a short nonce.
    func callAsFunction(_ request: IdentityTokenRequest, requestID: String?) async throws -> IdentityTokenAnswer {
        guard let provider = providers[request.provider] else { return IdentityTokenAnswer(.off) }
        try provider.rule.requireLength(ofNonce: request.nonce)
        guard
            let verified = try await verified(request.token, nonce: request.nonce, by: provider, requestID: requestID)
        else { return IdentityTokenAnswer(.refused) }
        let call = tags.tag(
            IdentityOperations.prove.path, callID: request.callID,
            body: [request.provider, request.token, request.nonce ?? ""])
        return IdentityTokenAnswer(.proved, proof: try proof(verified, call, code: code(request, verified)))
    }

    /// The authorization code of a request, if Apple issued it.
    private func code(_ request: IdentityTokenRequest, _ verified: VerifiedIdentityToken) -> AuthorizationCode? {
        guard request.provider == IdentityProviderPolicy.appleName else { return nil }
        return AuthorizationCode(request.authorizationCode, clientID: verified.audience)
    }

    /// Returns the identity that a token verifies, or `nil` if the token breaks a rule, which is audited.
    ///
    /// - Throws: `ProviderKeys.Unavailable` while the provider's keys are unknown.
    func verified(
        _ token: String, nonce: String?, by provider: IdentityProvider, requestID: String?
    ) async throws -> VerifiedIdentityToken? {
        let name = provider.rule.provider.name
        do {
            let verified = try await verify(token, nonce, provider)
            count(name, "proved")
            return verified
        } catch let rejection as IdentityTokenRejection {
            count(name, rejection.rawValue)
            try await audit.note(rejection, provider: name, requestID: requestID)
            return nil
        }
    }

    /// Seals the proof that an identity was verified for a call.
    ///
    /// - Parameter code: Apple's authorization code, which is exchanged after the sign-in if the deployment exchanges codes; `nil` if
    ///   there is none.
    func proof(_ verified: VerifiedIdentityToken, _ call: CallTag, code: AuthorizationCode? = nil) throws -> String {
        let proof = OwnProof(verified, call, code: exchangesCodes ? code : nil, now: now())
        return try proof.sealed(with: proofKeys)
    }

    private func verify(
        _ text: String, _ nonce: String?, _ provider: IdentityProvider
    ) async throws -> VerifiedIdentityToken {
        let token = try IdentityToken(text)
        // Checked first, so that no key is fetched for a token with another algorithm.
        guard token.jws.header.algorithm.rawValue == provider.rule.provider.algorithm else {
            throw IdentityTokenRejection.wrongAlgorithm
        }
        // Another issuer's token is refused, whether its key is known or not.
        guard provider.rule.isIssuer(try token.statedIssuer()) else { throw IdentityTokenRejection.wrongIssuer }
        return try await provider.keys.judging(token.keyID) { key throws(IdentityTokenRejection) in
            try provider.rule.verify(token, key: key, nonce: nonce, now: now())
        }
    }

    private func count(_ provider: String, _ result: String) {
        Counter(
            label: "auth_identity_tokens_total", dimensions: [("provider", provider), ("result", result)]
        ).increment()
    }
}
