import InternalAPI

/// Turns the code of a sign-in in a browser into a proof that `resolve` accepts, like an identity token.
struct RedeemSignInCode: Sendable {
    let web: WebSignIn
    let prove: ProveIdentityToken

    /// - Throws: `WebSignInNotes.Failure` while Redis is away.
    func callAsFunction(_ request: SignInCodeRequest) async throws -> IdentityTokenAnswer {
        guard web.providers[request.provider] != nil else { return IdentityTokenAnswer(.off) }
        guard let code = web.seal.open(SignInCode.self, request.code, now: prove.now()),
            code.provider == request.provider
        else { return IdentityTokenAnswer(.refused) }
        let isRight = code.fits(request.verifier)
        guard try await web.notes.admits(code, isRight: isRight), isRight else { return IdentityTokenAnswer(.refused) }
        let call = prove.tags.tag(
            IdentityOperations.redeem.path, callID: request.callID, body: [request.provider, request.code])
        return IdentityTokenAnswer(
            .proved, proof: try prove.proof(code.verified, call, code: code.authorization), name: code.name)
    }
}
