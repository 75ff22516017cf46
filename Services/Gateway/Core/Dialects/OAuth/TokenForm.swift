import EdgeHTTP
import InternalAPI

/// The request of `/oauth/token`: a form with the grant type and the client's proof.
enum TokenForm {
    private static let grantType = "client_credentials"
    private static let assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

    /// Reads the client's proof, or the error to respond with. Parameters that are unknown are ignored (RFC 6749 section 3.2).
    static func read(_ request: ClientRequest) -> Result<ClientProof, OAuthError> {
        do throws(OAuthError) {
            let form = try FormBody(oauth: request)
            guard let type = form["grant_type"] else {
                throw .invalidRequest("The parameter grant_type is missing")
            }
            guard type == grantType else { throw .unsupportedGrantType }
            let proof = try proof(request.head.all("authorization"), form)
            guard form["scope"] == nil else { throw .invalidScope }
            return .success(proof)
        } catch {
            return .failure(error)
        }
    }

    private static func proof(_ authorization: [[UInt8]], _ form: FormBody) throws(OAuthError) -> ClientProof {
        guard let assertion = form["client_assertion"] else { return try secret(authorization, form) }
        guard authorization.isEmpty, form["client_secret"] == nil else { throw .twice }
        guard form["client_assertion_type"] == assertionType else {
            throw .invalidRequest("The client_assertion_type is not \(assertionType)")
        }
        return ClientProof(clientID: form["client_id"], assertion: assertion)
    }

    private static func secret(_ authorization: [[UInt8]], _ form: FormBody) throws(OAuthError) -> ClientProof {
        switch ClientAuthentication(authorization: authorization, form: form) {
        case .missing: throw .invalidClient
        case .twice: throw .twice
        case .client(let client): return ClientProof(clientID: client.id, secret: client.secret)
        }
    }
}

extension OAuthError {
    static let twice = OAuthError.invalidRequest("The client authenticates in more than one way")
}

extension FormBody {
    /// Reads the form of a request to one of OAuth's endpoints.
    init(oauth request: ClientRequest) throws(OAuthError) {
        guard Self.isForm(request.head) else {
            throw .invalidRequest("The Content-Type must be application/x-www-form-urlencoded")
        }
        do throws(Refusal) { try self.init(request.body) } catch {
            throw .invalidRequest(error == .duplicate ? "A parameter is repeated" : "The body is not a valid form")
        }
    }
}
