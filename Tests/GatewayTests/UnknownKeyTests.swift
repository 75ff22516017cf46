import Testing

@testable import GatewayCore

/// What an unknown `kid` comes to, in every standing of the key set.
@Suite struct UnknownKeyTests {
    private static let second: UInt64 = 1_000_000_000
    private let now = 100 * second

    private func rule(
        fetchedAt: UInt64 = 90 * second, changedAt: UInt64 = 0, askedAt: UInt64? = 91 * second,
        triedAt: UInt64 = 91 * second, isStale: Bool = false, isInContact: Bool = true
    ) -> UnknownKeyRule {
        UnknownKeyRule(
            fetchedAt: fetchedAt, changedAt: changedAt, askedAt: askedAt, triedAt: triedAt, isStale: isStale,
            isInContact: isInContact)
    }

    @Test func `the first unknown kid fetches, and the next one only after 30 s`() {
        #expect(rule(askedAt: nil).judge(now: now, hasWaited: false) == .fetch)
        #expect(rule().judge(now: now, hasWaited: false) == .refuse)
        #expect(rule().judge(now: 121 * Self.second - 1, hasWaited: false) == .refuse)
        #expect(rule().judge(now: 121 * Self.second, hasWaited: false) == .fetch)
    }

    @Test func `while a fetch is on its way the others wait for it`() {
        let asked = 99 * Self.second
        #expect(rule(askedAt: asked, triedAt: asked - 1).judge(now: now, hasWaited: false) == .wait(since: asked))
    }

    @Test func `a key that token-service has announced is waited for, whatever an attacker has used up`() {
        let changed = 99 * Self.second
        #expect(rule(changedAt: changed).judge(now: now, hasWaited: false) == .wait(since: changed))
        // The fetch has failed: nobody is signed out for it.
        #expect(rule(changedAt: changed).judge(now: now, hasWaited: true) == .unavailable)
        #expect(rule(fetchedAt: changed, changedAt: changed).judge(now: now, hasWaited: true) == .refuse)
    }

    @Test(arguments: [true, false])
    func `a set that may lack a key refuses nobody`(hasWaited: Bool) {
        #expect(rule(isStale: true).judge(now: now, hasWaited: hasWaited) == .unavailable)
        #expect(rule(isInContact: false).judge(now: now, hasWaited: hasWaited) == .unavailable)
    }

    @Test func `a request waits once`() {
        for askedAt in [nil, 1] as [UInt64?] {
            #expect(rule(askedAt: askedAt, triedAt: 0).judge(now: now, hasWaited: true) == .refuse)
        }
    }
}
