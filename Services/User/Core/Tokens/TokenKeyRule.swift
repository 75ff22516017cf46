/// Decides when the published keys are fetched again.
struct TokenKeyRule: Sendable {
    /// How old a key set may be while nothing speaks against it.
    let ageMax: Duration
    /// Pause between fetches that an unknown `kid` causes. Short, since the edge lets only tokens through whose key it
    /// knows (security guide R-07 holds there): one that we do not know is new.
    static let unknownKeyPause: Duration = .seconds(1)
    /// Pause between fetches while token-service does not answer.
    static let failurePause: Duration = .seconds(1)
    /// The last good set serves for at most this long.
    static let keepMax: Duration = .seconds(24 * 3600)

    /// - Parameters:
    ///   - age: of the set at hand; nil without one.
    ///   - sinceAttempt: time since the last fetch began; nil before the first.
    ///   - missesKey: a token names a key that the set does not have.
    func shallFetch(age: Duration?, sinceAttempt: Duration?, missesKey: Bool) -> Bool {
        guard let sinceAttempt else { return true }
        if isStale(age: age) { return sinceAttempt >= Self.failurePause }
        return missesKey && sinceAttempt >= Self.unknownKeyPause
    }

    /// Whether a key that the set lacks may nevertheless exist.
    func isStale(age: Duration?) -> Bool { age.map { $0 > ageMax } ?? true }

    /// Whether the set still serves.
    func isUsable(age: Duration?) -> Bool { age.map { $0 < Self.keepMax } ?? false }
}
