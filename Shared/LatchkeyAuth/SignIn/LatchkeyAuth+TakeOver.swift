/// Taking over the session of an earlier client.
extension LatchkeyAuth {
    /// Takes over a refresh token that the app has kept itself so far. Erase it once this returns, or throws an error that does not
    /// keep the session; after every other error call it again.
    ///
    /// The token is renewed. The key of that request derives from the token, so a repeat after a lost response, or after the end
    /// of the app, gets the same successor.
    ///
    /// - Returns: `nil` if a user is signed in. Nothing is taken over then.
    @discardableResult
    public func takeOver(_ refreshToken: String) async throws(AuthError) -> SignIn? {
        await engine.becomeFree()
        switch state {
        case .unavailable(let trouble): throw .storeUnavailable(trouble)
        case .signedIn: return nil
        case .starting, .signedOut: break
        }
        let proof = Self.key("take over \(refreshToken)")
        return try await signIns.once(proof) { () throws(AuthError) in
            let tokens = try await self.renewed(refreshToken, key: proof)
            let call = API.Call(method: .get, path: "/users/me", bearer: tokens.accessToken)
            guard let user = User(try await self.engine.api.send(call).success()) else { throw .notLatchkey }
            let signIn = SignIn(user: user, isNewUser: false, wasRestored: false)
            return try await self.begin(Opened(signIn: signIn, tokens: tokens), proof: proof)
        }
    }

    private func renewed(_ refreshToken: String, key: String) async throws(AuthError) -> Tokens {
        switch await engine.api.renew(refreshToken, key: key) {
        case .rotated(let tokens): return tokens
        case .ended(.inactive): throw .accountInactive
        case .ended(let reason): throw .signedOut(reason)
        // The successor is on its way to another process, which has it in the store soon.
        case .superseded: throw .unavailable(retryAfter: nil)
        case .failed(let error): throw error
        }
    }
}
