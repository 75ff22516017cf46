import CryptoPrimitives
import InternalAPI
import Storage
import TestSupport
import Testing

@testable import UserCore

/// The guards by which a merge that waits gives no account to a thief: somebody is told, the session that began it lives, and a protest
/// counts afterwards too.
@Suite(.timeLimit(.minutes(10))) struct WaitingMergeSafetyTests {
    private static let end = WaitingPair.end

    private func job(_ fixture: OwnIdentityFixture, at now: Int64 = end) async { await fixture.job(at: now).round() }

    private func isMerged(_ pair: WaitingPair, _ fixture: OwnIdentityFixture) async throws -> Bool {
        try await fixture.storage.queries.merged(pair.other.id) != nil
    }

    /// The token of the other user's notice.
    private func link(_ pair: WaitingPair, _ fixture: OwnIdentityFixture) async throws -> String {
        try #require(try await fixture.notices(to: pair.other).last { $0.kind == .merge }?.token)
    }

    // MARK: - The link of the merged account

    @Test(arguments: DatabaseKind.allCases, [false, true])
    func `the merged account's link reports afterwards, and what moved signs in only once it is cleared`(
        _ engine: DatabaseKind, keepsOtherPhone: Bool
    ) async throws {
        var fixture = try await OwnIdentityFixture(engine)
        let pair = try await fixture.begun(keepsOtherPhone: keepsOtherPhone)
        let token = try await link(pair, fixture)
        await job(fixture)
        #expect(try await isMerged(pair, fixture))
        let before = try await fixture.user(pair.user.id)
        fixture.time = Self.end + 60
        #expect(try await fixture.report(token) == .done)
        #expect(try await fixture.report(token) == .invalidLink)
        let after = try await fixture.user(pair.user.id)
        #expect(after.epoch > before.epoch && fixture.tokenService.revocations.last?.epoch == after.epoch)
        #expect(fixture.tokenService.revocations.last?.reason == .reported)
        let moved = [WaitingPair.email] + (keepsOtherPhone ? [WaitingPair.number] : [])
        for identity in moved { #expect(try await fixture.storage.signIn(identity) == .refused(.underReview)) }
        if !keepsOtherPhone {
            #expect(try await fixture.storage.signIn(OwnIdentityFixture.number).user.id == pair.user.id)
        }
        let clear = ClearReviewRequest(userID: pair.user.id.text(prefix: UserFixture.prefix))
        #expect(try await fixture.reviews.clear(clear, requestID: "r").answered == ClearedReview(wasOpen: true))
        for identity in moved { #expect(try await fixture.storage.signIn(identity).user.id == pair.user.id) }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `it is good for 72 hours, follows another merge, and goes with the user`(_ engine: DatabaseKind) async throws {
        var fixture = try await OwnIdentityFixture(engine)
        let pair = try await fixture.begun()
        let token = try await link(pair, fixture)
        let hash = try #require(LinkSecret(token)).hash
        let expiresAt = try #require(try await fixture.storage.outbox.handOver(link: hash, now: fixture.time))
        await job(fixture)
        let third = try await fixture.storage.user("+15550000003")
        try await fixture.users.put([.merge(try await fixture.user(pair.user.id), into: third.id)], now: Self.end)
        fixture.time = expiresAt
        #expect(try await fixture.reporter.form(NotMeFormRequest(token: token)).secret == nil)
        fixture.time -= 1
        let question = UserQuestion(.link(hash: hash), askedAt: fixture.time)
        let found = try await fixture.users.facts(question)
        #expect(found.link?.subject == third.id && found.holder?.id == third.id)
        #expect(try await fixture.reporter.form(NotMeFormRequest(token: token)).secret != nil)
        try await fixture.storage.remove(try await fixture.user(third.id))
        #expect(try await fixture.users.facts(question).link == nil)
    }

    // MARK: - Who is told

    /// - Parameters:
    ///   - texts: whether the policy sends text messages about changes.
    ///   - hasSession: whether the other user is signed in anywhere.
    @Test(arguments: DatabaseKind.allCases, [(false, false), (false, true), (true, false)])
    func `a merge waits only if the other user can learn of it by more than what was verified`(
        _ engine: DatabaseKind, _ reach: (texts: Bool, hasSession: Bool)
    ) async throws {
        var fixture = try await OwnIdentityFixture(engine)
        fixture.sendsTexts = reach.texts
        let (user, other) = (try await fixture.storage.user(), try await fixture.storage.user(WaitingPair.number.value))
        let apple = VerifiedIdentity(kind: .apple, value: "000123.a")
        #expect(try await fixture.add(apple, to: other).result == .done)
        fixture.tokenService.setHasSessions(reach.hasSession)
        let token = try await fixture.mergeToken(for: WaitingPair.number, user)
        let answer = try await fixture.merge(token, user, waits: true)
        #expect(answer.result == (reach.hasSession ? .mergeWaits : .mergeProofRequired))
        #expect(try await fixture.storage.queries.pendingChanges(of: other.id).count == (reach.hasSession ? 1 : 0))
        guard !reach.hasSession else { return }
        // The refusal is no answer that a repeat gets.
        fixture.tokenService.setAway(true)
        await #expect(throws: ServiceUnavailable.self) { try await fixture.merge(token, user, waits: true) }
        fixture.tokenService.setAway(false)
        fixture.tokenService.setHasSessions(true)
        #expect(try await fixture.merge(token, user, waits: true).result == .mergeWaits)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a number is told by text message where another identity was verified`(_ engine: DatabaseKind) async throws {
        for texts in [false, true] {
            var fixture = try await OwnIdentityFixture(engine)
            fixture.sendsTexts = texts
            fixture.tokenService.setHasSessions(false)
            let (user, other) = (
                try await fixture.storage.user(), try await fixture.storage.user(WaitingPair.number.value)
            )
            #expect(try await fixture.add(WaitingPair.email, to: other).result == .done)
            let token = try await fixture.mergeToken(for: WaitingPair.email, user)
            let answer = try await fixture.merge(token, user, waits: true)
            #expect(answer.result == (texts ? .mergeWaits : .mergeProofRequired))
        }
    }

    // MARK: - The session that began it

    @Test(arguments: DatabaseKind.allCases)
    func `a merge does not happen after the end of the session that began it`(_ engine: DatabaseKind) async throws {
        for user in [nil, "usr_another"] {
            let fixture = try await OwnIdentityFixture(engine)
            let pair = try await fixture.begun()
            fixture.tokenService.setSession("s-1", of: user)
            await job(fixture)
            #expect(try await !isMerged(pair, fixture))
            #expect(try await fixture.storage.queries.pendingChanges(of: pair.other.id).isEmpty)
            let records = try await fixture.records(.mergeEnded)
            #expect(records.count == 2 && records.allSatisfy { $0.detail == "session ended" })
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `while token-service is away it waits`(_ engine: DatabaseKind) async throws {
        let fixture = try await OwnIdentityFixture(engine)
        let pair = try await fixture.begun()
        fixture.tokenService.setAway(true)
        await job(fixture)
        #expect(try await !isMerged(pair, fixture))
        fixture.tokenService.setAway(false)
        await job(fixture, at: Self.end + 10)
        #expect(try await isMerged(pair, fixture))
    }

    // MARK: - Other merges

    @Test(arguments: DatabaseKind.allCases)
    func `the end of one leaves the others of its users alone`(_ engine: DatabaseKind) async throws {
        let fixture = try await OwnIdentityFixture(engine)
        let pair = try await fixture.begun()
        // A third account is about to get the user's, later.
        let third = try await fixture.storage.user("+15550000003")
        let next = PendingChange(
            id: UUIDText.random(), kind: .merge, user: third.id, other: pair.user.id, sealed: "", createdAt: 1_010,
            movesAt: Self.end + 100)
        try await fixture.users.put([.addPending(next)], now: 1_010)
        await job(fixture)
        #expect(try await isMerged(pair, fixture))
        #expect(try await fixture.storage.queries.pendingChanges(of: third.id) == [next])
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a user has one merge of their own, and those of others into their account stay`(
        _ engine: DatabaseKind
    ) async throws {
        let fixture = try await OwnIdentityFixture(engine)
        let pair = try await fixture.pair()
        let third = try await fixture.storage.user("+15550000003")
        let changes = [(third.id, pair.user.id), (pair.user.id, third.id)].map { user, other in
            PendingChange(
                id: UUIDText.random(), kind: .merge, user: user, other: other, sealed: "", createdAt: 1_009,
                movesAt: Self.end + 100)
        }
        try await fixture.users.put(changes.map { .addPending($0) }, now: 1_009)
        #expect(try await fixture.merge(pair.token, pair.user, waits: true).result == .mergeWaits)
        let waiting = try await fixture.storage.queries.pendingChanges(of: pair.user.id)
        #expect(waiting.count == 2 && waiting.contains(changes[0]) && !waiting.contains(changes[1]))
        #expect(try await fixture.records(.mergeEnded).map(\.detail) == ["replaced"])
    }
}
