import CryptoPrimitives
import GRDB
import InternalAPI
import Storage
import TestSupport
import Testing

@testable import SQLiteStore
@testable import UserCore

@Suite struct DeleteAccountTests {
    private let fixture: UserFixture
    private let phone = "+15551234567"

    init() throws { fixture = try UserFixture() }

    /// The day of a deletion that is asked for at the start.
    private var due: Int64 { TestClock.startSeconds + 30 * 86_400 }

    private func epoch() async throws -> Int64? {
        try await fixture.database.withReader { try Int64.fetchOne($0, sql: "SELECT epoch FROM users") }
    }

    @Test func `deletion raises the epoch and answers once token-service has ended the sessions`() async throws {
        let user = try await fixture.signedIn(phone)
        #expect(try await fixture.deletion()(user, requestID: "r-9") == due)
        let id = user.id.text(prefix: UserFixture.prefix)
        #expect(fixture.tokenService.revocations == [RevokeUserRequest(userID: id, epoch: 2, reason: .deleted)])
        #expect(try await epoch() == 2)
        #expect(try await fixture.count("outbox") == 0)
        #expect(try await fixture.read(user) == .refused(.invalidToken))
        #expect(try await fixture.auditEvents() == ["user.created", "user.deletion_requested"])
    }

    @Test func `the operator has a user removed at once, also one who was scheduled before`() async throws {
        for isScheduled in [false, true] {
            let user = try await fixture.signedIn(phone)
            if isScheduled { _ = try await fixture.deletion()(user, requestID: nil) }
            let request = DeleteUserRequest(userID: user.id.text(prefix: UserFixture.prefix), now: true)
            for _ in 0..<2 {
                #expect(
                    try await fixture.deletion()(request, requestID: nil)
                        == .answer(DeletionSchedule(dueAt: fixture.clock.seconds)))
            }
            await fixture.removal().round()
            #expect(try await fixture.store.user(user.id) == nil)
            #expect(try await fixture.deletion()(request, requestID: nil) == .refused(.notFound))
        }
    }

    @Test func `without token-service it is not confirmed, and the outbox tries until it is`() async throws {
        let user = try await fixture.signedIn(phone)
        fixture.tokenService.setAway(true)
        await #expect(throws: Unconfirmed.self) { try await fixture.deletion()(user, requestID: nil) }
        #expect(try await fixture.count("outbox") == 1)
        for _ in 0..<10 {
            fixture.clock.advance(seconds: 15)
            await fixture.worker().round()
        }
        #expect(fixture.tokenService.attempts == 11)
        #expect(try await fixture.count("outbox") == 1)
        fixture.tokenService.setAway(false)
        fixture.clock.advance(seconds: 15)
        await fixture.worker().round()
        #expect(fixture.tokenService.revocations.map(\.epoch) == [2])
        #expect(try await fixture.count("outbox") == 0)
        await fixture.worker().round()
        #expect(fixture.tokenService.attempts == 12)
    }

    @Test func `many deletions at once are one, and each is answered with its day`() async throws {
        let user = try await fixture.signedIn(phone)
        let results = try await concurrently(8) { _ in try await fixture.deletion()(user, requestID: nil) }
        #expect(results == Array(repeating: due, count: 8))
        #expect(try await epoch() == 2)
        #expect(try await fixture.auditEvents() == ["user.created", "user.deletion_requested"])
    }

    @Test func `a repeat changes nothing and confirms what was not confirmed`() async throws {
        let user = try await fixture.signedIn(phone)
        fixture.tokenService.setAway(true)
        await #expect(throws: Unconfirmed.self) { try await fixture.deletion()(user, requestID: nil) }
        fixture.tokenService.setAway(false)
        #expect(try await fixture.deletion()(user, requestID: nil) == due)
        #expect(try await fixture.deletion()(user, requestID: nil) == due)
        #expect(fixture.tokenService.revocations.count == 1)
        #expect(try await epoch() == 2)
        #expect(try await fixture.auditEvents() == ["user.created", "user.deletion_requested"])
    }

    @Test func `the worker leaves a fresh row to the request that wrote it`() async throws {
        let user = try await fixture.signedIn(phone)
        fixture.tokenService.setAway(true)
        try await fixture.giveUp(user.id, telling: OutboxMessage(kind: .revokeUser, payload: "{}"))
        await fixture.worker().round()
        #expect(fixture.tokenService.attempts == 0)
        #expect(try await fixture.outbox.hasDue(.token, now: fixture.clock.seconds + OutboxLimits.ownAttemptSeconds))
    }

    private static func lease(_ holder: String) -> Lease {
        Lease(name: "outbox", holder: holder, lifetimeSeconds: OutboxLimits.leaseSeconds)
    }

    @Test func `of two replicas one works the outbox off until its lease ends`() async throws {
        let user = try await fixture.signedIn(phone)
        fixture.tokenService.setAway(true)
        await #expect(throws: Unconfirmed.self) { try await fixture.deletion()(user, requestID: nil) }
        let due = fixture.clock.seconds + 60
        #expect(try await fixture.outbox.takeDue(.token, limit: 8, lease: Self.lease("a"), now: due).count == 1)
        #expect(try await fixture.outbox.takeDue(.token, limit: 8, lease: Self.lease("b"), now: due).isEmpty)
        let later = due + OutboxLimits.leaseSeconds
        #expect(try await fixture.outbox.takeDue(.token, limit: 8, lease: Self.lease("b"), now: later).count == 1)
    }

    @Test func `if the message cannot be written nothing is scheduled`() async throws {
        let user = try await fixture.signedIn(phone)
        try await fixture.breakOutbox()
        await #expect(throws: StorageError.self) { try await fixture.deletion()(user, requestID: nil) }
        #expect(try await epoch() == 1)
        #expect(try await fixture.auditEvents() == ["user.created"])
    }

    @Test func `an unknown user cannot be deleted`() async throws {
        let id = UserID(milliseconds: 0, random: SecureRandom.bytes)
        let stranger = SignedInUser(id: id, sessionID: "s")
        #expect(try await fixture.deletion()(stranger, requestID: nil) == nil)
    }
}
