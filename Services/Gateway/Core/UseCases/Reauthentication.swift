import AuthAPI
import InternalAPI

/// Shows again that the bearer is the user. user-service judges the proof, and token-service notes its time in the session.
struct Reauthentication: Sendable {
    let user: ServiceClient
    let token: ServiceClient
    let signedInUser: SignedInUser

    /// Sends a code to the user's own phone number or email address.
    ///
    /// - Parameters:
    ///   - dialect: the dialect in which only the code is valid; `nil` means native.
    ///   - locales: language tags, best first.
    func requestCode(
        _ body: ReauthenticationCodeBody, in dialect: String? = nil, locales: [String], _ call: ClientCall
    ) async throws(Refusal) {
        let operation = UserOperations.requestReauthenticationCode
        let request = ReauthenticationCodeRequest(
            channel: body.channel, dialect: dialect, locales: locales, appHash: body.appHash, address: call.address,
            callID: try id(operation.path, call))
        try await user.settle(operation, request, for: call)
    }

    /// Begins a flow in a browser, and returns the URL of the provider's page.
    func begin(_ start: WebSignInStart, _ call: ClientCall) async throws(Refusal) -> String {
        let own = OwnWebSignInStart(start, for: .reauthentication)
        return try await user.settle(IdentityOperations.beginOwn, own, for: call).location.orUnavailable()
    }

    func callAsFunction(
        _ body: ReauthenticationBody, passkey: PresentedPasskey?, in dialect: String? = nil, _ call: ClientCall
    ) async throws(Refusal) {
        let operation = UserOperations.reauthenticate
        let request = ReauthenticateRequest(
            code: body.code, channel: body.channel, password: body.password, provider: body.provider,
            token: body.identityToken, nonce: body.nonce, verifier: body.verifier, phoneToken: body.phoneToken,
            passkey: passkey, totp: body.totp, recoveryCode: body.recoveryCode, dialect: dialect,
            address: call.address,
            callID: try id(operation.path, call))
        let answer = try await user.settle(operation, request, for: call)
        let note = NoteAuthenticationRequest(statement: try answer.statement.orUnavailable())
        switch try await token.ask(TokenOperations.noteAuthentication, note, for: call) {
        case .answer: return
        case .refused(.attestationRefused, _): throw .reauthenticationFailed
        case .refused(let refusal, _): throw refusal.code.toClient
        }
    }

    private func id(_ path: String, _ call: ClientCall) throws(Refusal) -> String {
        try call.id(path, user: try signedInUser.admitted(call))
    }
}
