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

    private static func policy(_ more: String = "", months: Int64 = 6, confirmed: Bool = true) throws -> String {
        var terms = InactivePolicy()
        (terms.months, terms.noticeDays, terms.withoutNotice) = (months, 7, more.contains("withoutNotice"))
        let code = confirmed ? ", confirmed: \"\(InactivityRule(policy: terms).confirmation)\"" : ""
        return "email: {}\npasswords: {}\naccounts: { inactive: { months: \(months), noticeDays: 7\(more)\(code) } }\n"
    }

    /// - Parameter policy: `nil` for the fixture's.
    private func accounts(_ fixture: OwnIdentityFixture, _ policy: Policy? = nil) throws -> InactiveAccounts {
        let storage = fixture.storage.storage
        return try #require(InactiveAccounts(policy ?? fixture.policy, storage, fixture.courier(storage.outbox)))
    }

    /// A fixture with a user who has an email address and signed in at 1,000.
    private func scene(
        _ engine: DatabaseKind, _ more: String = "", confirmed: Bool = true
    ) async throws -> (OwnIdentityFixture, User) {
        let fixture = try await OwnIdentityFixture(engine, try Self.policy(more, confirmed: confirmed))
        return (fixture, try await fixture.storage.signIn(.email("ann@example.com"), now: 1_000).user)
    }

    /// Makes a turn, and delivers its notices if `delivers`.
    private func tell(_ fixture: OwnIdentityFixture, at now: Int64 = Self.late, delivers: Bool = true) async throws {
        let job = InactivityJob(
            accounts: try accounts(fixture), leases: fixture.storage.storage.leases, holder: "a", now: { now },
            logger: Self.logger)
        await job?.round()
        let outbox = fixture.storage.storage.outbox
        guard delivers else { return }
        await OutboxWorker(
            lane: .mail, store: outbox, courier: fixture.courier(outbox), holder: "a", now: { now }, logger: Self.logger
        ).round()
    }

    private func removeDue(
        _ fixture: OwnIdentityFixture, at now: Int64 = Self.due, by policy: Policy? = nil
    ) async throws {
        let storage = fixture.storage.storage
        let rule = InactivityRemoval(
            try accounts(fixture, policy), fixture.policy, storage, fixture.courier(storage.outbox), fixture.keys,
            now: { now })
        await PendingChangeJob(
            store: fixture.users, queries: storage.queries, rules: [.inactivity: rule], now: { now },
            logger: Self.logger
        ).round()
    }

    private func pending(_ user: User, _ fixture: OwnIdentityFixture) async throws -> [Int64?] {
        try await fixture.storage.queries.pendingChanges(of: user.id).map(\.movesAt)
    }

    // MARK: - Rule

    @Test func `only an unused account without a role is removed`() async throws {
        let (fixture, user) = try await scene(.sqlite)
        let facts = try await fixture.users.facts(UserQuestion(.identities(user.id), askedAt: 1_001))
        func reason(since start: Int64 = 1_001, _ change: (inout UserFacts) -> Void = { _ in }) -> String? {
            var facts = facts
            change(&facts)
            return InactivityRule.reasonToStay(facts, unusedSince: start)
        }
        #expect(reason() == nil)
        #expect(reason(since: 1_000) == "used")
        #expect(reason { $0.holder?.updatedAt = 1_001 } == "used")
        #expect(reason { $0.holder = nil } == "no account")
        #expect(reason { $0.holder?.role = "admin" } == "role")
        #expect(reason { $0.holder?.isActive = false } == "account not active")
        #expect(reason { $0.holder?.deletion = ScheduledDeletion(requestedAt: 1, dueAt: 2) } == "deletion scheduled")
        #expect(reason { $0.reviewedSince = 1 } == "review")
    }

    @Test func `a session that was used, or may have been before a restore, is a use`() {
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
        // An import stores an old time of creation, and its own time as the last change.
        var imported = users[5]
        imported.updatedAt = 9_000
        try await fixture.users.put([.update(imported)], now: 9_000)
        #expect(try await quiet() == Set(users[6...].map(\.id)))
    }

    // MARK: - Story

    @Test(arguments: DatabaseKind.allCases)
    func `a user who stays away is told, then removed`(_ engine: DatabaseKind) async throws {
        let (fixture, user) = try await scene(engine)
        try await tell(fixture, at: Self.late - 2)
        #expect(try await pending(user, fixture).isEmpty)
        for _ in 0..<2 { try await tell(fixture) }
        #expect(try await pending(user, fixture) == [Self.due])
        #expect(fixture.otpService.notices.map(\.kind) == [.inactivity])
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

    @Test(arguments: DatabaseKind.allCases)
    func `nobody is told while many mails wait`(_ engine: DatabaseKind) async throws {
        let (fixture, user) = try await scene(engine)
        let notices = try accounts(fixture).notices
        let waiting = try (0..<InactiveAccounts.waitingMax).map { index in
            try notices.change(
                .accountDeletion, to: "u\(index)@example.com", about: user.id, at: 1_010, for: .trusted, 1_010)
        }
        try await fixture.users.put(waiting, now: 1_010)
        try await tell(fixture)
        #expect(try await pending(user, fixture).isEmpty)
        #expect(fixture.otpService.notices.count == waiting.count)
        try await tell(fixture)
        #expect(try await pending(user, fixture) == [Self.due])
    }

    @Test func `a number is no channel if its codes no longer sign its user in`() async throws {
        for (idleMonths, isTold) in [(6, false), (7, true)] {
            let more = "recycledNumbers: { idleMonths: \(idleMonths) }\n"
            let fixture = try await OwnIdentityFixture(.sqlite, try Self.policy() + more)
            let user = try await fixture.storage.signIn(.phone("+15551234567"), now: 1_000).user
            try await tell(fixture)
            #expect(try await pending(user, fixture) == (isTold ? [Self.due] : []))
        }
    }

    // MARK: - Changes after the notice

    @Test(arguments: DatabaseKind.allCases)
    func `an account whose user got a role, or has no channel any more, stays`(_ engine: DatabaseKind) async throws {
        for reason in ["role", InactivityRule.noChannel] {
            let (fixture, user) = try await scene(engine)
            try await tell(fixture)
            if reason == "role" {
                var admin = user
                admin.role = "admin"
                _ = try await fixture.users.change(user, to: admin, telling: [], dueAt: 1, now: Self.late + 1)
            } else {
                fixture.otpService.setUndeliverable(true)
            }
            try await removeDue(fixture)
            #expect(try await fixture.user(user.id).deletion == nil)
            #expect(try await pending(user, fixture).isEmpty)
            #expect(try await fixture.records(.inactivityEnded).map(\.detail) == [reason])
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a policy with more months keeps an account that was used in them`(_ engine: DatabaseKind) async throws {
        let (fixture, user) = try await scene(engine)
        try await tell(fixture)
        let longer = try UserFixture.policy("userIDPrefix: \(UserFixture.prefix)\n\(Self.policy(months: 12))")
        try await removeDue(fixture, by: longer)
        #expect(try await fixture.user(user.id).deletion == nil)
        #expect(try await fixture.records(.inactivityEnded).map(\.detail) == ["used"])
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a notice that no provider accepted ends the removal, and the user is told again`(
        _ engine: DatabaseKind
    ) async throws {
        let (fixture, user) = try await scene(engine)
        let dropped = Self.late + OutboxLimits.deadMailKeptSeconds
        try await tell(fixture, delivers: false)
        try await tell(fixture, at: dropped - 1, delivers: false)
        #expect(try await pending(user, fixture) == [Self.due])
        try await tell(fixture, at: dropped, delivers: false)
        #expect(try await pending(user, fixture).isEmpty)
        #expect(try await fixture.records(.inactivityEnded).map(\.detail) == [InactivityRule.notSent])
        for seconds in [1, 2] as [Int64] { try await tell(fixture, at: dropped + seconds) }
        #expect(try await pending(user, fixture) == [dropped + 1 + 7 * Self.day])
        #expect(try await fixture.records(.inactivityNoticed).count == 2)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a mail that bounced ends the removal, also if its block ends before it`(_ engine: DatabaseKind) async throws {
        let (fixture, user) = try await scene(engine)
        try await tell(fixture)
        fixture.otpService.setUndeliverable(true)
        try await tell(fixture, at: Self.late + Self.day)
        #expect(try await pending(user, fixture).isEmpty)
        fixture.otpService.setUndeliverable(false)
        try await removeDue(fixture)
        #expect(try await fixture.user(user.id).deletion == nil)
        #expect(try await fixture.records(.inactivityEnded).map(\.detail) == [InactivityRule.noChannel])
    }

    @Test(arguments: DatabaseKind.allCases)
    func `no account is removed whose notice the operator dropped`(_ engine: DatabaseKind) async throws {
        let (fixture, user) = try await scene(engine)
        try await tell(fixture, delivers: false)
        let notice = try #require(try await fixture.storage.outbox.pending(.mail, about: user.id, limit: 9).first)
        #expect(try await fixture.storage.outbox.drop(notice.id, in: .mail, origin: RequestOrigin(), now: Self.late))
        try await removeDue(fixture)
        #expect(try await fixture.user(user.id).deletion == nil)
        #expect(try await pending(user, fixture).isEmpty)
        #expect(try await fixture.records(.inactivityEnded).map(\.detail) == [InactivityRule.notSent])
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a notice that its recipient does not get is no notice, and not tried again`(
        _ engine: DatabaseKind
    ) async throws {
        let (fixture, user) = try await scene(engine)
        fixture.otpService.setUnsent(true)
        try await tell(fixture)
        #expect(try await pending(user, fixture) == [Self.due])
        #expect(try await fixture.storage.outbox.pending(.mail, about: user.id, limit: 9).isEmpty)
        try await removeDue(fixture)
        #expect(try await fixture.user(user.id).deletion == nil)
        #expect(try await fixture.records(.inactivityEnded).map(\.detail) == [InactivityRule.notSent])
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a notice that is sent late delays the removal, once`(_ engine: DatabaseKind) async throws {
        let (fixture, user) = try await scene(engine)
        try await tell(fixture, delivers: false)
        for seconds in [90, 99] as [Int64] {
            try await fixture.storage.outbox.noteTold(user.id, now: Self.late + seconds)
            #expect(try await pending(user, fixture) == [Self.due + 90])
        }
    }

    // MARK: - List

    @Test(arguments: DatabaseKind.allCases)
    func `the list shows everyone who was away, page by page, and changes nothing`(_ engine: DatabaseKind) async throws
    {
        let (fixture, user) = try await scene(engine, confirmed: false)
        let list = ListInactive(
            accounts: try accounts(fixture), store: fixture.users, userIDPrefix: UserFixture.prefix, now: { Self.late })
        let request = InactiveUsersRequest()
        let first = try await list(request, requestID: "r").answered
        let id = user.id.text(prefix: UserFixture.prefix)
        #expect(first.users == [InactiveUserPage.Person(userID: id, removesAt: nil, isReached: true)])
        #expect(first.next == nil && !first.isConfirmed && first.confirmation.utf8.count == 8)
        #expect(try await list(InactiveUsersRequest(cursor: id), requestID: "r").answered.users.isEmpty)
        await #expect(throws: InvalidInput.self) { try await list(InactiveUsersRequest(cursor: "x"), requestID: "r") }
        fixture.otpService.setUndeliverable(true)
        #expect(try await list(request, requestID: "r").answered.users.map(\.isReached) == [false])
        #expect(try await pending(user, fixture).isEmpty)
        let off = ListInactive(
            accounts: nil, store: fixture.users, userIDPrefix: UserFixture.prefix, now: { Self.late })
        guard case .refused(.invalidRequest, _) = try await off(request, requestID: "r") else {
            Issue.record("a policy without the section lists users")
            return
        }
    }
}
