import CryptoPrimitives
import InternalAPI
import Storage
import TestSupport
import Testing

@testable import UserCore

/// What keeps a merge that waits from giving an account to a thief: somebody is told, the session that began it lives, and a protest
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
}
