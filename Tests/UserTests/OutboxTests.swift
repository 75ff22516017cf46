import InternalAPI
import Storage
import Testing

@testable import UserCore

@Suite struct OutboxTests {
    @Test func `pauses double and are bounded`() {
        let pauses = [0, 1, 2, 3, 4, 5, 6, 100, Int64.max].map(OutboxLimits.backoffSeconds)
        #expect(pauses == [1, 1, 2, 4, 8, 15, 15, 15, 15])
    }

    @Test func `a row that does not decode is kept and does not stop the others`() async throws {
        let fixture = try UserFixture()
        let (first, second) = (try await fixture.signedIn("+15551234567"), try await fixture.signedIn("+15551234568"))
        try await fixture.giveUp(first.id, telling: OutboxMessage(kind: .revokeUser, payload: "broken"))
        fixture.tokenService.setAway(true)
        _ = try await fixture.deletion()(second, requestID: nil)
        fixture.tokenService.setAway(false)
        fixture.clock.advance(seconds: 60)
        await fixture.worker().round()
        #expect(fixture.tokenService.revocations.map(\.userID) == [second.id.text(prefix: UserFixture.prefix)])
        #expect(try await fixture.outbox.pendingCount(.token) == 1)
    }

    @Test func `rows of a newer version are left to it`() async throws {
        let fixture = try UserFixture()
        try await fixture.execute(
            "INSERT INTO outbox (kind, user_id, payload, next_attempt_at, created_at) VALUES ('new', x'00', '{}', 0, 0)"
        )
        #expect(try await !fixture.outbox.hasDue(.token, now: fixture.clock.seconds))
        let lease = Lease(name: "outbox", holder: "a", lifetimeSeconds: 30)
        #expect(try await fixture.outbox.takeDue(.token, limit: 8, lease: lease, now: fixture.clock.seconds).isEmpty)
    }
}
