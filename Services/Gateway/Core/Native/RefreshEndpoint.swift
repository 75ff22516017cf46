internal import AuthAPI
internal import EdgeHTTP
internal import InternalAPI

/// `POST /auth/refresh`: rotates the refresh token (howru section 3).
struct RefreshEndpoint: NativeEndpoint {
    let services: BackendServices

    func reply(to request: EndpointRequest) async throws(ServiceUnavailable) -> Reply {
        let asking: AskingBody<RefreshBody>
        switch ClientBody.decode(AskingBody<RefreshBody>.self, request.body) {
        case .success(let decoded): asking = decoded
        case .failure(let invalid): return invalid.reply
        }
        let key = ClientIdempotencyKey(request.head)
        guard key != .malformed else { return ClientIdempotencyKey.refusal }
        guard !asking.rights.isAny else {
            return NativeReply.invalidRequest("Rights and audience of a session cannot be changed")
        }
        let outcome = try await services.token.call(
            TokenOperations.refresh,
            RefreshRequest(
                refreshToken: asking.body.refreshToken, idempotencyKey: key.text, callID: CallID.random()),
            requestID: request.requestID)
        switch outcome {
        case .answer(let answer): return Self.reply(to: answer)
        case .refused(.idempotencyKeySpent, _): return ClientIdempotencyKey.spentRefusal
        case .refused(.invalidRequest, _): return NativeReply.invalidRequest("A member is not valid")
        }
    }

    /// Why a token is refused stays in the audit: whoever holds a stolen one learns nothing.
    private static func reply(to answer: RefreshAnswer) -> Reply {
        switch answer.result {
        case .rotated, .repeated:
            answer.tokens.map { NativeReply.ok(TokenReply($0)) } ?? NativeReply.unavailable()
        case .rateLimited: NativeReply.rateLimited(retryAfterSeconds: answer.retryAfterSeconds ?? 60)
        case .inactive: NativeReply.inactive()
        case .reused, .revoked, .expired, .unknown, .malformed:
            NativeReply.unauthorized(code: "invalid_refresh_token", "The refresh token is not valid, sign in again")
        }
    }
}
