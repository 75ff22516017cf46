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

    /// - Throws: `ProviderKeys.Unavailable` while the provider's keys are unknown.
    func callAsFunction(_ request: IdentityTokenRequest, requestID: String?) async throws -> IdentityTokenAnswer {
        guard let provider = providers[request.provider] else { return IdentityTokenAnswer(.off) }
        let verified: VerifiedIdentity
        do {
            verified = try await verify(request, provider)
        } catch let rejection as IdentityTokenRejection {
            count(request.provider, rejection.rawValue)
            try await audit.note(rejection, provider: request.provider, requestID: requestID)
            return IdentityTokenAnswer(.refused)
        }
        count(request.provider, "proved")
        let call = tags.tag(
            IdentityOperations.prove.path, callID: request.callID,
            body: [request.provider, request.token, request.nonce ?? ""])
        let proof = IdentityProof(verified, call, code: code(request, verified), now: now())
        return IdentityTokenAnswer(.proved, proof: try proof.sealed(with: proofKeys))
    }

    /// The authorization code of a request, if Apple issued it and this deployment exchanges codes.
    private func code(_ request: IdentityTokenRequest, _ verified: VerifiedIdentity) -> AuthorizationCode? {
        guard exchangesCodes, request.provider == IdentityProviderPolicy.appleName else { return nil }
        return AuthorizationCode(
            request.authorizationCode, clientID: verified.audience, redirectURI: request.redirectURI)
    }

    private func verify(_ request: IdentityTokenRequest, _ provider: IdentityProvider) async throws -> VerifiedIdentity
    {
        let token = try IdentityToken(request.token)
        // Checked first, so that no key is fetched for a token with another algorithm.
        guard token.jws.header.algorithm.rawValue == provider.rule.provider.algorithm else {
            throw IdentityTokenRejection.wrongAlgorithm
        }
        let key = try await provider.keys.key(token.keyID)
        return try provider.rule.verify(token, key: key, nonce: request.nonce, now: now())
    }

    private func count(_ provider: String, _ result: String) {
        Counter(
            label: "auth_identity_tokens_total", dimensions: [("provider", provider), ("result", result)]
        ).increment()
    }
}
