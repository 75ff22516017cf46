import NIOCore
import Testing

@testable import EdgeHTTP

/// When an address of an upstream is skipped, and when it is tried again.
@Suite struct AddressHealthTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

    private func after(_ milliseconds: Int64) -> NIODeadline { start + .milliseconds(milliseconds) }

    @Test func `three failures in a row skip it, and a response in between begins anew`() {
        var health = AddressHealth()
        for _ in 0..<2 { health.requestDidFail(now: start) }
        health.responseDidBegin(pauseSeconds: nil, now: start)
        for _ in 0..<2 { health.requestDidFail(now: start) }
        #expect(health.isEligible(now: start))
        health.requestDidFail(now: start)
        #expect(!health.isEligible(now: start) && !health.isEligible(now: after(99)))
    }

    @Test func `one request tries it, and its result decides`() {
        var health = AddressHealth()
        for _ in 0..<3 { health.requestDidFail(now: start) }
        #expect(health.isEligible(now: after(100)))
        health.requestDidBegin(now: after(100))
        #expect(!health.isEligible(now: after(100)))
        health.requestDidCancel()
        #expect(health.isEligible(now: after(100)))
        health.requestDidBegin(now: after(100))
        health.requestDidFail(now: after(150))
        #expect(!health.isEligible(now: after(349)) && health.isEligible(now: after(350)))
        health.requestDidBegin(now: after(350))
        health.responseDidBegin(pauseSeconds: nil, now: after(360))
        #expect(health.isEligible(now: after(360)))
    }

    @Test func `it is skipped for five seconds at most`() {
        var health = AddressHealth()
        for _ in 0..<5_000 { health.requestDidFail(now: start) }
        #expect(!health.isEligible(now: after(4_999)) && health.isEligible(now: after(5_000)))
    }

    @Test(arguments: [(1, 1), (30, 30), (3_600, 30), (Int64.max, 30)] as [(Int64, Int64)])
    func `a 503 pauses it as long as it states, whatever else it answers`(stated: Int64, seconds: Int64) {
        var health = AddressHealth()
        health.responseDidBegin(pauseSeconds: stated, now: start)
        health.responseDidBegin(pauseSeconds: nil, now: after(10))
        #expect(!health.isEligible(now: after(seconds * 1000 - 1)))
        #expect(health.isEligible(now: after(seconds * 1000)))
    }

    @Test(arguments: [0, -1, Int64.min]) func `a pause that is none is none`(stated: Int64) {
        var health = AddressHealth()
        health.responseDidBegin(pauseSeconds: stated, now: start)
        #expect(health.isEligible(now: start))
    }

    @Test(arguments: [
        (3, false, true, true), (2, false, true, false), (3, true, true, false), (3, false, false, false),
    ])
    func `it is skipped if it is silent while three requests wait and others answer`(
        waiting: Int, hasSent: Bool, othersSent: Bool, isSkipped: Bool
    ) {
        var health = AddressHealth()
        for second in 0..<3 {
            health.look(
                waiting: waiting, hasSent: hasSent, othersSent: othersSent, now: after(Int64(second) * 1000))
        }
        #expect(health.isEligible(now: after(2_000)) != isSkipped)
    }

    @Test func `silence of less than a second is none`() {
        var health = AddressHealth()
        health.look(waiting: 9, hasSent: false, othersSent: true, now: start)
        health.look(waiting: 9, hasSent: false, othersSent: true, now: after(999))
        #expect(health.isEligible(now: after(999)))
        health.look(waiting: 9, hasSent: true, othersSent: true, now: after(1_000))
        health.look(waiting: 9, hasSent: false, othersSent: true, now: after(1_500))
        #expect(health.isEligible(now: after(1_500)))
    }
}
