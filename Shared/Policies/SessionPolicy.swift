/// How many sessions a user has.
package struct SessionPolicy: Sendable, Equatable {
    /// Sessions of one user that can be refreshed; a sign-in beyond it ends the one that was used longest ago.
    package var perUserMax = 100

    package init() {}
}

extension SessionPolicy {
    /// Section `sessions`:
    /// - `perUserMax` integer, 1...1,000, default 100
    init(reading section: PolicySection) { section.integer("perUserMax", in: 1...1_000, into: &perUserMax) }
}
