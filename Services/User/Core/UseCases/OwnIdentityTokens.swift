import InternalAPI
import Policies

/// Tokens with which a signed-in user shows again who they are: identity tokens of Apple and OpenID Connect providers, also those that
/// a flow in a browser brought, and phone tokens.
///
/// A token serves once, here or for a sign-in. It counts from its issue on, and an old one is refused: it would show only that the
/// user was there then.
struct OwnIdentityTokens: Sendable {
    let prove: ProveIdentityToken
    /// `nil` if the policy has no sign-in in a browser.
    var redeem: RedeemSignInCode?
    /// `nil` if the policy has no phone tokens.
    var provePhone: ProvePhoneToken?
    let store: any UserStore
    let givenUp: GivenUpIdentities
    /// The age from which a token is refused, in seconds.
    let withinSeconds: Int64

    /// The outcome of presenting a token.
    private enum Presented {
        /// The sealed `OwnProof`; `nil` for a token that is refused.
        case judged(proof: String?)
        case unjudged(ReauthenticateAnswer)
    }

    /// - Parameters:
    ///   - user: the user whose identity the token has to verify.
    ///   - owner: the owner of the flow, if a flow in a browser brought the token.
    /// - Throws: `ProviderKeys.Unavailable` while the provider's keys are unknown; `WebSignInNotes.Failure` while Redis is away;
    ///   `ServiceUnavailable` without otp-service; `InvalidInput` for a short nonce; `StorageError`.
    func judge(
        _ request: ReauthenticateRequest, _ user: User, _ owner: FlowOwner, _ requestID: String?
    ) async throws -> Reauthenticate.Judgement {
        switch try await present(request, owner, requestID) {
        case .unjudged(let answer): return .unjudged(answer)
        case .judged(nil): return .wrong
        case .judged(let text?):
            let now = prove.now()
            let opened = try OwnProof.open(text, with: prove.proofKeys, now: now)
            let proof = opened.proof
            guard let token = proof.token, now - token.issuedAt < withinSeconds,
                try await use(proof, token, by: user, now: now)
            else { return .wrong }
            return .right(at: min(now, token.issuedAt), AuthenticationFactors(method: opened.method))
        }
    }

    private func present(
        _ request: ReauthenticateRequest, _ owner: FlowOwner, _ requestID: String?
    ) async throws -> Presented {
        if let token = request.phoneToken { return try await present(token, request, requestID) }
        let answer: IdentityTokenAnswer?
        if let verifier = request.verifier {
            let code = SignInCodeRequest(
                provider: request.provider ?? "", code: request.code ?? "", verifier: verifier, callID: request.callID)
            answer = try await redeem?(code, of: owner)
        } else {
            let token = IdentityTokenRequest(
                provider: request.provider ?? "", token: request.token ?? "", nonce: request.nonce,
                callID: request.callID)
            answer = try await prove(token, requestID: requestID)
        }
        guard let answer, answer.result != .off else { return .unjudged(ReauthenticateAnswer(.unknownProvider)) }
        return .judged(proof: answer.proof)
    }

    private func present(
        _ phoneToken: String, _ request: ReauthenticateRequest, _ requestID: String?
    ) async throws -> Presented {
        guard let provePhone else { throw InvalidInput(member: "phoneToken") }
        let token = PhoneTokenRequest(
            token: phoneToken, nonce: request.nonce, address: request.address, callID: request.callID)
        let answer = try await provePhone(token, requestID: requestID)
        guard answer.result != .tooManyAttempts else {
            return .unjudged(ReauthenticateAnswer(.rateLimited, retryAfterSeconds: answer.retryAfterSeconds))
        }
        return .judged(proof: answer.proof)
    }

    /// Uses the token, and returns whether it is the user's own and was not used by another call.
    private func use(
        _ proof: SignInProof, _ token: PresentedToken, by user: User, now: Int64
    ) async throws -> Bool {
        guard let identity = proof.identity else { return false }
        let question = UserQuestion(
            .identity(identity), proofID: proof.id, call: givenUp.tag(of: identity), askedAt: now)
        return try await store.decide(question) { facts, now in
            guard let holder = facts.holder, holder.id == user.id, !facts.refuses(token, now: now),
                !facts.isGivenUp(since: token), !facts.outdates(codeOf: proof.challengedAt)
            else { return Verdict(false) }
            guard facts.earlier == nil else { return Verdict(true) }
            return Verdict(
                true, [.resolve(proof, Resolution(userID: user.id, isNewUser: false, restored: false))])
        }
    }
}
