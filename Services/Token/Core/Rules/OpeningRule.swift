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

    /// Decides on a refresh token of the old server that has opened `session`. It is the parent of the session's first token, so it
    /// gets that token, however late, until the first refresh.
    static func judge(
        _ previous: PreviousToken, of session: SessionRecord, keys: RefreshTokenKeys, now: Int64
    ) -> RotationVerdict {
        if let refusal = RotationRule.refusal(of: session, now: now) { return .refuse(refusal) }
        guard session.generation == 0,
            let first = keys.first(
                locator: session.locator, grantID: previous.grantID, idempotencyKey: previous.idempotencyKey,
                hash: session.currentHash)
        else { return .reuse(revokes: false) }
        let isLate = now - session.createdAt > IdempotencyKey.repeatSeconds
        return .repeatAnswer(successor: first, late: isLate ? session.lateRepeats.counting(generation: 0) : nil)
    }
}
