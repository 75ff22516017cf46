/// How long a copy of the published keys serves whoever verifies with it: the edge and user-service judge by this one rule.
package struct KeySetRule: Sendable {
    /// The last good set serves for at most this long while token-service is away.
    package static let keepMax: Duration = .seconds(24 * 3600)

    /// A key signs only after it has been published for longer than this (`signing.jwksMaxAgeSeconds`).
    private let ageMax: Duration

    /// - Parameter ageMaxSeconds: `signing.jwksMaxAgeSeconds` of the policy.
    package init(ageMaxSeconds: Int64) { ageMax = .seconds(ageMaxSeconds) }

    /// Whether the set is to be fetched anew: from half of its age on, so that one fetch may fail.
    package func isDue(age: Duration) -> Bool { age > ageMax / 2 }

    /// Whether a key that the set lacks may nevertheless exist.
    package func isStale(age: Duration) -> Bool { age > ageMax }

    /// Whether the set still serves.
    package func isUsable(age: Duration) -> Bool { age < Self.keepMax }
}
