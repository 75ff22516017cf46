import Policies
import Testing

@Suite struct LimitTests {
    private let threeAnHour = RateLimit(max: 3, windowSeconds: 3_600)

    @Test func `an event fits until the limit is reached and again when the oldest is out of the window`() {
        #expect(threeAnHour.retryAfterSeconds(times: [], now: 0) == nil)
        #expect(threeAnHour.retryAfterSeconds(times: [100, 200], now: 300) == nil)
        #expect(threeAnHour.retryAfterSeconds(times: [300, 100, 200], now: 300) == 3_400)
        #expect(threeAnHour.retryAfterSeconds(times: [100, 200, 300], now: 3_699) == 1)
        #expect(threeAnHour.retryAfterSeconds(times: [100, 200, 300], now: 3_700) == nil)
    }

    @Test func `the wait that is told is true`() throws {
        let times: [Int64] = [10, 20, 20, 500, 700]
        let wait = try #require(threeAnHour.retryAfterSeconds(times: times, now: 800))
        #expect(threeAnHour.retryAfterSeconds(times: times, now: 800 + wait) == nil)
        #expect(threeAnHour.retryAfterSeconds(times: times, now: 800 + wait - 1) == 1)
    }

    @Test func `of several limits the longest wait is told`() {
        let limits = [threeAnHour, RateLimit(max: 4, windowSeconds: 86_400)]
        #expect(limits.retryAfterSeconds(times: [0, 1, 2, 3], now: 10_000) == 76_400)
        #expect(limits.longestWindowSeconds == 86_400)
        #expect([RateLimit]().retryAfterSeconds(times: [1, 2, 3], now: 3) == nil)
    }

    private let lockouts = [
        Lockout(failures: 5, withinSeconds: 3_600, lockSeconds: 3_600),
        Lockout(failures: 10, withinSeconds: 86_400, lockSeconds: 86_400),
    ]

    @Test func `the fifth failure within the hour locks for an hour`() {
        #expect(lockouts.lockedUntil(times: [1, 2, 3, 4], now: 4) == nil)
        #expect(lockouts.lockedUntil(times: [1, 2, 3, 4, 5], now: 5) == 3_605)
        #expect(lockouts.lockedUntil(times: [5, 4, 3, 2, 1], now: 3_604) == 3_605)
        #expect(lockouts.lockedUntil(times: [1, 2, 3, 4, 5], now: 3_605) == nil)
        #expect(lockouts.lockedUntil(times: [0, 1_000, 2_000, 3_000, 3_600], now: 3_600) == nil)
    }

    @Test func `the tenth failure within a day locks for a day`() {
        let times = (0..<10).map { Int64($0) * 8_000 }
        #expect(lockouts.lockedUntil(times: Array(times.dropLast()), now: 72_000) == nil)
        #expect(lockouts.lockedUntil(times: times, now: 72_000) == 158_400)
        #expect(lockouts.longestMemorySeconds == 86_400)
        #expect(lockouts.longestSeconds == 172_800)
    }

    @Test func `a limit or lockout of nothing is no limit that can be met`() {
        #expect(Lockout(failures: 0, withinSeconds: 1, lockSeconds: 1).lockedUntil(times: [1]) == nil)
        #expect(RateLimit(max: 0, windowSeconds: 60).retryAfterSeconds(times: [], now: 5) == 60)
    }
}
