import EdgeHTTP

/// The request that `/oauth/introspect` and `/oauth/revoke` share: a client, and a token in a form.
enum ClientTokenForm {
    /// Reads the question to pass on, or the error to respond with.
    ///
    /// `token_type_hint` is only a hint, and not needed, since the kinds of token look different.
    static func read(_ request: ClientRequest) -> Result<ClientTokens.Question, OAuthError> {
        guard FormBody.isForm(request.head) else {
            return .failure(.invalidRequest("The Content-Type must be application/x-www-form-urlencoded"))
        }
        let form: FormBody
        do throws(FormBody.Refusal) { form = try FormBody(request.body) } catch {
            let isDuplicate = error == .duplicate
            return .failure(.invalidRequest(isDuplicate ? "A parameter is repeated" : "The body is not a valid form"))
        }
        switch ClientAuthentication(authorization: request.head.all("authorization"), form: form) {
        case .missing: return .failure(.invalidClient)
        case .twice: return .failure(.invalidRequest("The client authenticates in more than one way"))
        case .client(let client):
            guard let token = form["token"] else { return .failure(.invalidRequest("The parameter token is missing")) }
            return .success(ClientTokens.Question(clientID: client.id, clientSecret: client.secret, token: token))
        }
    }
}
