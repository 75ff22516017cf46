import Policies

/// The tabs of a page share one jar of cookies, which keeps the response that arrives last. So a tab may present a token that another
/// tab has replaced, hours later too, and only the server can lead it to the newest one.
extension RotationRule {
    /// Returns the verdict on a token that another tab of the page replaced shortly before the newest rotation, or `nil` if the token
    /// is not one.
    ///
    /// A token whose newest successor cannot be computed ends nothing: the page has shown its secret.
    static func lateTab(
        _ session: SessionRecord, _ attempt: RotationAttempt, policy: RefreshPolicy, keys: RefreshTokenKeys, now: Int64
    ) -> RotationVerdict? {
        guard let page = attempt.page, page.lateTabSeconds > 0,
            attempt.token.generation >= lowestGeneration(session, page)
        else { return nil }
        let steps = session.generation - attempt.token.generation
        guard
            let newest = TokenChain.token(
                steps, after: attempt.token, by: page.key, keys: keys, hash: session.currentHash)
        else { return .lateCopy }
        return answer(newest, to: session, attempt, policy: policy, now: now)
    }

    /// Returns the lowest generation whose token a tab of the page may still present.
    static func lowestGeneration(_ session: SessionRecord, _ page: PresentingPage) -> Int64 {
        session.marks.lowestGeneration(
            current: session.generation, rotatedAt: session.lastUsedAt, windowSeconds: page.lateTabSeconds)
    }
}
