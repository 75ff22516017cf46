import AccessTokens

/// Decides when the published keys are fetched again.
struct TokenKeyRule: Sendable {
    let keySet: KeySetRule
    /// Pause between fetches that an unknown `kid` causes. Short, since the edge lets only tokens through whose key it
    /// knows (security guide R-07 holds there): one that we do not know is new.
    static let unknownKeyPause: Duration = .seconds(1)
    /// Pause between fetches while token-service does not answer.
    static let failurePause: Duration = .seconds(1)

    /// - Parameters:
    ///   - age: of the set at hand; nil without one.
    ///   - sinceAttempt: time since the last fetch began; nil before the first.
    ///   - missesKey: a token names a key that the set does not have.
    func shallFetch(age: Duration?, sinceAttempt: Duration?, missesKey: Bool) -> Bool {
        guard let sinceAttempt else { return true }
        guard let age, !keySet.isDue(age: age) else { return sinceAttempt >= Self.failurePause }
        return missesKey && sinceAttempt >= Self.unknownKeyPause
    }
}
