import EdgeHTTP

/// The request that `/oauth/introspect` and `/oauth/revoke` have in common: a client, and a token in a form.
enum ClientTokenForm {
    private static let mediaType = "application/x-www-form-urlencoded"

    /// What is to be asked, or why the request cannot be passed on.
    ///
    /// `token_type_hint` is only a hint, and not needed: the kinds of token look different.
    static func read(_ request: EndpointRequest) -> Result<ClientTokens.Question, OAuthError> {
        guard isForm(request.head.text("content-type")) else {
            return .failure(.invalidRequest("The Content-Type must be \(mediaType)"))
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

    /// Whether the field names the media type, whatever its parameters.
    private static func isForm(_ contentType: String?) -> Bool {
        let name = contentType?.prefix { $0 != ";" && $0 != " " && $0 != "\t" }
        return name?.lowercased() == mediaType
    }
}
