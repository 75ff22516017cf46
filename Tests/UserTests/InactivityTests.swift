import InternalAPI
import Logging
import Policies
import Storage
import TestSupport
import Testing

@testable import UserCore

/// The removal of accounts whose users were away for long.
@Suite(.timeLimit(.minutes(10))) struct InactivityTests {
    private static let day: Int64 = 86_400
    /// Six months of 30 days after the sign-in of `StorageReplica.user`, and a second.
    private static let late: Int64 = 1_000 + 180 * day + 1
    private static let due = late + 7 * day
    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private static func policy(_ more: String = "", confirmed: Bool = true) throws -> String {
        var terms = InactivePolicy()
        (terms.months, terms.noticeDays, terms.withoutNotice) = (6, 7, more.contains("withoutNotice"))
        let code = confirmed ? ", confirmed: \"\(InactivityRule(policy: terms).confirmation)\"" : ""
        return "email: {}\npasswords: {}\naccounts: { inactive: { months: 6, noticeDays: 7\(more)\(code) } }\n"
    }

    private func accounts(_ fixture: OwnIdentityFixture) throws -> InactiveAccounts {
        let storage = fixture.storage.storage
        return try #require(InactiveAccounts(fixture.policy, storage, fixture.courier(storage.outbox)))
    }

    /// A fixture with a user who has an email address and signed in at 1,000.
    private func scene(
        _ engine: DatabaseKind, _ more: String = "", confirmed: Bool = true
    ) async throws -> (OwnIdentityFixture, User) {
        let fixture = try await OwnIdentityFixture(engine, try Self.policy(more, confirmed: confirmed))
        return (fixture, try await fixture.storage.signIn(.email("ann@example.com"), now: 1_000).user)
    }

    private func tell(_ fixture: OwnIdentityFixture, at now: Int64 = Self.late) async throws {
        await InactivityJob(
            accounts: try accounts(fixture), leases: fixture.storage.storage.leases, holder: "a", now: { now },
            logger: Self.logger
        ).round()
    }

    private func removeDue(_ fixture: OwnIdentityFixture, at now: Int64 = Self.due) async throws {
        let storage = fixture.storage.storage
        let rule = InactivityRemoval(
            try accounts(fixture), fixture.policy, storage, fixture.courier(storage.outbox), fixture.keys, now: { now })
        await PendingChangeJob(
            store: fixture.users, queries: storage.queries, rules: [.inactivity: rule], now: { now },
            logger: Self.logger
        ).round()
    }

    private func pending(_ user: User, _ fixture: OwnIdentityFixture) async throws -> [Int64?] {
        try await fixture.storage.queries.pendingChanges(of: user.id).map(\.movesAt)
    }

    // MARK: - Rule

    @Test func `only an unused account without a role is removed`() {
        var facts = UserFacts(UserQuestion(.identities(UserID(milliseconds: 1) { _ in [] }), askedAt: 1))
        #expect(InactivityRule.reasonToStay(facts, unusedSince: 9) == "no account")
        facts.reviewedSince = nil
        #expect(!InactivityRule.isUsed(NewestUse(at: nil), since: 9))
        #expect(!InactivityRule.isUsed(NewestUse(at: 8), since: 9) && InactivityRule.isUsed(NewestUse(at: 9), since: 9))
        #expect(InactivityRule.isUsed(NewestUse(at: nil, knownSince: 9), since: 9))
    }

    @Test func `each value has its own confirmation`() {
        var policies = [InactivePolicy(), InactivePolicy(), InactivePolicy(), InactivePolicy()]
        policies[1].months = 25
        policies[2].noticeDays = 31
        policies[3].withoutNotice = true
        let codes = policies.map { InactivityRule(policy: $0).confirmation }
        #expect(Set(codes).count == 4 && codes.allSatisfy { $0.utf8.count == 8 })
        #expect(!InactivityRule(policy: policies[0]).isConfirmed)
        policies[0].confirmed = codes[0]
        policies[1].confirmed = codes[0]
        #expect(InactivityRule(policy: policies[0]).isConfirmed && !InactivityRule(policy: policies[1]).isConfirmed)
    }

    // MARK: - Storage

    @Test(arguments: DatabaseKind.allCases)
    func `pages have the quiet users in the order of their ids, and no others`(_ engine: DatabaseKind) async throws {
        let fixture = try await OwnIdentityFixture(engine)
        var users: [User] = []
        for index in 0..<7 {
            let user = try await fixture.storage.signIn(.phone("+1555123450\(index)"), now: 1_000 + Int64(index)).user
            users.append(user)
        }
        let queries = fixture.storage.queries
        var (found, last): ([UserID], UserID?) = ([], nil)
        repeat {
            let page = try await queries.quietUsers(behind: last, unusedSince: 9_000, limit: 3)
            found += page.users.map(\.user.id)
            last = page.next
        } while last != nil
        #expect(found == users.map(\.id).sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) })
        func quiet(since start: Int64 = 9_000) async throws -> Set<UserID> {
            Set(try await queries.quietUsers(behind: nil, unusedSince: start, limit: 99).users.map(\.user.id))
        }
        #expect(try await quiet(since: 1_003) == Set(users[..<3].map(\.id)))
        var (admin, blocked) = (users[0], users[1])
        (admin.role, blocked.isActive) = ("admin", false)
        _ = try await fixture.users.change(users[0], to: admin, telling: [], dueAt: 1, now: 1_100)
        _ = try await fixture.users.change(users[1], to: blocked, telling: [], dueAt: 1, now: 1_100)
        _ = try await fixture.storage.giveUp(users[2], dueAt: 99_999)
        try await fixture.users.put([.openReview(of: users[3].id, since: 1_000)], now: 1_100)
        try await fixture.users.put([.noteUse(.phone("+15551234504"), at: 9_000)], now: 9_000)
        #expect(try await quiet() == Set(users[5...].map(\.id)))
    }

    // MARK: - Story

    @Test(arguments: DatabaseKind.allCases)
    func `a user who stays away is told, then removed`(_ engine: DatabaseKind) async throws {
        let (fixture, user) = try await scene(engine)
        try await tell(fixture, at: Self.late - 2)
        #expect(try await pending(user, fixture).isEmpty)
        for _ in 0..<2 { try await tell(fixture) }
        #expect(try await pending(user, fixture) == [Self.due])
        #expect(try await fixture.storage.outbox.pending(.mail, about: user.id, limit: 9).count == 1)
        try await removeDue(fixture, at: Self.due - 1)
        #expect(try await fixture.user(user.id).deletion == nil)
        // token-service has the last word.
        fixture.tokenService.setAway(true)
        try await removeDue(fixture)
        #expect(try await fixture.user(user.id).deletion == nil)
        #expect(try await pending(user, fixture) == [Self.due])
        fixture.tokenService.setAway(false)
        try await removeDue(fixture)
        #expect(try await fixture.user(user.id).deletion?.dueAt == Self.due)
        #expect(try await fixture.records(.inactivityNoticed).map(\.subject) == [user.pseudonym])
        #expect(try await fixture.records(.inactivityRemoved).map(\.subject) == [user.pseudonym])
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a sign-in or a refresh after the notice keeps the account`(_ engine: DatabaseKind) async throws {
        for refreshes in [true, false] {
            let (fixture, user) = try await scene(engine)
            try await tell(fixture)
            if refreshes {
                fixture.tokenService.setNewestUse(Self.late + 9)
            } else {
                _ = try await fixture.storage.signIn(.email("ann@example.com"), now: Self.late + 9)
            }
            try await removeDue(fixture)
            #expect(try await fixture.user(user.id).deletion == nil)
            #expect(try await pending(user, fixture).isEmpty)
            #expect(try await fixture.records(.inactivityEnded).map(\.detail) == ["used"])
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `nobody is told without a confirmation, a response, or a channel`(_ engine: DatabaseKind) async throws {
        let (unconfirmed, stranger) = try await scene(engine, confirmed: false)
        try await tell(unconfirmed)
        #expect(try await pending(stranger, unconfirmed).isEmpty)
        #expect(try await accounts(unconfirmed).turn(behind: nil, now: Self.late).people.count == 1)
        let (fixture, user) = try await scene(engine)
        fixture.tokenService.setAway(true)
        try await tell(fixture)
        fixture.tokenService.setAway(false)
        fixture.tokenService.setNewestUse(Self.late - 9)
        try await tell(fixture)
        fixture.tokenService.setNewestUse(nil)
        fixture.otpService.setUndeliverable(true)
        try await tell(fixture)
        #expect(try await pending(user, fixture).isEmpty)
        fixture.otpService.setUndeliverable(false)
        try await tell(fixture)
        #expect(try await pending(user, fixture) == [Self.due])
        let (silent, unreached) = try await scene(engine, ", withoutNotice: true")
        silent.otpService.setUndeliverable(true)
        try await tell(silent)
        #expect(try await pending(unreached, silent) == [Self.due])
        #expect(try await silent.records(.inactivityNoticed).map(\.detail) == ["no channel"])
    }
}
