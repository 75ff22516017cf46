internal import EdgeHTTP
internal import InternalAPI

/// The request that `/oauth/introspect` and `/oauth/revoke` have in common: a client, and a token in a form.
enum ClientTokenForm {
    private static let mediaType = "application/x-www-form-urlencoded"

    /// What is to be asked of token-service, or the answer to a request that cannot be passed on.
    ///
    /// `token_type_hint` is only a hint, and not needed: the kinds of token look different.
    static func read(_ request: EndpointRequest) -> Result<ClientTokenRequest, InvalidBody> {
        guard isForm(request.head.text("content-type")) else {
            return refused(OAuthReply.invalidRequest("The Content-Type must be \(mediaType)"))
        }
        let form: FormBody
        do throws(FormBody.Refusal) { form = try FormBody(request.body) } catch {
            let isDuplicate = error == .duplicate
            return refused(
                OAuthReply.invalidRequest(isDuplicate ? "A parameter is repeated" : "The body is not a valid form"))
        }
        switch ClientAuthentication(authorization: request.head.all("authorization"), form: form) {
        case .missing: return refused(OAuthReply.invalidClient)
        case .twice: return refused(OAuthReply.invalidRequest("The client authenticates in more than one way"))
        case .client(let client):
            guard let token = form["token"] else {
                return refused(OAuthReply.invalidRequest("The parameter token is missing"))
            }
            return .success(
                ClientTokenRequest(
                    clientID: client.id, clientSecret: client.secret, token: token, address: request.clientAddress))
        }
    }

    private static func refused(_ reply: Reply) -> Result<ClientTokenRequest, InvalidBody> {
        .failure(InvalidBody(reply: reply))
    }

    /// Whether the field names the media type, whatever its parameters.
    private static func isForm(_ contentType: String?) -> Bool {
        let name = contentType?.prefix { $0 != ";" && $0 != " " && $0 != "\t" }
        return name?.lowercased() == mediaType
    }
}
