import AuthAPI
import GRDB
import InternalAPI
import Storage
import TestSupport
import Testing

@testable import SQLiteStore
@testable import UserCore
@testable import UserTables

/// A backup is older than a removal: its restore brings no user back.
@Suite struct OrderedRemovalTests {
    private let fixture: UserFixture
    private let phone = "+15551234567"

    init() throws { fixture = try UserFixture() }

    @Test func `who was removed is removed again before anything is served, and the others are there`() async throws {
        _ = try await fixture.signIn(phone, id: "early", name: "Betty Testcase").answered
        let user = try await fixture.signedIn(phone)
        let bystander = try await fixture.signedIn("+15551234568")
        let unknown = UserID(milliseconds: 0, random: { [UInt8](repeating: 7, count: $0) })
        let database = try await fixture.restored(without: [user.id, unknown])
        let store = Users(database: database)
        #expect(try await store.user(user.id) == nil)
        #expect(try await store.user(bystander.id) != nil)
        let removed = try await Users(database: database).removed(behind: nil, limit: 9)
        #expect(Set(removed) == [user.id, unknown])
        let waiting = try await database.read { try OrderedRemovals.ids(in: $0) }
        #expect(waiting.isEmpty)
        let early = try fixture.attestation(.phone(phone), id: "early")
        #expect(try await fixture.resolver(over: database)(early) == .refused(.attestationRefused))
        await database.boundLog()
        for trace in try Trace.files(in: fixture.folder + "/data") {
            for canary in Canary.number(phone) + [Canary("Betty Testcase")] {
                #expect(!canary.stands(in: trace.bytes), "\(canary) is in \(trace.name)")
            }
        }
    }

    @Test(arguments: [false, true])
    func `the app's back end is told of the restore only if there is a hook`(_ writesEvents: Bool) async throws {
        _ = try await fixture.signedIn(phone)
        let database = try await fixture.restored(writesEvents: writesEvents)
        let kinds = try await database.read { try $0.rows("SELECT kind FROM user_events").map { $0.text(0) } }
        #expect(kinds == (writesEvents ? ["user.all_changed"] : []))
    }

    @Test func `a registration that became one of them is over, and others are open`() async throws {
        let (mine, others) = (UserID.new(), UserID.new())
        let now = fixture.clock.seconds
        for (id, address) in [(mine, "ann@example.com"), (others, "bob@example.com")] {
            let registration = Registration(
                id: id, address: address, passwordHash: "x", name: nil, createdAt: now, expiresAt: now + 3_600)
            let message = OutboxMessage(kind: .notice, payload: "x")
            try await fixture.store.put(
                [.addRegistration(registration), .tell(message, about: id, dueAt: now)], now: now)
        }
        let database = try await fixture.restored(without: [mine])
        let (store, outbox) = (Users(database: database), Outbox(database: database))
        for (address, isOpen) in [("ann@example.com", false), ("bob@example.com", true)] {
            let facts = try await store.facts(UserQuestion(.address(address), call: nil, askedAt: now))
            #expect(facts.registrations.isEmpty != isOpen)
        }
        #expect(try await outbox.pending(.mail, about: mine, limit: 9).isEmpty)
        #expect(try await outbox.pending(.mail, about: others, limit: 9).count == 1)
    }

    @Test func `of whom the backup knows that he was removed the others are still told`() async throws {
        let user = try await fixture.signedIn(phone)
        _ = try await fixture.deletion(graceDays: 0)(user, requestID: nil)
        await fixture.removal().round()
        #expect(try await fixture.store.user(user.id) == nil)
        let database = try await fixture.restored(without: [user.id])
        let outbox = Outbox(database: database)
        #expect(try await outbox.pending(.token, about: user.id, limit: 9).map(\.message.kind) == [.removeUser])
        #expect(try await outbox.pending(.otp, about: user.id, limit: 9).map(\.message.kind) == [.forgetNetworks])
    }

    @Test func `without a list the backup is what it was`() async throws {
        let user = try await fixture.signedIn(phone)
        let database = try await fixture.restored(without: [])
        #expect(try await Users(database: database).user(user.id) != nil)
    }
}
