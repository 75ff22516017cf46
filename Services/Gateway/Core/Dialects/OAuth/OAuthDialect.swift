import AuthAPI
import EdgeHTTP

/// OAuth's endpoints for confidential clients: introspection (RFC 7662), revocation (RFC 7009), and the clients' own tokens
/// (RFC 6749 section 4.4). They are on in every policy.
struct OAuthDialect: Dialect {
    let name = "oauth"
    /// The document by which libraries find the keys; `nil` if no public URL is known.
    var metadata: ServerMetadata?

    // The edge lets these requests through, because token-service authenticates the client.
    var rows: [DialectRow] {
        [
            DialectRow(.post, "/oauth/introspect", .open, answer: Self.introspect)
                .documented(
                    .services, "Returns the state of a token (RFC 7662)", takes: Self.form,
                    .json(IntrospectionReply.self),
                    refusals: Refusal.clientTokens),
            DialectRow(.post, "/oauth/revoke", .open, answer: Self.revoke)
                .documented(
                    .services, "Revokes a token (RFC 7009)", takes: Self.form, .nothing, refusals: Refusal.clientTokens),
            DialectRow(.post, "/oauth/token", .open) { [metadata] request, useCases throws(Refusal) in
                try await Self.token(request, useCases, endpoint: metadata?.token_endpoint)
            }
            .documented(
                .services, "Returns a token for a back end or a job (RFC 6749 section 4.4)", takes: Self.tokenForm,
                .json(ClientTokenReply.self), refusals: Refusal.clientTokens),
        ] + (metadata.map { [$0.row] } ?? [])
    }

    private static let form = APIOperation.Content.form(
        ["token"], optional: ["token_type_hint", "client_id", "client_secret"])

    private static let tokenForm = APIOperation.Content.form(
        ["grant_type"], optional: ["client_id", "client_secret", "client_assertion_type", "client_assertion"])

    /// - Parameter endpoint: the URL of this row, which an assertion may have as its audience.
    private static func token(
        _ request: ClientRequest, _ useCases: UseCases, endpoint: String?
    ) async throws(Refusal) -> Reply {
        switch TokenForm.read(request) {
        case .failure(let fault): fault.reply
        case .success(let proof):
            // RFC 6749 section 5.1 requires both headers against caches.
            .json(
                try await useCases.tokenForClient(proof, endpoint: endpoint, ClientCall(request)),
                headers: [("Pragma", "no-cache")])
        }
    }

    @Sendable private static func introspect(
        _ request: ClientRequest, _ useCases: UseCases
    ) async throws(Refusal) -> Reply {
        switch ClientTokenForm.read(request) {
        case .failure(let fault): fault.reply
        case .success(let question): .json(try await useCases.clientTokens.introspect(question, ClientCall(request)))
        }
    }

    /// Revokes a token. The response states only that it is done (RFC 7009 section 2.2).
    @Sendable private static func revoke(
        _ request: ClientRequest, _ useCases: UseCases
    ) async throws(Refusal) -> Reply {
        switch ClientTokenForm.read(request) {
        case .failure(let fault): return fault.reply
        case .success(let question):
            try await useCases.clientTokens.revoke(question, ClientCall(request))
            return Reply(status: 200, headers: [("Cache-Control", "no-store")], body: [])
        }
    }

    /// Returns errors in the shape of RFC 6749 section 5.2. Refusals by the edge or the HTTP layer look as they do in the native
    /// API.
    func reply(to refusal: Refusal) -> Reply {
        switch refusal {
        case .clientRefused: OAuthError.invalidClient.reply
        case .invalidMember, .invalid: OAuthError.invalidRequest("The request is not valid").reply
        case .tooMany(_, let seconds): OAuthError.rateLimited(retryAfterSeconds: seconds).reply
        // The state of the token is unknown, or nothing was done: never 200 (RFC 7009 section 2.2.1).
        case .unavailable: OAuthError.unavailable.reply
        default: NativeDialect().reply(to: refusal)
        }
    }
}
