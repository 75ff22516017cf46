import InternalAPI

/// Exchanges a refresh token of the Supabase project that the deployment replaces for a session (`dialects[].previous`).
///
/// token-service knows the tokens that have opened a session, so that a repeat, a second tab or a call after a crash gets the same
/// one. user-service presents every other token to the old server.
struct ExchangePrevious: Sendable {
    let services: BackendServices

    /// Returns the session's tokens, or `nil` if the token has not the shape of an old one, which is then for `RefreshSession`.
    ///
    /// - Throws: `.unavailable` if the old server does not respond as it should or the user is not imported yet, so that no user is
    ///   signed out; `.refreshTokenInvalid` if it refuses the token or `until` is over.
    func callAsFunction(_ text: String, dialect: String, _ call: ClientCall) async throws(Refusal) -> TokenSet? {
        guard let previous = PreviousToken(text) else { return nil }
        if let tokens = try await opened(by: text, dialect, call) { return tokens }
        let request = PreviousSessionRequest(refreshToken: text, apiKey: call.apiKey, address: call.address)
        let proved = try await services.user.answer(IdentityOperations.provePrevious, request, for: call)
        // Another call may have used the token at the old server a moment before. Then its session is the answer here too.
        if proved.result == .refused, let tokens = try await opened(by: text, dialect, call) { return tokens }
        if let refusal = proved.refusal { throw refusal }
        let issue = IssueRequest(
            grant: try proved.grant.orUnavailable(), dialect: dialect, idempotencyKey: previous.idempotencyKey,
            userAgent: call.userAgent, address: call.address)
        switch try await services.token.ask(TokenOperations.issue, issue, for: call) {
        case .answer(let tokens): return tokens
        // Another call has opened the session, and its client has refreshed since.
        case .refused(.grantRefused, _): throw .refreshTokenInvalid(.reused, .superseded)
        case .refused(.grantStale, _), .refused(.invalidRequest, _): throw .unavailable
        }
    }

    /// Returns the tokens of the session that the token has opened before, or `nil` if it has opened none.
    private func opened(by text: String, _ dialect: String, _ call: ClientCall) async throws(Refusal) -> TokenSet? {
        let known = try await services.token.answer(
            TokenOperations.repeatPrevious, PreviousRepeatRequest(refreshToken: text, dialect: dialect), for: call)
        guard known.result != .unknown else { return nil }
        if let refusal = known.refusal { throw refusal }
        return try known.tokens.orUnavailable()
    }
}
