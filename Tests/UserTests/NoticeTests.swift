import InternalAPI
import SQLiteStore
import Storage
import Testing

@testable import UserCore
@testable import UserTables

/// Mails to a user who schedules the account for deletion.
@Suite struct NoticeTests {
    private static let email = VerifiedIdentity(kind: .email, value: "ann@example.com")

    @Test func `who gives his account up is told by mail, once, whatever happens meanwhile`() async throws {
        let fixture = try UserFixture()
        let user = try await fixture.signedIn(Self.email)
        fixture.otpService.setAway(true)
        _ = try await fixture.deletion()(user, requestID: nil)
        _ = try await fixture.deletion()(user, requestID: nil)
        // Nothing in the file reveals the recipient.
        #expect(try await fixture.texts("SELECT payload FROM outbox").allSatisfy { !$0.contains("example") })
        for _ in 0..<5 {
            fixture.clock.advance(seconds: 60)
            await fixture.worker(.mail).round()
        }
        fixture.otpService.setAway(false)
        fixture.clock.advance(seconds: 60)
        await fixture.worker(.mail).round()
        await fixture.worker(.mail).round()
        let notice = try #require(fixture.otpService.notices.first)
        #expect(fixture.otpService.notices.count == 1 && notice.to == "ann@example.com")
        #expect(notice.kind == .accountDeletion && notice.at == fixture.clock.seconds - 360 + 30 * 86_400)
        #expect(try await fixture.outbox.standing(.mail) == OutboxStanding(pending: 0, oldestAt: nil, dead: 0))
    }

    @Test func `after an hour it is not tried any more`() async throws {
        let fixture = try UserFixture()
        _ = try await fixture.deletion()(try await fixture.signedIn(Self.email), requestID: nil)
        fixture.otpService.setAway(true)
        for _ in 0..<12 {
            #expect(try await fixture.outbox.standing(.mail).dead == 0)
            fixture.clock.advance(seconds: 299)
            await fixture.worker(.mail).round()
        }
        #expect(try await fixture.outbox.standing(.mail).dead == 1)
        fixture.otpService.setAway(false)
        await fixture.worker(.mail).round()
        #expect(fixture.otpService.notices.isEmpty)
    }

    @Test func `one that was given up goes a week later, and one that waits does not`() async throws {
        let fixture = try UserFixture()
        let user = try await fixture.signedIn(Self.email)
        fixture.tokenService.setAway(true)
        await #expect(throws: Unconfirmed.self) { try await fixture.deletion()(user, requestID: nil) }
        func swept() async throws -> Int {
            let now = fixture.clock.seconds
            let sweeper = Sweeper(
                database: fixture.database, sweeps: [], holder: "a", now: { now }, logger: fixture.logger)
            return try await sweeper.pass(ExpiredRows.deadRows)
        }
        fixture.clock.advance(seconds: OutboxLimits.deadMailKeptSeconds - 1)
        #expect(try await swept() == 0)
        let notice = try #require(try await fixture.outbox.pending(.mail, about: user.id, limit: 1).first)
        fixture.clock.advance(seconds: 1)
        #expect(try await swept() == 0)
        try await fixture.outbox.postpone(notice.id, until: nil)
        #expect(try await swept() == 1)
        #expect(try await fixture.texts("SELECT lane FROM outbox") == ["token"])
    }

    @Test func `who has no address is told nothing`() async throws {
        let fixture = try UserFixture()
        _ = try await fixture.deletion()(try await fixture.signedIn("+15551234567"), requestID: nil)
        #expect(try await fixture.outbox.standing(.mail).pending == 0)
    }
}
