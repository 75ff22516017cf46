/// How many sessions a user has.
package struct SessionPolicy: Sendable, Equatable {
    /// The number of sessions of one user that can be refreshed. A sign-in beyond it revokes the session that was unused for
    /// the longest time.
    package var perUserMax = 100

    package init() {}
}

extension SessionPolicy {
    /// Section `sessions`:
    /// - `perUserMax` integer, 1...1,000, default 100
    init(reading section: PolicySection) { section.integer("perUserMax", in: 1...1_000, into: &perUserMax) }
}
