import EdgeHTTP

/// What confidential clients ask over OAuth's endpoints: introspection (RFC 7662) and revocation (RFC 7009); on in every
/// policy.
struct OAuthDialect: Dialect {
    let name = "oauth"
    // Open to the edge: the client authenticates itself to token-service.
    let rows: [DialectRow] = [
        DialectRow(.post, "/oauth/introspect", .open, answer: introspect),
        DialectRow(.post, "/oauth/revoke", .open, answer: revoke),
    ]

    @Sendable private static func introspect(
        _ request: EndpointRequest, _ useCases: UseCases
    ) async throws(Refusal) -> Reply {
        switch ClientTokenForm.read(request) {
        case .failure(let fault): fault.reply
        case .success(let question): .json(try await useCases.clientTokens.introspect(question, ClientCall(request)))
        }
    }

    /// The answer says nothing but that it is done (RFC 7009 section 2.2).
    @Sendable private static func revoke(
        _ request: EndpointRequest, _ useCases: UseCases
    ) async throws(Refusal) -> Reply {
        switch ClientTokenForm.read(request) {
        case .failure(let fault): return fault.reply
        case .success(let question):
            try await useCases.clientTokens.revoke(question, ClientCall(request))
            return Reply(status: 200, headers: [("Cache-Control", "no-store")], body: [])
        }
    }

    /// Errors in the shape of RFC 6749 section 5.2; what the edge or HTTP refuses looks as it does in the native API.
    func reply(to refusal: Refusal) -> Reply {
        switch refusal {
        case .clientRefused: OAuthError.invalidClient.reply
        case .invalidMember, .invalid: OAuthError.invalidRequest("The request is not valid").reply
        case .tooMany(let seconds): OAuthError.rateLimited(retryAfterSeconds: seconds).reply
        // Nothing is known of the token, or nothing was done: never 200 (RFC 7009 section 2.2.1).
        case .unavailable: OAuthError.unavailable.reply
        default: NativeDialect().reply(to: refusal)
        }
    }
}
