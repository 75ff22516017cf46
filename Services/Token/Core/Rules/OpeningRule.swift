import InternalAPI

/// When a spent grant still answers: the same request again, soon, before anything else was done with the session.
enum OpeningRule {
    /// - Returns: the first token of `session`, or nil when the request is another one or comes too late.
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
