import InternalAPI

/// The rule when a used grant gets its response again: for the same request, soon, and before any other use of the session.
enum OpeningRule {
    /// - Returns: the first token of `session`, or `nil` if the request is another one or arrives too late.
    static func repeatedToken(
        _ session: SessionRecord, grantID: String, idempotencyKey: IdempotencyKey?, keys: RefreshTokenKeys, now: Int64
    ) -> RefreshToken? {
        guard let idempotencyKey, session.revokedFor == nil, session.generation == 0,
            now - session.createdAt <= IdempotencyKey.repeatSeconds, now < session.refreshExpiresAt
        else { return nil }
        return keys.first(
            locator: session.locator, grantID: grantID, idempotencyKey: idempotencyKey.text, hash: session.currentHash)
    }
}
