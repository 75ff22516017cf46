import NIOCore
import NIOEmbedded
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// The outcome for an unknown `kid`, in every state of the key set.
@Suite struct UnknownKeyTests {
    private static let second: UInt64 = 1_000_000_000

    /// The verdict on a set whose last change, and last fetch for a `kid`, are some time ago.
    private func verdict(
        fetchedAt: UInt64 = 90 * second, changedAt: UInt64 = 0, askedAt: UInt64? = 91 * second,
        triedAt: UInt64 = 91 * second, isWhole: Bool = true, mayAsk: Bool = false, hasWaited: Bool = false
    ) -> KeySetStanding.Verdict {
        KeySetStanding(
            .init(fetchedAt: fetchedAt, changedAt: changedAt, askedAt: askedAt, triedAt: triedAt), isWhole: isWhole,
            hasWaited: hasWaited
        ).verdict(mayAsk: mayAsk, hasWaited: hasWaited)
    }

    @Test func `an unknown kid fetches now and then, and else is refused`() {
        #expect(verdict(askedAt: nil, mayAsk: true) == .fetch)
        #expect(verdict() == .refuse)
        #expect(verdict(mayAsk: true, hasWaited: true) == .refuse)
    }

    @Test func `while a fetch is on its way the others wait for it, once`() {
        let asked = 99 * Self.second
        #expect(verdict(askedAt: asked, triedAt: asked - 1) == .wait(since: asked))
        #expect(verdict(askedAt: asked, triedAt: asked - 1, hasWaited: true) == .refuse)
        #expect(verdict(askedAt: asked, triedAt: asked - 1, isWhole: false, hasWaited: true) == .unavailable)
    }

    @Test func `a key that token-service has announced is waited for, whatever an attacker has used up`() {
        let changed = 99 * Self.second
        for mayAsk in [true, false] { #expect(verdict(changedAt: changed, mayAsk: mayAsk) == .wait(since: changed)) }
        // The fetch has failed, which signs no client out.
        #expect(verdict(changedAt: changed, triedAt: changed, hasWaited: true) == .unavailable)
        #expect(verdict(fetchedAt: changed, changedAt: changed, hasWaited: true) == .refuse)
    }

    @Test(arguments: [true, false])
    func `a set that may lack a key refuses nobody`(hasWaited: Bool) {
        #expect(verdict(isWhole: false, hasWaited: hasWaited) == .unavailable)
        #expect(verdict(isWhole: false, mayAsk: true, hasWaited: hasWaited) == (hasWaited ? .unavailable : .fetch))
    }

    @Test func `keys that change while a request waits for them are waited for too`() throws {
        let loop = EmbeddedEventLoop()
        var waiters = FetchWaiters()
        let promise = loop.makePromise(of: Void.self)
        _ = waiters.add(since: 5, promise)
        waiters.waitFurther(until: 9)
        #expect(waiters.take(sentAt: 8).isEmpty)
        #expect(waiters.take(sentAt: 9).count == 1)
        promise.succeed()
        try promise.futureResult.wait()
    }
}
