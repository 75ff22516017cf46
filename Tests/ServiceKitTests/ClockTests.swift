import CallDeadlines
import InternalAPI
import Logging
import Synchronization
import Testing

@testable import ServiceCalls
@testable import ServiceKit

/// Wall clocks that are set, or differ from those of other processes.
@Suite struct ClockTests {
    private static let start: Int64 = 1_700_000_000_000

    private static func moment(_ ticks: Int64, set: Int64 = 0) -> Moment {
        Moment(wall: start + ticks + set, ticks: ticks * 1_000_000)
    }

    @Test(arguments: [20_000, 60_000, -20_000, -60_000, 0] as [Int64])
    func `a step of at most a minute pauses nothing`(step: Int64) {
        var steps = ClockSteps(at: Self.moment(0))
        #expect(steps.note(Self.moment(1_000, set: step)) == nil)
        #expect(!steps.isPaused(at: Self.moment(1_000, set: step)))
    }

    @Test(arguments: [60_001, 600_000, 86_400_000, 100_000_000_000, -60_001, -600_000, -86_400_000, -1_000_000_000_000])
    func `a longer step pauses removals for an hour, once`(step: Int64) {
        var steps = ClockSteps(at: Self.moment(0))
        #expect(steps.note(Self.moment(1_000, set: step)) == step)
        for later: Int64 in [1_001, 60_000, 3_600_999] {
            #expect(steps.note(Self.moment(later, set: step)) == nil)
            #expect(steps.isPaused(at: Self.moment(later, set: step)))
        }
        #expect(!steps.isPaused(at: Self.moment(3_601_000, set: step)))
        // The way back is a step too.
        #expect(steps.note(Self.moment(4_000_000)) == -step)
        #expect(steps.isPaused(at: Self.moment(7_599_999)))
    }

    @Test func `many small steps count together`() {
        var steps = ClockSteps(at: Self.moment(0))
        #expect(steps.note(Self.moment(1_000, set: 30_000)) == nil)
        #expect(steps.note(Self.moment(2_000, set: 60_000)) == nil)
        #expect(steps.note(Self.moment(3_000, set: 90_000)) == 90_000)
    }

    @Test func `the time for removals is withheld while they pause`() {
        let moment = Mutex(Self.moment(0))
        let clock = WallClock(logger: Logger(label: "test")) { moment.withLock { $0 } }
        #expect(clock.secondsForRemovals() == Self.start / 1_000)
        moment.withLock { $0 = Self.moment(1_000, set: 86_400_000) }
        #expect(clock.secondsForRemovals() == nil)
        moment.withLock { $0 = Self.moment(3_601_000, set: 86_400_000) }
        #expect(clock.secondsForRemovals() == (Self.start + 3_601_000 + 86_400_000) / 1_000)
    }

    @Test func `a process is not ready if the majority of the others has another time`() {
        var comparison = ClockComparison()
        #expect(comparison.problem(now: 0) == nil)
        comparison.note("token", ahead: -600_000, now: 0)
        #expect(comparison.problem(now: 1) == "the clock of token is 600.0 s behind this process's")
        comparison.note("otp", ahead: nil, now: 0)
        #expect(comparison.problem(now: 1) == nil)
        comparison.note("user", ahead: 20_050, now: 0)
        let both =
            "the clock of token is 600.0 s behind this process's; the clock of user is 20.0 s ahead of this process's"
        #expect(comparison.problem(now: 1) == both)
        comparison.note("token", ahead: nil, now: 2)
        #expect(comparison.problem(now: 3) == nil)
        // A comparison that is ten seconds old counts no longer.
        #expect(comparison.problem(now: 10_001) == nil)
    }

    @Test func `the distance of two monotonic clocks is that of the fastest call, and follows their drift`() {
        var times = CallerTimes()
        let process = CallerTimes.Process(caller: .gateway, id: 7)
        func age(_ sentAt: Int64, _ now: Int64, _ challengedAt: Int64? = nil) -> Int64? {
            times.age(ofCallBy: process, sentAt: sentAt, challengedAt: challengedAt, now: now)
        }
        #expect(age(5, 1_000) == nil)
        #expect(age(5, 1_040, 1_000) == 40)
        // The first call took 40 ms of which the next one shows that 30 were its way.
        #expect(age(105, 1_110) == 0)
        #expect(age(205, 1_240) == 30)
        // A clock that loses 50 millionths is followed for years.
        var (own, other) = (Int64(1_000), Int64(0))
        for _ in 0..<100_000 {
            own += 20_000
            other += 19_999
            #expect((age(other, own) ?? 99) <= 5)
        }
    }

    @Test func `another caller with the same id has its own distance, and the table is bounded`() {
        var times = CallerTimes()
        let process = CallerTimes.Process(caller: .gateway, id: 7)
        #expect(times.age(ofCallBy: process, sentAt: 0, challengedAt: 0, now: 0) == 0)
        #expect(times.age(ofCallBy: .init(caller: .otp, id: 7), sentAt: 0, challengedAt: nil, now: 0) == nil)
        for id in 100..<100 + UInt64(CallerTimes.processesMax) {
            _ = times.age(ofCallBy: .init(caller: .gateway, id: id), sentAt: 0, challengedAt: 9, now: 10)
        }
        #expect(times.age(ofCallBy: process, sentAt: 20, challengedAt: nil, now: 20) == nil)
    }
}
