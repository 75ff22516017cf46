import CryptoPrimitives
import InternalAPI
import Policies
import Storage
import TestSupport
import Testing

@testable import UserCore

/// Pending changes in the storage, and the job that carries them out.
@Suite(.timeLimit(.minutes(10))) struct PendingChangeTests {
    private static let next = VerifiedIdentity.phone("+15557654321")
    private static let day: Int64 = 86_400

    private func change(
        of user: User, in fixture: OwnIdentityFixture, movesAt: Int64? = Self.day, replaced: String? = "+15551234567"
    ) throws -> PendingChange {
        let content = PhoneReplacement.Content(replaced: replaced, startedBy: "operator alice")
        let sealed = try PendingSeal(ring: fixture.keys.storage).seal(content, .phone, of: user.id)
        return PendingChange(
            id: UUIDText.random(), kind: .phone, user: user.id, number: Self.next.value, sealed: sealed,
            createdAt: 1_000, movesAt: movesAt)
    }

    private func facts(_ subject: UserQuestion.Subject, _ fixture: OwnIdentityFixture) async throws -> UserFacts {
        try await fixture.users.facts(UserQuestion(subject, askedAt: OwnIdentityFixture.now))
    }

    private func endings(_ fixture: OwnIdentityFixture) async throws -> [String?] {
        let request = AuditRequest(event: AuditEntry.Event.phoneChangeEnded.rawValue, limit: 9)
        return try await fixture.storage.queries.audit(request, of: nil).records.map(\.detail)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a change is found by its users and its number, starts once, and ends`(_ engine: DatabaseKind) async throws {
        let fixture = try await OwnIdentityFixture(engine)
        let (user, other) = (try await fixture.storage.user(), try await fixture.storage.user("+15551234568"))
        let pending = try change(of: user, in: fixture, movesAt: nil)
        let change = PendingChange(
            id: pending.id, kind: .phone, user: user.id, other: other.id, number: pending.number,
            sealed: pending.sealed, createdAt: 1_000)
        try await fixture.users.put([.addPending(change)], now: 1_000)
        for subject in [.identities(user.id), .identities(other.id), .identity(Self.next)] as [UserQuestion.Subject] {
            #expect(try await facts(subject, fixture).pending == [change])
        }
        #expect(try await facts(.identity(OwnIdentityFixture.number), fixture).pending.isEmpty)
        for time in [5_000, 6_000] as [Int64] {
            try await fixture.users.put([.startPending(change, movesAt: time)], now: 1_000)
        }
        let queries = fixture.storage.queries
        #expect(try await queries.pendingChanges(dueAt: 4_999, limit: 9).isEmpty)
        #expect(try await queries.pendingChanges(dueAt: 5_000, limit: 9).map(\.movesAt) == [5_000])
        try await fixture.users.put([.endPending(of: other.id)], now: 1_000)
        #expect(try await facts(.identities(user.id), fixture).pending.isEmpty)
        // A sign-in that read the change before starts nothing.
        try await fixture.users.put([.startPending(change, movesAt: 7_000)], now: 1_000)
        #expect(try await queries.pendingChanges(dueAt: 9_000, limit: 9).isEmpty)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a due change gives the number, ends all sessions, and is carried out once`(
        _ engine: DatabaseKind
    ) async throws {
        let fixture = try await OwnIdentityFixture(engine)
        let user = try await fixture.storage.user()
        #expect(try await fixture.add(.email("ann@example.com"), to: user).result == .done)
        let before = try await fixture.user(user.id)
        try await fixture.users.put([.addPending(try change(of: user, in: fixture))], now: 1_000)
        await fixture.job(at: Self.day - 1).round()
        #expect(try await fixture.user(user.id) == before)
        async let first: Void = fixture.job(at: Self.day).round()
        async let second: Void = fixture.job(at: Self.day).round()
        _ = await (first, second)
        let after = try await fixture.user(user.id)
        #expect(after.phone == Self.next.value && after.email == before.email)
        #expect(after.epoch == before.epoch + 1 && after.version == before.version + 1)
        #expect(try await fixture.holder(of: OwnIdentityFixture.number) == nil)
        #expect(try await fixture.decisions(about: user) == [.identityAdded, .identityLost, .identityAdded])
        let messages = try await fixture.storage.outbox.pending(.token, about: user.id, limit: 9).map(\.message.kind)
        #expect(Set(messages.suffix(2)) == [.changeRights, .revokeUser])
        #expect(try await fixture.storage.outbox.pending(.mail, about: user.id, limit: 9).count == 1)
        let replaced = AuditRequest(event: AuditEntry.Event.identityReplaced.rawValue, limit: 9)
        let records = try await fixture.storage.queries.audit(replaced, of: nil).records
        #expect(records.map(\.origin.method) == ["operator alice"] && records.first?.subject == user.pseudonym)
        #expect(try await facts(.identities(user.id), fixture).pending.isEmpty)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a change that the facts no longer allow ends without effect`(_ engine: DatabaseKind) async throws {
        let fixture = try await OwnIdentityFixture(engine)
        let user = try await fixture.storage.user()
        func end(_ reason: String) async throws {
            let before = try await fixture.user(user.id)
            await fixture.job(at: Self.day).round()
            #expect(try await fixture.user(user.id) == before)
            #expect(try await facts(.identities(user.id), fixture).pending.isEmpty)
            #expect(try await endings(fixture).first == reason)
        }
        try await fixture.users.put([.addPending(try change(of: user, in: fixture, replaced: nil))], now: 1_000)
        try await end("number changed meanwhile")
        var inactive = user
        inactive.isActive = false
        try await fixture.users.put([.addPending(try change(of: user, in: fixture)), .update(inactive)], now: 1_000)
        try await end("account not active")
        try await fixture.users.put([.update(user), .addPending(try change(of: user, in: fixture))], now: 1_000)
        let other = try await fixture.storage.user("+15551234568")
        #expect(try await fixture.add(Self.next, to: other).result == .done)
        try await end("number in use")
        #expect(try await fixture.holder(of: Self.next) == other.id)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a change goes with its user`(_ engine: DatabaseKind) async throws {
        let fixture = try await OwnIdentityFixture(engine)
        let user = try await fixture.storage.user()
        try await fixture.users.put([.addPending(try change(of: user, in: fixture))], now: 1_000)
        try await fixture.storage.remove(user)
        #expect(try await fixture.storage.queries.pendingChanges(dueAt: .max, limit: 9).isEmpty)
    }

    @Test func `content opens only in a change of its kind and user`() async throws {
        let fixture = try await OwnIdentityFixture(.sqlite)
        let (user, other) = (try await fixture.storage.user(), try await fixture.storage.user("+15551234568"))
        let (mine, others) = (try change(of: user, in: fixture), try change(of: other, in: fixture))
        let seal = PendingSeal(ring: fixture.keys.storage)
        #expect(seal.open(PhoneReplacement.Content.self, of: mine)?.startedBy == "operator alice")
        let moved = PendingChange(
            id: "a", kind: .phone, user: user.id, number: mine.number, sealed: others.sealed, createdAt: 1_000)
        #expect(seal.open(PhoneReplacement.Content.self, of: moved) == nil)
        try await fixture.users.put(
            [
                .addPending(
                    PendingChange(
                        id: "a", kind: .phone, user: user.id, number: mine.number, sealed: others.sealed,
                        createdAt: 1_000,
                        movesAt: 1_001))
            ], now: 1_000)
        await fixture.job(at: Self.day).round()
        #expect(try await endings(fixture) == ["not readable"])
        #expect(try await fixture.user(user.id) == user)
    }
}
