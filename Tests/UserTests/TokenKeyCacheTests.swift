import AccessTokens
import Logging
import Synchronization
import TestSupport
import Testing

@testable import UserCore

@Suite struct TokenKeyCacheTests {
    /// A fetch that hangs until it is let go.
    private final class Gate: Sendable {
        private let (stream, continuation) = AsyncStream<Void>.makeStream()
        let entered = Atomic<Int>(0)

        func pass() async {
            entered.add(1, ordering: .relaxed)
            for await _ in stream { return }
        }

        func open() { continuation.finish() }
    }

    @Test(.timeLimit(.minutes(5)))
    func `a fetch that hangs delays nobody whom the keys at hand serve`() async throws {
        let (clock, gate, key) = (TestClock(), Gate(), try SigningKey.generate(keyID: "a", algorithm: .EdDSA))
        let isFirst = Atomic<Bool>(true)
        let cache = TokenKeyCache(
            rule: TokenKeyRule(keySet: KeySetRule(ageMaxSeconds: 300)), clock: { clock.instant },
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }),
            fetch: {
                if !isFirst.exchange(false, ordering: .relaxed) { await gate.pass() }
                return try VerificationKeySet([key.verificationKey])
            })
        #expect(await cache.current()?.set.keyIDs == ["a"])
        clock.advance(seconds: 60)
        async let waiting = cache.newer()
        try await eventually("the fetch has begun") { gate.entered.load(ordering: .relaxed) > 0 }
        // Would never return if it waited for the fetch.
        #expect(await cache.current()?.isStale == false)
        gate.open()
        #expect(await waiting?.set.keyIDs == ["a"])
        #expect(gate.entered.load(ordering: .relaxed) == 1)
    }

    @Test(
        arguments: [
            (nil, nil, false, true), (nil, 0.5, false, false), (nil, 1, false, true),  // no set: once a second
            (10, 10, false, false), (10, 0.5, true, false), (10, 1, true, true),  // a fresh one: when a key is missed
            (151, 151, false, true), (151, 0.5, true, false), (151, 1, false, true),  // half of its age: once a second
        ] as [(Double?, Double?, Bool, Bool)])
    func `keys are fetched when they are due and not more often`(
        age: Double?, sinceAttempt: Double?, missesKey: Bool, expected: Bool
    ) {
        let rule = TokenKeyRule(keySet: KeySetRule(ageMaxSeconds: 300))
        #expect(
            rule.shallFetch(
                age: age.map { .seconds($0) }, sinceAttempt: sinceAttempt.map { .seconds($0) }, missesKey: missesKey)
                == expected)
    }
}
