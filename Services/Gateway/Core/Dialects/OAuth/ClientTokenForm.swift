import EdgeHTTP

/// The request that `/oauth/introspect` and `/oauth/revoke` share: a client, and a token in a form.
enum ClientTokenForm {
    /// Reads the question to pass on, or the error to respond with.
    ///
    /// `token_type_hint` is only a hint, and not needed, since the kinds of token look different.
    static func read(_ request: ClientRequest) -> Result<ClientTokens.Question, OAuthError> {
        let form: FormBody
        do throws(OAuthError) { form = try FormBody(oauth: request) } catch { return .failure(error) }
        switch ClientAuthentication(authorization: request.head.all("authorization"), form: form) {
        case .missing: return .failure(.invalidClient)
        case .twice: return .failure(.twice)
        case .client(let client):
            guard let token = form["token"] else { return .failure(.invalidRequest("The parameter token is missing")) }
            return .success(ClientTokens.Question(clientID: client.id, clientSecret: client.secret, token: token))
        }
    }
}
