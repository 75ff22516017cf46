import NIOCore
import Testing

@testable import EdgeHTTP

/// When an address of an upstream is skipped, and when it is tried again.
@Suite struct AddressHealthTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

    private func after(_ milliseconds: Int64) -> NIODeadline { start + .milliseconds(milliseconds) }

    private func fail(
        _ health: inout AddressHealth, times: Int = 1, isTrial: Bool = false, othersServe: Bool = true,
        at milliseconds: Int64 = 0
    ) -> AddressHealth.Change? {
        var change: AddressHealth.Change?
        for _ in 0..<times {
            change = health.requestDidFail(isTrial: isTrial, othersServe: othersServe, now: after(milliseconds))
        }
        return change
    }

    private func respond(
        _ health: inout AddressHealth, pause: Int64? = nil, isTrial: Bool = false, othersServe: Bool = true,
        at milliseconds: Int64 = 0
    ) -> AddressHealth.Change? {
        health.responseDidBegin(
            pauseSeconds: pause, isTrial: isTrial, othersServe: othersServe, now: after(milliseconds))
    }

    private func isTried(_ health: AddressHealth, at milliseconds: Int64) -> Bool {
        health.mayBeTried(now: after(milliseconds))
    }

    private func begin(_ health: inout AddressHealth, at milliseconds: Int64) -> Bool {
        health.beginTrial(now: after(milliseconds))
    }

    private func check(_ health: inout AddressHealth, at milliseconds: Int64) -> Bool {
        health.beginCheck(now: after(milliseconds))
    }

    // MARK: Failures

    @Test func `three failures in a row skip it, and a complete response in between begins anew`() {
        var health = AddressHealth()
        #expect(fail(&health, times: 2) == nil && !health.isWell)
        health.responseDidEnd()
        #expect(health.isWell && fail(&health, times: 2) == nil)
        // The head of a response that then breaks off is no sign of health.
        #expect(respond(&health) == nil)
        #expect(fail(&health) == .skipped(.failures) && health.isSkipped)
        #expect(!isTried(health, at: 99) && isTried(health, at: 100))
    }

    @Test func `the last address that serves is not skipped, and is as soon as another serves`() {
        var health = AddressHealth()
        #expect(fail(&health, times: 100, othersServe: false) == nil)
        #expect(respond(&health, pause: 30, othersServe: false) == nil && !health.isSkipped)
        #expect(fail(&health) == .skipped(.failures))
    }

    @Test func `one request tries it, and its result decides`() {
        var health = AddressHealth()
        #expect(fail(&health, times: 3) == .skipped(.failures))
        #expect(!begin(&health, at: 99))
        #expect(begin(&health, at: 100) && !begin(&health, at: 100))
        #expect(fail(&health, isTrial: true, at: 150) == nil)
        #expect(!isTried(health, at: 349) && begin(&health, at: 350))
        #expect(respond(&health, isTrial: true, at: 360) == .returned && !health.isSkipped)
        // Until a response is complete, one failure is enough, and the skip is longer.
        #expect(fail(&health, at: 400) == .skipped(.failures))
        #expect(!isTried(health, at: 799) && isTried(health, at: 800))
        #expect(begin(&health, at: 800) && respond(&health, isTrial: true, at: 810) == .returned)
        health.responseDidEnd()
        #expect(health.isWell && fail(&health, times: 2, at: 900) == nil)
        #expect(fail(&health, at: 900) == .skipped(.failures) && isTried(health, at: 1_000))
    }

    @Test func `a cancelled try lets the next request try, and one without end lets it after five seconds`() {
        var health = AddressHealth()
        _ = fail(&health, times: 3)
        #expect(begin(&health, at: 100))
        health.trialDidCancel(now: after(200))
        #expect(begin(&health, at: 200))
        #expect(!isTried(health, at: 5_199) && begin(&health, at: 5_200))
    }

    @Test func `requests that were under way say nothing new, and no skip is longer than five seconds`() {
        var health = AddressHealth()
        #expect(fail(&health, times: 3) == .skipped(.failures))
        #expect(fail(&health, times: 1_000, at: 50) == nil && isTried(health, at: 100))
        var now: Int64 = 100
        for _ in 0..<100 {
            #expect(begin(&health, at: now))
            _ = fail(&health, isTrial: true, at: now)
            now += 5_000
        }
        #expect(isTried(health, at: now) && !isTried(health, at: now - 1))
    }

    // MARK: Pauses

    @Test(arguments: [(1, 1), (30, 30), (31, 30), (3_600, 30), (Int64.max, 30)] as [(Int64, Int64)])
    func `a 503 pauses it as long as it states, whatever else it answers meanwhile`(stated: Int64, seconds: Int64) {
        var health = AddressHealth()
        #expect(respond(&health, pause: stated) == .skipped(.retryAfter))
        #expect(respond(&health, at: 10) == nil && health.isSkipped)
        health.responseDidEnd()
        #expect(!isTried(health, at: seconds * 1000 - 1) && begin(&health, at: seconds * 1000))
        #expect(respond(&health, isTrial: true, at: seconds * 1000) == .returned)
    }

    @Test(arguments: [0, -1, Int64.min]) func `a pause that is over is none`(stated: Int64) {
        var health = AddressHealth()
        #expect(respond(&health, pause: stated) == nil && !health.isSkipped)
    }

    // MARK: Silence

    private func look(
        _ health: inout AddressHealth, _ waiting: Int, hasSent: Bool = false, othersSent: Bool = true,
        at milliseconds: Int64
    ) -> AddressHealth.Change? {
        health.look(waitingCount: waiting, hasSent: hasSent, othersSent: othersSent, now: after(milliseconds))
    }

    @Test(arguments: [
        (3, false, true, true), (2, false, true, false), (3, true, true, false), (3, false, false, false),
    ])
    func `it is skipped if it is silent while three requests wait and others answer`(
        waiting: Int, hasSent: Bool, othersSent: Bool, isSkipped: Bool
    ) {
        var health = AddressHealth()
        var changes: [AddressHealth.Change] = []
        for time in stride(from: Int64(0), through: 4_000, by: 250) {
            if let change = look(&health, waiting, hasSent: hasSent, othersSent: othersSent, at: time) {
                changes.append(change)
            }
        }
        #expect(changes == (isSkipped ? [.skipped(.silence)] : []) && health.isSkipped == isSkipped)
    }

    @Test func `silence begins when requests wait, and any byte ends it`() {
        var health = AddressHealth()
        // It had nothing to send for a minute.
        #expect(look(&health, 0, at: 0) == nil && look(&health, 3, at: 60_000) == nil)
        #expect(look(&health, 3, at: 61_249) == nil)
        #expect(look(&health, 3, hasSent: true, at: 61_250) == nil)
        #expect(look(&health, 3, at: 62_499) == nil && look(&health, 3, at: 62_500) == .skipped(.silence))
        // A late response brings it back.
        #expect(respond(&health, at: 62_600) == .returned)
    }

    @Test func `a try of a silent address that fails is repeated after five seconds`() {
        var health = AddressHealth()
        #expect(look(&health, 3, at: 0) == nil && look(&health, 3, at: 1_250) == .skipped(.silence))
        #expect(!isTried(health, at: 6_249) && begin(&health, at: 6_250))
        #expect(fail(&health, isTrial: true, at: 9_250) == nil)
        #expect(!isTried(health, at: 14_249) && begin(&health, at: 14_250))
    }

    // MARK: Checks

    @Test func `with a check no request tries it, and the check brings it back`() {
        var health = AddressHealth(checkInterval: .seconds(2))
        #expect(!check(&health, at: 0) && health.checkDidPass() == nil)
        #expect(fail(&health, times: 3) == .skipped(.failures))
        #expect(!isTried(health, at: 60_000) && !begin(&health, at: 60_000))
        #expect(respond(&health, at: 100) == nil && health.isSkipped)
        #expect(!check(&health, at: 1_999))
        #expect(check(&health, at: 2_000) && !check(&health, at: 3_999))
        #expect(check(&health, at: 4_000) && health.checkDidPass() == .returned)
        #expect(!health.isSkipped && fail(&health, at: 4_100) == .skipped(.failures))
    }

    @Test func `a refused connection is checked at once and then in each interval, and a pause is kept`() {
        var plain = AddressHealth()
        #expect(plain.connectDidFail(othersServe: true, now: start) == nil && plain.isWell)
        var health = AddressHealth(checkInterval: .seconds(2))
        #expect(health.connectDidFail(othersServe: false, now: start) == nil)
        #expect(health.connectDidFail(othersServe: true, now: start) == .skipped(.refused))
        #expect(check(&health, at: 0) && !check(&health, at: 1_999))
        #expect(check(&health, at: 2_000) && health.checkDidPass() == .returned)
        #expect(respond(&health, pause: 20) == .skipped(.retryAfter))
        #expect(!check(&health, at: 19_999) && check(&health, at: 20_000))
    }
}
