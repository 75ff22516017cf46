import FoundationEssentials
import GRDB
import InternalAPI
import Storage
import TestSupport
import Testing

@testable import SQLiteStore
@testable import UserCore
@testable import UserTables

/// A restore of an older backup does not undo security decisions if it has their list.
@Suite(.timeLimit(.minutes(5))) struct SecurityDecisionTests {
    private static let phone = "+15551234567"

    private func decisions(_ database: SQLiteDatabase, after sequence: Int64 = 0) async throws -> [RecordedDecision] {
        try await Users(database: database).decisions(after: sequence, limit: 500)
    }

    private func rows(_ decisions: [RecordedDecision]) -> [OrderedDecision] {
        decisions.map {
            OrderedDecision(
                sequence: $0.sequence, kind: $0.kind.rawValue, subject: $0.subject.bytes, detail: $0.detail)
        }
    }

    private func holder(of identity: VerifiedIdentity, _ database: SQLiteDatabase) async throws -> UserID? {
        try await Outbox(database: database).holder(of: identity)
    }

    /// Changes a user as the operator does.
    private func change(_ id: UserID, _ fixture: UserFixture, _ change: (inout User) -> Void) async throws {
        let user = try #require(try await fixture.store.user(id))
        var after = user
        change(&after)
        #expect(try await fixture.store.change(user, to: after, now: fixture.clock.seconds) == .applied)
    }

    /// The file as it was before `later`, restored with the list of what `later` decided.
    private func restored(
        _ fixture: UserFixture, _ later: () async throws -> Void, withList: Bool = true
    ) async throws -> SQLiteDatabase {
        try await fixture.restored {
            try await later()
            return withList ? rows(try await decisions(fixture.database)) : nil
        }
    }

    @Test func `a deactivated user stays deactivated, and one who was reactivated since does not`() async throws {
        let fixture = try UserFixture()
        let (first, second) = (try await fixture.signedIn(Self.phone), try await fixture.signedIn("+15551234568"))
        let database = try await restored(fixture) {
            try await change(first.id, fixture) { $0.isActive = false }
            try await change(second.id, fixture) { $0.isActive = false }
            try await change(second.id, fixture) { $0.isActive = true }
        }
        #expect(try await Users(database: database).user(first.id)?.isActive == false)
        #expect(try await Users(database: database).user(second.id)?.isActive == true)
    }

    @Test func `a list gives no role, and activates no user`() async throws {
        let fixture = try UserFixture()
        let user = try await fixture.signedIn(Self.phone)
        try await change(user.id, fixture) { $0.isActive = false }
        let database = try await restored(fixture) {
            try await change(user.id, fixture) { ($0.isActive, $0.role) = (true, "admin") }
        }
        let after = try #require(try await Users(database: database).user(user.id))
        #expect(!after.isActive && after.role == "user")
    }

    @Test func `identities that users were given since are theirs again, unless they lost them later`() async throws {
        let fixture = try UserFixture()
        let user = try await fixture.signedIn(Self.phone)
        let (next, last) = (VerifiedIdentity.phone("+15551234568"), VerifiedIdentity.phone("+15551234569"))
        let database = try await restored(fixture) {
            for (old, new) in [(VerifiedIdentity.phone(Self.phone), next), (next, last)] {
                let gained: [UserChange] = [
                    .endIdentity(old), .assignIdentity(new, to: user.id, isUsed: false),
                    try fixture.move.identities.noteAdded(new, to: user.id),
                ]
                try await fixture.store.put(gained, now: fixture.clock.seconds)
            }
        }
        #expect(try await decisions(fixture.database).allSatisfy { $0.detail?.contains("555") != true })
        let users = Users(database: database)
        let given = RestoredIdentities(
            queries: users, store: users, seal: fixture.move.identities, now: fixture.clock.unix,
            logger: fixture.logger)
        #expect(await !given.isDone())
        #expect(try await !given.round())
        #expect(await given.isDone())
        for (identity, owner) in [(VerifiedIdentity.phone(Self.phone), nil), (next, nil), (last, user.id)] {
            #expect(try await holder(of: identity, database) == owner)
        }
        #expect(try await users.user(user.id)?.phone == last.value)
    }

    @Test(arguments: [true, false])
    func `accounts that were merged since are merged again, if both are in the backup`(
        isOlder: Bool
    ) async throws {
        let fixture = try UserFixture()
        let (mine, moved) = (VerifiedIdentity.phone(Self.phone), VerifiedIdentity.phone("+15551234568"))
        let signedIn = try await fixture.signedIn(moved.value)
        let other = try #require(try await fixture.store.user(signedIn.id))
        let early = isOlder ? try await fixture.signedIn(Self.phone) : nil
        let database = try await restored(fixture) {
            let user = if let early { early } else { try await fixture.signedIn(Self.phone) }
            let changes =
                [.endIdentity(mine), .merge(other, into: user.id)] + (try fixture.move.assigning(moved, to: user.id))
            try await fixture.store.put(changes, now: fixture.clock.seconds)
        }
        let users = Users(database: database)
        let given = RestoredIdentities(
            queries: users, store: users, seal: fixture.move.identities, now: fixture.clock.unix,
            logger: fixture.logger)
        #expect(try await !given.round())
        #expect(try await users.merged(other.id)?.into == early?.id)
        #expect((try await users.user(other.id) == nil) == isOlder)
        #expect(try await holder(of: moved, database) == early?.id ?? other.id)
        #expect(try await holder(of: mine, database) == nil)
    }

    @Test func `an account that was under review is so again, unless the review was cleared`() async throws {
        let fixture = try UserFixture()
        let (first, second) = (try await fixture.signedIn(Self.phone), try await fixture.signedIn("+15551234568"))
        let database = try await restored(fixture) {
            for since: Int64 in [80, 70, 90] {
                try await fixture.store.put([.openReview(of: first.id, since: since)], now: fixture.clock.seconds)
            }
            try await fixture.store.put([.openReview(of: second.id, since: 80)], now: fixture.clock.seconds)
            try await fixture.store.put([.closeReview(of: second.id)], now: fixture.clock.seconds)
        }
        let reviews = try await Users(database: database).reviews(behind: nil, limit: 9)
        #expect(reviews.map(\.user) == [first.id] && reviews.map(\.since) == [70])
    }

    @Test func `a former administrator is none again, unless the role was given back`() async throws {
        let fixture = try UserFixture()
        let (first, second) = (try await fixture.signedIn(Self.phone), try await fixture.signedIn("+15551234568"))
        for user in [first, second] { try await change(user.id, fixture) { $0.role = "admin" } }
        let database = try await restored(fixture) {
            try await change(first.id, fixture) { $0.role = "editor" }
            try await change(second.id, fixture) { $0.role = "user" }
            try await change(second.id, fixture) { $0.role = "admin" }
        }
        #expect(try await Users(database: database).user(first.id)?.role == "user")
        #expect(try await Users(database: database).user(second.id)?.role == "admin")
    }

    @Test(arguments: [true, false])
    func `what users asked for about their accounts' deletion survives, and no removal comes within a week`(
        withList: Bool
    ) async throws {
        let fixture = try UserFixture()
        let (now, day) = (fixture.clock.seconds, Int64(86_400))
        func scheduled(_ days: Int64) -> ScheduledDeletion {
            ScheduledDeletion(requestedAt: now - day, dueAt: now + days * day)
        }
        var ids: [UserID] = []
        for number in 0..<6 { ids.append(try await fixture.signedIn("+1555123456\(number)").id) }
        // In the backup: these two have asked, and are due soon and late.
        try await change(ids[0], fixture) { $0.deletion = scheduled(1) }
        try await change(ids[1], fixture) { $0.deletion = scheduled(20) }
        let database = try await restored(
            fixture,
            {
                try await change(ids[0], fixture) { $0.deletion = nil }
                try await change(ids[2], fixture) { $0.deletion = scheduled(2) }
                try await change(ids[3], fixture) { $0.deletion = scheduled(25) }
                try await change(ids[4], fixture) { $0.deletion = scheduled(2) }
                try await change(ids[4], fixture) { $0.deletion = nil }
            }, withList: withList)
        var due: [Int64?] = []
        for id in ids {
            let deletion = try await Users(database: database).user(id)?.deletion
            #expect(deletion.map { $0.requestedAt == now - day } ?? true)
            due.append(deletion.map { ($0.dueAt - now) / day })
        }
        #expect(due == (withList ? [nil, 20, 7, 25, nil, nil] : [7, 20, nil, nil, nil, nil]))
        #expect(try await Removals(database: database).due(limit: 9, now: now + 7 * day - 1).isEmpty)
    }

    @Test func `an old password is void, and one that the backup knows is not`() async throws {
        try await withAccounts { accounts async throws in
            let fixture = accounts.users
            let changed = try await accounts.user()
            let kept = try await accounts.user("bob@example.com")
            guard case .answer(let first) = try await accounts.change(kept, to: "quite another one") else {
                throw UserFixture.Unexpected()
            }
            #expect(first.result == .done)
            let database = try await restored(fixture) {
                _ = try await accounts.change(changed, to: "quite another one")
            }
            let store = Users(database: database)
            for (user, hasPassword) in [(changed.id, false), (kept.id, true)] {
                let facts = try await store.facts(UserQuestion(.account(user), askedAt: 0))
                #expect((facts.password != nil) == hasPassword)
            }
        }
    }

    @Test func `a login that replaces a hash is no decision`() async throws {
        let fixture = try UserFixture()
        let user = try await fixture.signedIn(Self.phone)
        for hash in ["a", "b"] {
            try await fixture.store.put([.setPassword(StoredPassword(hash: hash, version: 1), of: user.id)], now: 1)
        }
        #expect(try await decisions(fixture.database).isEmpty)
        try await fixture.store.put([.setPassword(StoredPassword(hash: "c", version: 2), of: user.id)], now: 1)
        try await fixture.store.put([.removePassword(of: user.id)], now: 1)
        #expect(try await decisions(fixture.database).map(\.kind) == [.passwordChanged, .passwordChanged])
    }

    /// The number was stolen, and the account got another one.
    @Test func `a number that was taken from an account does not open it again`() async throws {
        let fixture = try UserFixture()
        let (victim, other) = (try await fixture.signedIn(Self.phone), try await fixture.signedIn("+15551234568"))
        let database = try await restored(fixture) {
            try await fixture.store.put([.endIdentity(.phone(Self.phone))], now: fixture.clock.seconds)
        }
        #expect(try await holder(of: .phone(Self.phone), database) == nil)
        #expect(try await holder(of: .phone("+15551234568"), database) == other.id)
        #expect(try await Users(database: database).user(victim.id) != nil)
    }

    @Test func `a moved number leaves the account that had it, and one signed in with again is no decision`()
        async throws
    {
        let fixture = try UserFixture()
        let (old, new) = (try await fixture.signedIn(Self.phone), try await fixture.signedIn("+15551234568"))
        let now = fixture.clock.seconds
        try await fixture.store.put([.assignIdentity(.phone(Self.phone), to: old.id)], now: now + 60)
        #expect(try await decisions(fixture.database).isEmpty)
        let database = try await restored(fixture) {
            try await fixture.store.put([.assignIdentity(.phone(Self.phone), to: new.id)], now: now + 61)
        }
        #expect(try await holder(of: .phone(Self.phone), database) == nil)
    }

    @Test func `of identities that a user got in the same second a restore takes the lost one alone`() async throws {
        let fixture = try UserFixture()
        let (user, other) = (try await fixture.signedIn(Self.phone), try await fixture.signedIn("+15551234568"))
        let accounts = ["a", "b", "c"].map { VerifiedIdentity(provider: "google", subject: $0) }
        let now = fixture.clock.seconds
        try await fixture.store.put(accounts.map { .assignIdentity($0, to: user.id, isUsed: false) }, now: now)
        let database = try await restored(fixture) {
            try await fixture.store.put([.assignIdentity(accounts[1], to: other.id)], now: now)
        }
        for (identity, id) in zip(accounts, [user.id, nil, user.id]) {
            #expect(try await holder(of: identity, database) == id)
        }
    }

    @Test(arguments: [true, false])
    func `with the list the named invitations end, without it all`(withList: Bool) async throws {
        let fixture = try UserFixture()
        let now = fixture.clock.seconds
        let invitations = ["+15551234567", "+15551234568", "+15551234569"].map {
            Invitation(id: .new(), identity: .phone($0), role: "admin", expiresAt: now + 3_600)
        }
        try await fixture.store.put(invitations.map { .addInvitation($0) }, now: now)
        let database = try await restored(
            fixture,
            {
                // A new invitation to the same number takes the place of the second.
                let other = Invitation(
                    id: .new(), identity: invitations[1].identity, role: "user", expiresAt: now + 3_600)
                try await fixture.store.put([.endInvitation(invitations[0]), .addInvitation(other)], now: now)
            }, withList: withList)
        let open = try await Users(database: database).invitations(limit: 9, now: now).map(\.id)
        #expect(open == (withList ? [invitations[2].id] : []))
    }

    @Test func `decisions of before the backup change nothing, and numbers go on above all of before`() async throws {
        let fixture = try UserFixture()
        let user = try await fixture.signedIn(Self.phone)
        try await change(user.id, fixture) { $0.isActive = false }
        try await change(user.id, fixture) { $0.isActive = true }
        let list = rows(try await decisions(fixture.database))
        // The list has lost the reactivation, but the backup is newer than both.
        let database = try await fixture.restored { [list[0]] }
        #expect(try await Users(database: database).user(user.id)?.isActive == true)
        let stored = try #require(try await fixture.store.user(user.id))
        try await Users(database: database).put([.update(stored.inactive)], now: fixture.clock.seconds)
        let next = try #require(try await decisions(database).last)
        #expect(next.sequence > fixture.clock.seconds * 1_000_000)
    }

    @Test func `what a restore takes is audited and a decision of its own`() async throws {
        let fixture = try UserFixture()
        let user = try await fixture.signedIn(Self.phone)
        let database = try await restored(fixture) { try await change(user.id, fixture) { $0.isActive = false } }
        let events = try await database.withReader {
            try String.fetchAll($0, sql: "SELECT event || ' ' || detail FROM audit WHERE event LIKE '%decision%'")
        }
        #expect(events == ["user.decision_applied deactivated"])
        #expect(try await decisions(database).map(\.kind) == [.deactivated])
        let waiting = try await database.read { try OrderedDecisions.rows(in: $0) }
        #expect(waiting == nil)
    }

    @Test func `a decision stays as long as backups are kept, and goes then`() async throws {
        let fixture = try UserFixture()
        let user = try await fixture.signedIn(Self.phone)
        try await change(user.id, fixture) { $0.isActive = false }
        try await change(user.id, fixture) { $0.isActive = true }
        try await fixture.execute("UPDATE decisions SET at = \(fixture.clock.seconds) - (kind = 'deactivated')")
        func swept(after seconds: Int64) async throws -> [SecurityDecision.Kind] {
            let now = fixture.clock.seconds + seconds
            let sweeper = Sweeper(
                database: fixture.database, sweeps: [], holder: "a", now: { now }, logger: fixture.logger)
            _ = try await sweeper.pass(ExpiredRows.decisions)
            return try await decisions(fixture.database).map(\.kind)
        }
        let day: Int64 = 86_400
        #expect(try await swept(after: 400 * day - 2) == [.deactivated, .reactivated])
        #expect(try await swept(after: 400 * day - 1) == [.reactivated])
        #expect(try await swept(after: 400 * day) == [])
    }

    @Test func `a removed user leaves no decisions`() async throws {
        let fixture = try UserFixture()
        let user = try await fixture.signedIn(Self.phone)
        try await change(user.id, fixture) { $0.role = "admin" }
        let stored = try #require(try await fixture.store.user(user.id))
        try await fixture.database.write {
            try RemovalRows.remove(DueUser(user: stored, proofIDs: []), messages: [], now: 1, in: $0)
        }
        #expect(try await decisions(fixture.database).isEmpty)
    }
}

extension User {
    fileprivate var inactive: User {
        var after = self
        after.isActive = false
        return after
    }
}
