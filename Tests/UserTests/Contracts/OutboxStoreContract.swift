import InternalAPI
import Storage
import TestSupport
import Testing

@testable import UserCore

/// The promises of every engine about the outbox and removals.
@Suite struct OutboxStoreContract {
    private func lease(_ holder: String) -> Lease { Lease(name: "job", holder: holder, lifetimeSeconds: 30) }

    @Test(arguments: DatabaseKind.allCases)
    func `a row is due at its time, for one replica, until it is confirmed`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        _ = try await storage.giveUp(try await storage.user(), dueAt: 9_000)
        let outbox = storage.outbox
        #expect(try await !outbox.hasDue(.token, now: 1_004))
        #expect(try await outbox.hasDue(.token, now: 1_005))
        #expect(try await !outbox.hasDue(.otp, now: 1_005))
        let taken = try await outbox.takeDue(.token, limit: 9, lease: lease("a"), now: 1_005)
        #expect(taken.count == 1)
        #expect(try await outbox.takeDue(.token, limit: 9, lease: lease("b"), now: 1_005).isEmpty)
        try await outbox.postpone(taken[0].id, until: 1_020)
        #expect(try await outbox.takeDue(.token, limit: 9, lease: lease("a"), now: 1_019).isEmpty)
        let again = try await outbox.takeDue(.token, limit: 9, lease: lease("a"), now: 1_020)
        #expect(again.map(\.attempts) == [1])
        try await outbox.confirm(again[0])
        try await outbox.confirm(again[0])
        #expect(try await outbox.standing(.token).pending == 0)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a dead row waits for the operator alone`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let user = try await storage.user()
        let messages = [OutboxMessage(kind: .notice, payload: "x"), OutboxMessage(kind: .revokeUser, payload: "y")]
        #expect(try await storage.users.change(user, to: user, telling: messages, dueAt: 1_000) == .applied)
        let outbox = storage.outbox
        let notice = try #require(try await outbox.takeDue(.mail, limit: 9, lease: lease("a"), now: 1_000).first)
        #expect(notice.createdAt == 1_000)
        try await outbox.postpone(notice.id, until: nil)
        #expect(try await !outbox.hasDue(.mail, now: Int64.max - 1))
        #expect(try await outbox.standing(.mail) == OutboxStanding(pending: 0, oldestAt: nil, dead: 1))
        #expect(try await outbox.standing(.token) == OutboxStanding(pending: 1, oldestAt: 1_000, dead: 0))
        let rows = try await outbox.listed(behind: nil, limit: 9)
        #expect(rows.map(\.lane) == ["mail", "token"] && rows[0].nextAttemptAt == nil && rows[0].user == user.id)
        #expect(try await outbox.listed(behind: rows[0].id, limit: 9) == [rows[1]])
        // Tried again its time begins anew.
        #expect(try await outbox.retry(notice.id, origin: RequestOrigin(), now: 90_000))
        #expect(try await outbox.takeDue(.mail, limit: 9, lease: lease("a"), now: 90_000).first?.createdAt == 90_000)
        #expect(try await !outbox.retry(99, origin: RequestOrigin(), now: 90_000))
        #expect(try await !outbox.drop(rows[1].id, in: .mail, origin: RequestOrigin(), now: 90_000))
        #expect(try await outbox.drop(notice.id, in: .mail, origin: RequestOrigin(), now: 90_000))
        #expect(try await !outbox.drop(notice.id, in: .mail, origin: RequestOrigin(), now: 90_000))
        #expect(try await outbox.standing(.token).pending == 1)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `who is removed still gets the mail that says so, and one that is dead goes with him`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let user = try await storage.user()
        let notices = ["dead", "x"].map { OutboxMessage(kind: .notice, payload: $0) }
        #expect(try await storage.users.change(user, to: user, telling: notices, dueAt: 1_000) == .applied)
        let dead = try #require(try await storage.outbox.pending(.mail, about: user.id, limit: 1).first)
        try await storage.outbox.postpone(dead.id, until: nil)
        _ = try await storage.giveUp(user, dueAt: 1_500)
        let due = try #require(try await storage.removals.due(limit: 9, now: 1_500).first)
        #expect(try await storage.removals.remove(due, messages: [], lease: lease("a"), now: 1_500) == .removed)
        #expect(try await storage.outbox.pending(.mail, about: user.id, limit: 9).map(\.message.payload) == ["x"])
    }

    @Test(arguments: DatabaseKind.allCases)
    func `rows about a user come oldest first, and nobody else's`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        var user = try await storage.user()
        _ = try await storage.giveUp(try await storage.user("+15551234568"), dueAt: 9_000)
        for payload in ["1", "2", "3"] {
            var after = user
            after.version += 1
            let message = OutboxMessage(kind: .changeRights, payload: payload)
            #expect(try await storage.users.change(user, to: after, telling: [message], dueAt: 5_000) == .applied)
            user = after
        }
        let pending = try await storage.outbox.pending(.token, about: user.id, limit: 2)
        #expect(pending.map(\.message.payload) == ["1", "2"])
    }

    @Test(arguments: DatabaseKind.allCases)
    func `who is due is removed once, by the replica that has the lease`(_ engine: DatabaseKind) async throws {
        let under = try await StorageUnderTest(engine)
        let replicas = [try under.replica(), try under.replica()]
        let user = try await replicas[0].giveUp(try await replicas[0].user(), dueAt: 1_500)
        #expect(try await replicas[0].removals.due(limit: 9, now: 1_499).isEmpty)
        #expect(try await replicas[0].removals.firstDueAt() == 1_500)
        let due = try #require(try await replicas[0].removals.due(limit: 9, now: 1_500).first)
        #expect(due.user == user && due.proofIDs.count == 1)
        let messages = [OutboxMessage(kind: .removeUser, payload: "{}")]
        let outcomes = [
            try await replicas[0].removals.remove(due, messages: messages, lease: lease("a"), now: 1_500),
            try await replicas[1].removals.remove(due, messages: messages, lease: lease("b"), now: 1_500),
            try await replicas[0].removals.remove(due, messages: messages, lease: lease("a"), now: 1_500),
        ]
        #expect(outcomes == [.removed, .notOurTurn, .notDue])
        #expect(try await replicas[1].queries.user(user.id) == nil)
        #expect(try await replicas[1].queries.removed(behind: nil, limit: 9) == [user.id])
        // Waiting rows about the user are superseded.
        let told = try await replicas[1].outbox.pending(.token, about: user.id, limit: 9)
        #expect(told.map(\.message.kind) == [.removeUser])
        // A proof from before leads to no user.
        let facts = try await replicas[1].users.signInFacts(.phone("+15551234567"), proofID: due.proofIDs[0])
        #expect(facts.holder == nil && facts.earlier != nil && facts.earlier?.user == nil)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `who was restored while he was due stays`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let user = try await storage.giveUp(try await storage.user(), dueAt: 1_500)
        let due = try #require(try await storage.removals.due(limit: 9, now: 1_500).first)
        #expect(try await storage.users.change(user, to: user.restored(at: 1_400), now: 1_400) == .applied)
        #expect(try await storage.removals.remove(due, messages: [], lease: lease("a"), now: 1_500) == .notDue)
        #expect(try await storage.queries.user(user.id) == user.restored(at: 1_400))
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a record of another service is added once, by one replica at a time`(
        _ engine: DatabaseKind
    ) async throws {
        let under = try await StorageUnderTest(engine)
        let replicas = [try under.replica(), try under.replica()]
        let entry = AuditStreamEntry(id: "1-1", time: 900, entry: AuditEntry(event: .codeSent, subject: .zero))
        #expect(try await replicas[0].storage.audit.add([entry], lease: lease("a"), now: 1_000))
        #expect(try await !replicas[1].storage.audit.add([entry], lease: lease("b"), now: 1_000))
        // PostgreSQL's leases expire by the clock of the server: this one at once.
        let short = Lease(name: "job", holder: "a", lifetimeSeconds: 0)
        #expect(try await replicas[0].storage.audit.add([entry], lease: short, now: 1_000))
        #expect(try await replicas[1].storage.audit.add([entry], lease: lease("b"), now: 1_030))
    }
}
