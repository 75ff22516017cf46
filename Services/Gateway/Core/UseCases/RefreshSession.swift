import InternalAPI

/// Rotates a refresh token.
struct RefreshSession: Sendable {
    let token, user: ServiceClient

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
            refreshToken: refreshToken, idempotencyKey: key, callID: CallID.random(), pageSecret: secret?.text,
            userAgent: call.userAgent)
        let tokens = try await token.settle(TokenOperations.refresh, request, for: call).tokens.orUnavailable()
        if tokens.isOtherDevice == true { await noteOtherDevice(tokens, call) }
        if let previous = tokens.previous { await endPrevious(previous, call) }
        return tokens
    }

    /// Has user-service end the session at the old server that this one continues. If it is not ended, it expires there.
    private func endPrevious(_ refreshToken: String, _ call: ClientCall) async {
        let session = PreviousSessionRequest(
            refreshToken: refreshToken, apiKey: call.apiKey, address: call.address)
        do throws(ServiceUnavailable) {
            _ = try await user.call(IdentityOperations.endPrevious, session, requestID: call.requestID)
        } catch {}
    }

    /// Has user-service record that another kind of device has the session. The refresh succeeds without it too: the next one tries
    /// again.
    private func noteOtherDevice(_ tokens: TokenSet, _ call: ClientCall) async {
        do throws(ServiceUnavailable) {
            _ = try await user.call(
                UserOperations.noteOtherDevice, NoBody(), accessToken: tokens.accessToken, requestID: call.requestID)
        } catch {}
    }
}
