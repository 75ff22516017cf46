import InternalAPI

/// Turns the code of a flow in a browser into a proof like that of an identity token.
struct RedeemSignInCode: Sendable {
    let web: WebSignIn
    let prove: ProveIdentityToken

    /// - Parameter owner: the signed-in user who presents the code, and the purpose; `nil` for a sign-in. The code of any other flow
    ///   is refused like an unknown one.
    /// - Throws: `WebSignInNotes.Failure` while Redis is away.
    func callAsFunction(_ request: SignInCodeRequest, of owner: FlowOwner? = nil) async throws -> IdentityTokenAnswer {
        guard request.provider.isEmpty || web.providers[request.provider] != nil else {
            return IdentityTokenAnswer(.off)
        }
        guard let code = web.seal.open(SignInCode.self, request.code, now: prove.now()),
            request.provider.isEmpty || code.provider == request.provider, web.providers[code.provider] != nil,
            code.owner == owner
        else { return IdentityTokenAnswer(.refused) }
        let isRight = code.fits(request.verifier)
        guard try await web.notes.admits(code, isRight: isRight), isRight else { return IdentityTokenAnswer(.refused) }
        let call = prove.tags.tag(
            IdentityOperations.redeem.path, callID: request.callID, body: [request.provider, request.code])
        return IdentityTokenAnswer(
            .proved, proof: try prove.proof(code.verified, call, code: code.authorization), name: code.name)
    }
}
