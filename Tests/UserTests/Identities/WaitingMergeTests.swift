import CryptoPrimitives
import InternalAPI
import Storage
import TestSupport
import Testing

@testable import UserCore

/// Merges that wait, since nothing more of the other account was verified.
@Suite(.timeLimit(.minutes(10))) struct WaitingMergeTests {
    private static let next = WaitingPair.number
    private static let email = WaitingPair.email
    private static let apple = VerifiedIdentity(kind: .apple, value: "000123.a")
    private static let end = WaitingPair.end

    /// Whether both accounts are as they were, and nothing waits.
    private func expectApart(_ pair: WaitingPair, _ fixture: OwnIdentityFixture) async throws {
        await fixture.job(at: Self.end).round()
        #expect(try await fixture.storage.queries.user(pair.other.id) != nil)
        #expect(try await fixture.storage.queries.merged(pair.other.id) == nil)
        #expect(try await fixture.storage.queries.pendingChanges(dueAt: .max, limit: 9).isEmpty)
    }

    @Test func `a merge by a number that may be another person's by now does not wait`() async throws {
        var recycling = try await OwnIdentityFixture(.sqlite)
        recycling.recyclesNumbers = true
        let fixture = recycling
        let pair = try await fixture.pair()
        #expect(try await fixture.merge(pair.token, pair.user, waits: true).result == .mergeProofRequired)
        try await expectApart(pair, fixture)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `it is asked for, told to both users, and happens once when it is due`(_ engine: DatabaseKind) async throws {
        var texting = try await OwnIdentityFixture(engine)
        texting.sendsTexts = true
        let fixture = texting
        let pair = try await fixture.pair()
        #expect(try await fixture.merge(pair.token, pair.user).result == .mergeProofRequired)
        for _ in 0..<2 {
            // A token starts one merge.
            let answer = try await fixture.merge(pair.token, pair.user, waits: true)
            #expect(answer == AccountAnswer(.mergeWaits, movesAt: Self.end))
        }
        #expect(try await fixture.pendingMerge(of: pair.user) == PendingMerge(movesAt: Self.end, intoAnother: false))
        #expect(try await fixture.pendingMerge(of: pair.other) == PendingMerge(movesAt: Self.end, intoAnother: true))
        let told = try await fixture.notices(to: pair.user) + fixture.notices(to: pair.other)
        let merge = told.filter { $0.kind == .merge }
        #expect(Set(merge.map(\.to)) == ["+15551234567", Self.next.value, Self.email.value] && merge.count == 3)
        #expect(merge.allSatisfy { $0.at == Self.end && $0.token != nil })

        await fixture.job(at: Self.end - 1).round()
        #expect(try await fixture.user(pair.other.id) == pair.other)
        async let first: Void = fixture.job(at: Self.end).round()
        async let second: Void = fixture.job(at: Self.end).round()
        _ = await (first, second)
        let after = try await fixture.user(pair.user.id)
        #expect(after.phone == pair.user.phone && after.email == Self.email.value)
        #expect(try await fixture.storage.queries.merged(pair.other.id)?.into == pair.user.id)
        #expect(try await fixture.decisions(about: pair.other).suffix(1) == [.merged])
        #expect(try await fixture.records(.mergeBegun).count == 2)
        #expect(try await fixture.records(.merged).map(\.origin.sessionID) == ["s-1"])
        #expect(try await fixture.records(.mergeEnded).isEmpty)
        #expect(try await fixture.pendingMerge(of: pair.user) == nil)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `the other number replaces the user's, and the session that asked is spared`(
        _ engine: DatabaseKind
    ) async throws {
        let fixture = try await OwnIdentityFixture(engine)
        let pair = try await fixture.begun(keepsOtherPhone: true)
        await fixture.job(at: Self.end).round()
        #expect(try await fixture.user(pair.user.id).phone == Self.next.value)
        #expect(try await fixture.holder(of: OwnIdentityFixture.number) == nil)
        let messages = try await fixture.storage.outbox.pending(.token, about: pair.user.id, limit: 9).map(\.message)
        let revocations = messages.filter { $0.kind == .revokeUser }.map(\.payload)
        #expect(revocations.count == 2 && revocations.count { $0.contains("s-1") } == 1)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `either user objects, and another call with the token begins nothing`(_ engine: DatabaseKind) async throws {
        for isOther in [false, true] {
            let fixture = try await OwnIdentityFixture(engine)
            let pair = try await fixture.begun()
            let objector = isOther ? pair.other : pair.user
            #expect(try await fixture.object(to: .phone, objector) == Done())
            #expect(try await fixture.pendingMerge(of: objector) != nil)
            #expect(try await fixture.object(to: .merge, objector) == Done())
            for user in [pair.user, pair.other] { #expect(try await fixture.pendingMerge(of: user) == nil) }
            // Nor does a repeat say that it waits.
            #expect(try await fixture.merge(pair.token, pair.user, waits: true).result == .mergeRefused)
            try await expectApart(pair, fixture)
            let records = try await fixture.records(.mergeEnded)
            #expect(records.map(\.detail) == ["objection"] && records.map(\.subject) == [objector.pseudonym])
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `the link of either notice ends it, and a deletion of either account does`(
        _ engine: DatabaseKind
    ) async throws {
        // The user has no address, and the policy sends no text messages.
        for (isOther, isReport) in [(true, true), (false, false), (true, false)] {
            let fixture = try await OwnIdentityFixture(engine)
            let pair = try await fixture.begun()
            let user = isOther ? pair.other : pair.user
            if isReport {
                let notice = try #require(try await fixture.notices(to: user).last { $0.kind == .merge })
                let token = try #require(notice.token)
                let form = try #require(try await fixture.reporter.form(NotMeFormRequest(token: token)).secret)
                let report = NotMeReport(token: token, formSecret: form)
                #expect(try await fixture.reporter(report, requestID: nil).result == .done)
            } else {
                #expect(try await fixture.delete(user) != nil)
            }
            #expect(try await fixture.storage.queries.pendingChanges(of: pair.user.id).isEmpty)
            try await expectApart(pair, fixture)
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a lockout of either account's number does not end it`(_ engine: DatabaseKind) async throws {
        let fixture = try await OwnIdentityFixture(engine)
        let pair = try await fixture.begun()
        try await fixture.users.put(
            [pair.user, pair.other].map { .openReview(of: $0.id, since: 1_000, until: Self.end + 1) }, now: 1_000)
        await fixture.job(at: Self.end).round()
        #expect(try await fixture.storage.queries.merged(pair.other.id)?.into == pair.user.id)
    }

    /// Changes of what signs in either user.
    enum Meanwhile: CaseIterable {
        case userGets, userLoses, otherGets, otherLoses, userSignsOut, otherSignsOut, userIsInactive, otherHasRole,
            otherIsUnderReview
    }

    @Test(arguments: DatabaseKind.allCases, Meanwhile.allCases)
    func `a change of either account ends it`(_ engine: DatabaseKind, _ meanwhile: Meanwhile) async throws {
        let fixture = try await OwnIdentityFixture(engine)
        let pair = try await fixture.begun()
        var (user, other) = (pair.user, pair.other)
        switch meanwhile {
        case .userGets: #expect(try await fixture.add(.email("bob@example.com"), to: user).result == .done)
        case .userLoses: try await fixture.users.put([.endIdentity(OwnIdentityFixture.number)], now: 1_000)
        case .otherGets: #expect(try await fixture.add(Self.apple, to: other).result == .done)
        case .otherLoses: #expect(try await fixture.remove(Self.email, from: other).result == .done)
        case .userSignsOut:
            user.epoch += 1
            try await fixture.users.put([.update(user)], now: 1_000)
        case .otherSignsOut:
            other.epoch += 1
            try await fixture.users.put([.update(other)], now: 1_000)
        case .userIsInactive:
            user.isActive = false
            try await fixture.users.put([.update(user)], now: 1_000)
        case .otherHasRole:
            other.role = "admin"
            try await fixture.users.put([.update(other)], now: 1_000)
        case .otherIsUnderReview: try await fixture.users.put([.openReview(of: other.id, since: 1)], now: 1_000)
        }
        try await expectApart(pair, fixture)
        #expect(try await fixture.records(.mergeEnded).count == 2)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a further proof, or an account without more, needs no wait`(_ engine: DatabaseKind) async throws {
        let fixture = try await OwnIdentityFixture(engine)
        let (user, other) = (try await fixture.storage.user(), try await fixture.storage.user(Self.next.value))
        let token = try await fixture.mergeToken(for: Self.next, user)
        #expect(try await fixture.merge(token, user, waits: true) == AccountAnswer(.done))
        #expect(try await fixture.storage.queries.merged(other.id)?.into == user.id)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `the operator sees what waits, and a number in it is renamed`(_ engine: DatabaseKind) async throws {
        let fixture = try await OwnIdentityFixture(engine)
        let pair = try await fixture.begun()
        let queries = fixture.storage.queries
        for user in [pair.user, pair.other] {
            #expect(try await queries.pendingChanges(of: user.id).map(\.kind) == [.merge])
        }
        let (lost, number) = (try await fixture.storage.user("+15551234569"), "+15557654399")
        let change = PendingChange(
            id: UUIDText.random(), kind: .phone, user: lost.id, number: number, sealed: "", createdAt: 1_000)
        try await fixture.users.put([.addPending(change)], now: 1_000)
        let renumber = RenumberUsers(
            store: fixture.users, queries: queries, userIDPrefix: UserFixture.prefix, now: { OwnIdentityFixture.now })
        func renumbered(to prefix: String) async throws -> [RenumberedNumber] {
            let changes = [NumberChange(from: "+155576543", to: prefix)]
            return try await renumber(RenumberRequest(changes: changes, isDryRun: false), requestID: nil).numbers
        }
        // The other account's number, and the one that waits.
        #expect(try await renumbered(to: "+155587654").map(\.result) == [.renamed, .renamed])
        #expect(try await queries.pendingChanges(of: lost.id).map(\.number) == ["+15558765499"])
        #expect(try await queries.isAwaited("+15558765499"))
        try await expectApart(WaitingPair(user: pair.user, other: pair.other, token: ""), fixture)
    }
}
