import InternalAPI

/// Rotates a refresh token.
struct RefreshSession: Sendable {
    private static let limitSeconds: Int64 = 60

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
        switch try await token.ask(TokenOperations.refresh, request, for: call) {
        case .answer(let answer): return try Self.tokens(in: answer)
        case .refused(.idempotencyKeySpent, _): throw .spentIdempotencyKey
        case .refused(.invalidRequest, _): throw .invalidMember
        }
    }

    private static func tokens(in answer: RefreshAnswer) throws(Refusal) -> TokenSet {
        switch answer.result {
        case .rotated, .repeated:
            guard let tokens = answer.tokens else { throw .unavailable }
            return tokens
        case .rateLimited: throw .tooMany(retryAfterSeconds: answer.retryAfterSeconds ?? limitSeconds)
        case .inactive: throw .accountInactive
        case .reused, .revoked, .expired, .unknown, .malformed:
            throw .refreshTokenInvalid(answer.result, answer.reason)
        }
    }
}
