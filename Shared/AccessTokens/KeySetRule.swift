/// How long a copy of the published keys may be used for verification; the gateway and user-service share this rule.
package struct KeySetRule: Sendable {
    /// The longest time for which the last good set is used while token-service is unreachable.
    package static let keepMax: Duration = .seconds(24 * 3600)

    /// The time for which a key is published before it signs (`signing.jwksMaxAgeSeconds`).
    private let ageMax: Duration

    /// - Parameter ageMaxSeconds: `signing.jwksMaxAgeSeconds` of the policy.
    package init(ageMaxSeconds: Int64) { ageMax = .seconds(ageMaxSeconds) }

    /// Whether the set should be fetched again: from half of its maximum age on, so that one fetch may fail.
    package func isDue(age: Duration) -> Bool { age > ageMax / 2 }

    /// Whether a key may exist that is not in the set.
    package func isStale(age: Duration) -> Bool { age > ageMax }

    /// Whether the set may still be used.
    package func isUsable(age: Duration) -> Bool { age < Self.keepMax }
}
