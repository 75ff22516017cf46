import Testing

@testable import EdgeHTTP
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
        #expect(rule(askedAt: nil).judge(now: now, waitedSince: nil) == .fetch)
        #expect(rule().judge(now: now, waitedSince: nil) == .refuse)
        #expect(rule().judge(now: 121 * Self.second - 1, waitedSince: nil) == .refuse)
        #expect(rule().judge(now: 121 * Self.second, waitedSince: nil) == .fetch)
    }

    @Test func `while a fetch is on its way the others wait for it`() {
        let asked = 99 * Self.second
        #expect(rule(askedAt: asked, triedAt: asked - 1).judge(now: now, waitedSince: nil) == .wait(since: asked))
    }

    @Test func `a key that token-service has announced is waited for, whatever an attacker has used up`() {
        let changed = 99 * Self.second
        #expect(rule(changedAt: changed).judge(now: now, waitedSince: nil) == .wait(since: changed))
        // The fetch has failed: nobody is signed out for it.
        #expect(rule(changedAt: changed, triedAt: changed).judge(now: now, waitedSince: changed) == .unavailable)
        #expect(rule(fetchedAt: changed, changedAt: changed).judge(now: now, waitedSince: changed) == .refuse)
    }

    @Test func `keys that change while a request waits for them are waited for too`() {
        let (first, second) = (98 * Self.second, 99 * Self.second)
        let changedAgain = rule(fetchedAt: first, changedAt: second, triedAt: first)
        #expect(changedAgain.judge(now: now, waitedSince: first) == .wait(since: second))
        // No fetch ended in the time for which it waited: it has waited for that one.
        #expect(rule(changedAt: second, triedAt: 0).judge(now: now, waitedSince: second) == .unavailable)
        // The fetch after the second change has failed.
        #expect(rule(changedAt: second, triedAt: second).judge(now: now, waitedSince: first) == .unavailable)
    }

    @Test(arguments: [nil, 91 * second])
    func `a set that may lack a key refuses nobody`(waitedSince: UInt64?) {
        #expect(rule(isStale: true).judge(now: now, waitedSince: waitedSince) == .unavailable)
        #expect(rule(isInContact: false).judge(now: now, waitedSince: waitedSince) == .unavailable)
    }

    @Test func `a request waits once for what an unknown kid asked for`() {
        for askedAt in [nil, 1] as [UInt64?] {
            #expect(rule(askedAt: askedAt, triedAt: 0).judge(now: now, waitedSince: 1) == .refuse)
        }
    }
}
