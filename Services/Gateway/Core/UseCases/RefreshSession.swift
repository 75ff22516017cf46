import InternalAPI

/// Rotates a refresh token.
struct RefreshSession: Sendable {
    let token: ServiceClient

    /// - Parameters:
    ///   - asksForRights: whether the client requests rights or an audience other than the session's, which do not grow
    ///     (security guide R-34).
    ///   - secret: the secret of the page whose cookie has the token; `nil` if it is not in a cookie. token-service makes the key of
    ///   such a refresh.
    func callAsFunction(
        _ refreshToken: String, asksForRights: Bool, secret: PageSecret? = nil, _ call: ClientCall
    ) async throws(Refusal) -> TokenSet {
        let key = secret == nil ? try call.idempotencyKey()?.text : nil
        guard !asksForRights else { throw .rightsAsked }
        let request = RefreshRequest(
            refreshToken: refreshToken, idempotencyKey: key, callID: CallID.random(), pageSecret: secret?.text)
        return try await token.settle(TokenOperations.refresh, request, for: call).tokens.orUnavailable()
    }
}
