import InternalAPI
import Logging
import Storage
import Synchronization
import TestSupport
import Testing

@testable import UserCore

@Suite struct OutboxTests {
    @Test func `pauses double and are bounded`() {
        let pauses = [0, 1, 2, 3, 4, 5, 6, 100, Int64.max].map {
            OutboxLimits.nextAttempt(.revokeUser, attempts: $0, createdAt: 0, now: 0)
        }
        #expect(pauses == [1, 1, 2, 4, 8, 15, 15, 15, 15])
        #expect(OutboxLimits.nextAttempt(.forgetNetworks, attempts: 9, createdAt: 0, now: 1_000_000) == 1_000_015)
    }

    @Test func `mails wait for up to five minutes, and an hour in all`() {
        let pauses = [1, 2, 8, 9, 100].map { OutboxLimits.nextAttempt(.notice, attempts: $0, createdAt: 0, now: 0) }
        #expect(pauses == [1, 2, 128, 256, 300])
        #expect(OutboxLimits.nextAttempt(.notice, attempts: 100, createdAt: 0, now: 3_600 - 301) == 3_599)
        #expect(OutboxLimits.nextAttempt(.notice, attempts: 100, createdAt: 0, now: 3_600 - 300) == nil)
    }

    @Test func `codes are tried for five minutes, and revocations at Apple for seven days`() {
        func next(_ kind: OutboxMessage.Kind, at now: Int64) -> Int64? {
            OutboxLimits.nextAttempt(kind, attempts: 100, createdAt: 0, now: now)
        }
        #expect(next(.exchangeCode, at: 284) == 299 && next(.exchangeCode, at: 285) == nil)
        let week: Int64 = 7 * 86_400
        #expect(next(.revokeToken, at: week - 301) == week - 1 && next(.revokeToken, at: week - 300) == nil)
    }

    @Test func `mails on their way grow with each that goes out, and are halved by each that does not`() {
        var places = OutboxLimits.sentAtOnce.lowerBound
        for _ in 0..<100 { places = OutboxLimits.places(after: places, isSent: true) }
        #expect(places == 32)
        let after = (0..<4).map { _ in
            places = OutboxLimits.places(after: places, isSent: false)
            return places
        }
        #expect(after == [16, 8, 8, 8])
    }

    @Test func `a row that does not decode is kept and does not stop the others`() async throws {
        let fixture = try UserFixture()
        let (first, second) = (try await fixture.signedIn("+15551234567"), try await fixture.signedIn("+15551234568"))
        try await fixture.giveUp(first.id, telling: OutboxMessage(kind: .revokeUser, payload: "broken"))
        fixture.tokenService.setAway(true)
        await #expect(throws: Unconfirmed.self) { try await fixture.deletion()(second, requestID: nil) }
        fixture.tokenService.setAway(false)
        fixture.clock.advance(seconds: 60)
        await fixture.worker().round()
        #expect(fixture.tokenService.revocations.map(\.userID) == [second.id.text(prefix: UserFixture.prefix)])
        #expect(try await fixture.outbox.standing(.token).pending == 1)
    }

    @Test func `what the operator does to a row is in the audit, under whom it is about`() async throws {
        let fixture = try UserFixture()
        let user = try await fixture.signedIn(VerifiedIdentity(kind: .email, value: "ann@example.com"))
        _ = try await fixture.deletion(graceDays: 0)(user, requestID: nil)
        let notice = try #require(try await fixture.outbox.pending(.mail, about: user.id, limit: 1).first)
        let origin = RequestOrigin(requestID: "r-1", method: RequestOrigin.operatorMethod)
        let now = fixture.clock.seconds
        func noted() async throws -> [String] {
            try await fixture.texts(
                """
                SELECT event || ' ' || detail || ' ' || method || ' ' || request_id || iif(users.id IS NULL, ' nobody', ' him')
                FROM audit LEFT JOIN users ON subject = pseudonym WHERE event LIKE 'outbox.%' ORDER BY audit.number
                """)
        }
        #expect(try await fixture.outbox.retry(notice.id, origin: origin, now: now))
        #expect(try await !fixture.outbox.retry(notice.id + 99, origin: origin, now: now))
        #expect(try await noted() == ["outbox.retried notice operator r-1 him"])
        await fixture.removal().round()
        let removal = try #require(try await fixture.outbox.pending(.token, about: user.id, limit: 1).first)
        #expect(try await !fixture.outbox.drop(removal.id, in: .mail, origin: origin, now: now))
        #expect(try await fixture.outbox.drop(notice.id, in: .mail, origin: origin, now: now))
        #expect(try await noted().last == "outbox.dropped notice operator r-1 nobody")
        #expect(try await noted().count == 2)
    }

    @Test(.timeLimit(.minutes(5))) func `mails that come too late are told while others are on their way`() async throws
    {
        let fixture = try UserFixture()
        for number in 0..<24 {
            let user = try await fixture.signedIn(VerifiedIdentity(kind: .email, value: "ann\(number)@example.com"))
            _ = try await fixture.deletion()(user, requestID: nil)
        }
        fixture.clock.advance(seconds: OutboxLimits.ownAttemptSeconds)
        fixture.otpService.setDelay(.milliseconds(700))
        let alarms = Alarms()
        let worker = OutboxWorker(
            lane: .mail, store: fixture.outbox, courier: fixture.courier, holder: "a", now: fixture.clock.unix,
            logger: Logger(label: "test") { _ in alarms })
        async let round: Void = worker.round()
        try await eventually("mails are on their way") { fixture.otpService.callCount > 0 }
        #expect(alarms.count == 0)
        fixture.clock.advance(seconds: OutboxLimits.mailLateSeconds)
        await round
        #expect(alarms.count >= 1)
        #expect(fixture.otpService.notices.count == 24)
        #expect(try await fixture.outbox.standing(.mail).pending == 0)
    }

    @Test func `rows of a newer version are left to it`() async throws {
        let fixture = try UserFixture()
        try await fixture.execute(
            """
            INSERT INTO outbox (lane, kind, user_id, payload, next_attempt_at, created_at, rank, network, turn)
            VALUES ('token', 'new', x'00', '{}', 0, 0, 0, '', 0)
            """
        )
        #expect(try await !fixture.outbox.hasDue(.token, now: fixture.clock.seconds))
        let lease = Lease(name: "outbox", holder: "a", lifetimeSeconds: 30)
        #expect(try await fixture.outbox.takeDue(.token, limit: 8, lease: lease, now: fixture.clock.seconds).isEmpty)
    }
}

/// Counts the lines that tell of late mails.
private final class Alarms: LogHandler {
    private let told = Mutex(0)

    var count: Int { told.withLock { $0 } }
    var logLevel: Logger.Level {
        get { .trace }
        set {}
    }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) {
        if "\(event.message)" == "outbox.late" { told.withLock { $0 += 1 } }
    }
}
