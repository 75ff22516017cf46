import Testing

@testable import SQLiteStore

struct GroupPauseTests {
    /// The microseconds of a pause in which `waiting` tells, by the time that has passed, what waits.
    private func pause(afterGroupOf count: Int, readsCame: Bool = false, _ waiting: (UInt32) -> Int) -> UInt32 {
        var paused: UInt32 = 0
        repeat {
            paused += GroupPause.stepMicroseconds(readsCame: readsCame)
        } while GroupPause.goesOn(after: .microseconds(paused), lastGroup: count, waiting: waiting(paused))
        return paused
    }

    @Test(arguments: [true, false])
    func `a twin process always gets its turn, and a write alone waits no longer for others`(_ readsCame: Bool) {
        let shortest = SQLiteLimits.groupPauseMicroseconds
        #expect(pause(afterGroupOf: 1, readsCame: readsCame) { _ in 0 } == shortest)
        #expect(pause(afterGroupOf: 9, readsCame: readsCame) { _ in SQLiteLimits.groupWorthSync } == shortest)
    }

    @Test func `while reads come its steps are shorter`() {
        #expect(GroupPause.stepMicroseconds(readsCame: true) < GroupPause.stepMicroseconds(readsCame: false))
    }

    @Test func `after several writes it goes on until enough wait, or it is long enough`() {
        #expect(pause(afterGroupOf: 2) { _ in 0 } == SQLiteLimits.groupPauseMicrosecondsMax)
        #expect(pause(afterGroupOf: 2) { $0 < 3_000 ? 0 : SQLiteLimits.groupWorthSync } == 3_000)
    }
}
