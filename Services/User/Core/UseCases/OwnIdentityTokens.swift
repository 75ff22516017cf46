import InternalAPI
import Policies

/// Identity tokens of Apple and OpenID Connect providers with which a signed-in user shows again who they are.
///
/// A token serves once, here or for a sign-in. It counts from its issue on, and an old one is refused: it would show only that the
/// user was there then.
struct OwnIdentityTokens: Sendable {
    let prove: ProveIdentityToken
    let store: any UserStore
    let givenUp: GivenUpIdentities
    /// The age from which a token is refused, in seconds.
    let withinSeconds: Int64

    /// - Throws: `ProviderKeys.Unavailable` while the provider's keys are unknown; `InvalidInput` for a short nonce; `StorageError`.
    func judge(
        _ request: ReauthenticateRequest, _ user: User, _ requestID: String?
    ) async throws -> Reauthenticate.Judgement {
        guard let provider = request.provider.flatMap({ prove.providers[$0] }), let token = request.token else {
            return .unjudged(ReauthenticateAnswer(.unknownProvider))
        }
        try provider.rule.requireLength(ofNonce: request.nonce)
        let now = prove.now()
        guard
            let verified = try await prove.verified(token, nonce: request.nonce, by: provider, requestID: requestID),
            now - verified.issuedAt < withinSeconds, try await use(verified, of: request, by: user, now: now)
        else { return .wrong }
        return .right(at: min(now, verified.issuedAt))
    }

    /// Uses the token, and returns whether it is the user's own and was not used by another call.
    private func use(
        _ verified: VerifiedIdentityToken, of request: ReauthenticateRequest, by user: User, now: Int64
    ) async throws -> Bool {
        let call = prove.tags.tag(
            UserOperations.reauthenticate.path, callID: request.callID, caller: user.id,
            body: [request.provider ?? "", request.token ?? "", request.nonce ?? ""])
        let token = PresentedToken(call: call.bytes, issuedAt: verified.issuedAt)
        let proof = SignInProof(
            id: verified.proofID, expiresAt: verified.usableUntil, identity: verified.identity, token: token)
        let question = UserQuestion(
            .identity(verified.identity), proofID: proof.id, call: givenUp.tag(of: verified.identity), askedAt: now)
        return try await store.decide(question) { facts, now in
            guard let holder = facts.holder, holder.id == user.id, !facts.refuses(token, now: now),
                !facts.isGivenUp(since: token)
            else { return Verdict(false) }
            guard facts.earlier == nil else { return Verdict(true) }
            return Verdict(
                true, [.resolve(proof, Resolution(userID: user.id, isNewUser: false, restored: false))])
        }
    }
}
