import AccessTokens
import InternalAPI

/// Decides when published keys are fetched again.
struct TokenKeyRule: Sendable {
    /// The shortest time between the beginnings of two fetches, by what causes the second.
    struct Pauses: Sendable {
        /// While there is no key set.
        let withoutSet: Duration
        /// A key set is at hand, but old enough for another.
        let whenDue: Duration
        /// A token names a key that the set lacks.
        let unknownKey: Duration
        /// How old a set may be for a key that it lacks not to exist.
        let settle: Duration

        /// token-service's keys. The pauses are short, since the edge lets only tokens through whose key it knows (security
        /// guide R-07 holds there): one that is not known here is new.
        static let tokenService = Pauses(
            withoutSet: .seconds(1), whenDue: .seconds(1), unknownKey: .seconds(1),
            settle: .milliseconds(KeyPublication.settleMilliseconds))
        /// A provider's keys: any client can make up a `kid`.
        static let provider = Pauses(
            withoutSet: .seconds(2), whenDue: .seconds(30), unknownKey: .seconds(30), settle: .seconds(30))
    }

    let keySet: KeySetRule
    var pauses = Pauses.tokenService

    /// - Parameters:
    ///   - age: of the set at hand; nil without one.
    ///   - sinceAttempt: time since the last fetch began; nil before the first.
    ///   - missesKey: a token names a key that the set does not have.
    func shallFetch(age: Duration?, sinceAttempt: Duration?, missesKey: Bool) -> Bool {
        guard let sinceAttempt else { return true }
        guard let age else { return sinceAttempt >= pauses.withoutSet }
        guard !keySet.isDue(age: age) else { return sinceAttempt >= pauses.whenDue }
        return missesKey && sinceAttempt >= pauses.unknownKey
    }
}
