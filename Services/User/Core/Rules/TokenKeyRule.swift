import AccessTokens
import InternalAPI

/// Decides when published keys are fetched again.
struct TokenKeyRule: Sendable {
    /// The shortest times between the beginnings of two fetches, by the cause of the second one.
    struct Pauses: Sendable {
        /// There is no key set.
        let withoutSet: Duration
        /// The key set is old enough to be fetched again.
        let whenDue: Duration
        /// A token has the id of a key that the set lacks.
        let unknownKey: Duration
        /// The highest age that a set had when a key was requested which it lacks, for the key not to exist.
        let settle: Duration

        /// The pauses for token-service's keys. They are short: the gateway passes only tokens whose keys it knows (security
        /// guide R-07 applies there), so a key that is unknown here is new.
        static let tokenService = Pauses(
            withoutSet: .seconds(1), whenDue: .seconds(1), unknownKey: .seconds(1),
            settle: .milliseconds(KeyPublication.settleMilliseconds))
        /// The pauses for a provider's keys. They are long, since any client can invent a `kid`. A key can be used as soon as it is
        /// published, so no set is recent enough.
        static let provider = Pauses(
            withoutSet: .seconds(2), whenDue: .seconds(30), unknownKey: .seconds(30), settle: .zero)
    }

    let keySet: KeySetRule
    var pauses = Pauses.tokenService

    /// Whether the keys are to be fetched now.
    ///
    /// - Parameters:
    ///   - age: the age of the key set, or `nil` if there is none.
    ///   - sinceAttempt: the time since the last fetch began, or `nil` if there was none.
    ///   - missesKey: whether a token has the id of a key that the set lacks.
    func shallFetch(age: Duration?, sinceAttempt: Duration?, missesKey: Bool) -> Bool {
        guard let sinceAttempt else { return true }
        guard let age else { return sinceAttempt >= pauses.withoutSet }
        guard !keySet.isDue(age: age) else { return sinceAttempt >= pauses.whenDue }
        return missesKey && sinceAttempt >= pauses.unknownKey
    }
}
