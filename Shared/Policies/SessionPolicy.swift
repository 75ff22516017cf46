/// How many sessions a user has.
package struct SessionPolicy: Sendable, Equatable {
    package var perUserMax = 100

    package init() {}
}

extension SessionPolicy {
    static let keys: [Key<Self>] = [
        Key(
            "perUserMax", \.perUserMax, .integer(1...1_000),
            "The sessions of one user; one more revokes the session that was used longest ago.")
    ]
}
