import AuthAPI
import Foundation
import OutgoingConnections
import Testing

@testable import UserEvents

/// The decisions after the outcome of a post.
@Suite struct EventDecisionTests {
    static func event(
        _ id: Int64 = 1, user: UInt8 = 1, sequence: Int64 = 1_000_000, attempts: Int64 = 0, queuedAt: Int64 = 1_000
    ) -> QueuedEvent {
        QueuedEvent(
            id: id, user: [UInt8](repeating: user, count: 16), sequence: sequence, kind: "user.updated", madeAt: 1_000,
            queuedAt: queuedAt, attempts: attempts)
    }

    @Test(arguments: [
        (200, EventVerdict.delivered), (204, .delivered), (301, .failed(status: 301)), (400, .failed(status: 400)),
        (410, .gone), (429, .failed(status: 429)), (500, .failed(status: 500)), (101, .failed(status: 101)),
    ])
    func `only 2xx delivers, and 410 stops`(_ status: Int, verdict: EventVerdict) {
        #expect(EventVerdict(status: status) == verdict)
        #expect(verdict == .delivered || EventVerdict.failureReasons.contains(verdict.reason))
    }

    @Test(arguments: [(0, 1), (1, 2), (4, 16), (8, 256), (9, 300), (400, 300)] as [(Int64, Int64)])
    func `the pause doubles up to five minutes`(_ failed: Int64, pause: Int64) {
        let result = EventResult(
            of: Self.event(attempts: failed), .failed(status: 500), now: 2_000, mayGiveUp: true)
        #expect(result?.step == .retry(at: 2_000 + pause))
    }

    @Test func `after three days an event is given up, unless the clock is in doubt`() {
        let (event, late) = (Self.event(attempts: 900), Int64(1_000 + 3 * 86_400))
        func step(_ now: Int64, mayGiveUp: Bool) -> EventResult.Step? {
            EventResult(of: event, .unreachable(.refused), now: now, mayGiveUp: mayGiveUp)?.step
        }
        #expect(step(late - 301, mayGiveUp: true) == .retry(at: late - 1))
        #expect(step(late - 300, mayGiveUp: true) == .givenUp)
        #expect(step(late, mayGiveUp: false) == .retry(at: late + 300))
        let waited = EventResult(of: Self.event(attempts: 8), .failed(status: 503), now: late, mayGiveUp: true)
        #expect(waited?.step == .retry(at: late + 256))
        #expect(EventResult(of: event, .delivered, now: late, mayGiveUp: true)?.step == .delivered)
        #expect(EventResult(of: event, .gone, now: late, mayGiveUp: true) == nil)
    }

    @Test func `a hook that responds stays open, and one that does not pauses longer and longer`() {
        let (state, start) = (HookState(), ContinuousClock.now)
        for _ in 0..<9 { state.note(.failed(status: 500), at: start) }
        for _ in 0..<3 { state.note(.unreachable(.timedOut), at: start) }
        #expect(state.isOpen(at: start))
        state.note(.unreachable(.refused), at: start)
        #expect(!state.isOpen(at: start + .milliseconds(999)) && state.isOpen(at: start + .seconds(1)))
        state.note(.unreachable(.refused), at: start + .seconds(1))
        #expect(!state.isOpen(at: start + .milliseconds(2_999)) && state.isOpen(at: start + .seconds(3)))
        // Posts that began earlier make it no longer.
        state.note(.unreachable(.refused), at: start + .seconds(2))
        #expect(state.isOpen(at: start + .seconds(3)))
        state.note(.delivered, at: start + .seconds(3))
        state.note(.unreachable(.refused), at: start + .seconds(3))
        #expect(state.isOpen(at: start + .seconds(3)))
    }

    @Test func `410 stops the hook until the operator resumes it`() {
        let state = HookState()
        state.note(.gone)
        state.note(.delivered)
        #expect(state.isStopped && !state.isOpen())
        state.resume()
        #expect(!state.isStopped && state.isOpen())
    }

    @Test func `chains keep the order of each user's events`() {
        let events = [(1, 1), (2, 2), (3, 1), (4, 3), (5, 2)].map { Self.event($0, user: $1) }
        let chains = EventChain.chains(events, events.map { EventBody($0, userID: "u") })
        #expect(chains.map { $0.events.map(\.0.id) } == [[1, 3], [2, 5], [4]])
    }

    @Test func `the body has the ids, and the members that are included`() throws {
        var body = EventBody(Self.event(), userID: "usr_1")
        var members = EventMembers()
        members.set("email", nil as String?)
        members.set("role", "admin")
        body.data.user = members
        let json = try JSONSerialization.jsonObject(with: Data(try body.encoded())) as? [String: Any]
        let data = try #require(json?["data"] as? [String: Any])
        #expect(json?["type"] as? String == "user.updated" && json?["timestamp"] as? String == "1970-01-01T00:16:40Z")
        #expect(Set(data.keys) == ["source", "sequence", "userId", "user"])
        #expect(data["source"] as? String == "user" && data["sequence"] as? Int == 1_000_000)
        let user = try #require(data["user"] as? [String: Any])
        #expect(user["role"] as? String == "admin" && user["email"] is NSNull && user.count == 2)
    }

    @Test func `an id names source, user and sequence`() {
        #expect(EventPoster.id(of: Self.event()) == "user_01010101010101010101010101010101_1000000")
    }
}
