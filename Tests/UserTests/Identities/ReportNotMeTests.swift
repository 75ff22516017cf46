import CryptoPrimitives
import InternalAPI
import Policies
import Storage
import StrictJSON
import TestSupport
import Testing

@testable import UserCore

/// Users who report a change that was not theirs, and the reviews of their accounts.
@Suite(.timeLimit(.minutes(10))) struct ReportNotMeTests {
    private static let number = OwnIdentityFixture.number
    private static let email = VerifiedIdentity.email("ann@example.com")
    private static let apple = VerifiedIdentity(kind: .apple, value: "000123.a")
    private static let now = OwnIdentityFixture.now

    /// A user with a number and an address, whose next changes are told by mail.
    private func user(_ fixture: OwnIdentityFixture) async throws -> User {
        let user = try await fixture.storage.user()
        try await fixture.users.put([.assignIdentity(Self.email, to: user.id)], now: 1_000)
        return user
    }

    private func report(_ token: String, _ fixture: OwnIdentityFixture) async throws -> AccountAnswer.Result {
        let secret = try #require(try await fixture.reporter.form(NotMeFormRequest(token: token)).secret)
        return try await report(token, secret, fixture)
    }

    private func report(
        _ token: String, _ secret: String, _ fixture: OwnIdentityFixture
    ) async throws -> AccountAnswer.Result {
        try await fixture.reporter(NotMeReport(token: token, formSecret: secret), requestID: "r-1").result
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a report ends all sessions, and what was added signs in only once it is cleared`(
        _ engine: DatabaseKind
    ) async throws {
        let fixture = try await OwnIdentityFixture(engine)
        let user = try await user(fixture)
        #expect(try await fixture.add(Self.apple, to: user).result == .done)
        let token = try #require(try await fixture.notices(to: user).first?.token)
        let before = try await fixture.user(user.id)
        #expect(try await report(token, fixture) == .done)
        let after = try await fixture.user(user.id)
        #expect(after.epoch == before.epoch + 1 && after.email == Self.email.value)
        let ended = try #require(fixture.tokenService.revocations.last)
        #expect(ended.epoch == after.epoch && ended.sparedSession == nil && ended.reason == .reported)

        #expect(try await fixture.storage.signIn(Self.apple) == .refused(.underReview))
        for identity in [Self.number, Self.email] {
            #expect(try await fixture.storage.signIn(identity).user.id == user.id)
        }
        let id = user.id.text(prefix: UserFixture.prefix)
        let listed = try await fixture.reviews.list(AccountReviewsRequest()).reviews
        #expect(listed == [AccountReviewPage.Review(userID: id, since: Self.now, openedAt: Self.now)])
        let clear = ClearReviewRequest(userID: id)
        #expect(try await fixture.reviews.clear(clear, requestID: "r").answered == ClearedReview(wasOpen: true))
        #expect(try await fixture.reviews.clear(clear, requestID: "r").answered == ClearedReview(wasOpen: false))
        #expect(try await fixture.storage.signIn(Self.apple).user.id == user.id)
        #expect(try await fixture.reviews.list(AccountReviewsRequest()).reviews.isEmpty)
        let nobody = ClearReviewRequest(userID: UserID.new().text(prefix: UserFixture.prefix))
        #expect(try await fixture.reviews.clear(nobody, requestID: "r").isRefused(.notFound))
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a number that was replaced and an address that came back are under review too`(
        _ engine: DatabaseKind
    ) async throws {
        var fixture = try await OwnIdentityFixture(engine)
        let user = try await user(fixture)
        let next = VerifiedIdentity.phone("+15557654321")
        #expect(try await fixture.add(next, to: user, .none).result == .done)
        fixture.time += 10
        #expect(try await fixture.remove(Self.email, from: user, .none).result == .done)
        #expect(try await fixture.add(Self.email, to: user, .none).result == .done)
        let token = try #require(try await fixture.notices(to: user).first?.token)
        #expect(try await report(token, fixture) == .done)
        for identity in [next, Self.email] {
            #expect(try await fixture.storage.signIn(identity) == .refused(.underReview))
        }
        // A repeat of a sign-in from before is none either.
        #expect(try await fixture.storage.signIn(Self.number, now: 1_030).user.id != user.id)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `without the page's secret nothing happens, and a link reports once`(_ engine: DatabaseKind) async throws {
        let fixture = try await OwnIdentityFixture(engine)
        let user = try await user(fixture)
        for identity in [Self.apple, VerifiedIdentity(kind: .oidc, value: "acme:7")] {
            #expect(try await fixture.add(identity, to: user).result == .done)
        }
        let tokens = try await fixture.notices(to: user).compactMap(\.token)
        #expect(tokens.count == 2)
        let before = try await fixture.user(user.id)
        let other = try #require(try await fixture.reporter.form(NotMeFormRequest(token: tokens[1])).secret)
        for secret in ["", "x", tokens[0], other] {
            #expect(try await report(tokens[0], secret, fixture) == .invalidLink)
        }
        for token in ["", "x", LinkSecret.random(suffices: false).text] {
            #expect(try await fixture.reporter.form(NotMeFormRequest(token: token)).secret == nil)
        }
        #expect(try await fixture.user(user.id) == before)
        #expect(try await fixture.reviews.list(AccountReviewsRequest()).reviews.isEmpty)

        let secret = try #require(try await fixture.reporter.form(NotMeFormRequest(token: tokens[0])).secret)
        #expect(try await report(tokens[0], secret, fixture) == .done)
        #expect(try await report(tokens[0], secret, fixture) == .invalidLink)
        #expect(try await fixture.reporter.form(NotMeFormRequest(token: tokens[0])).secret == nil)
        #expect(try await fixture.user(user.id).epoch == before.epoch + 1)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `the notice of an earlier change outlives later ones, which a thief may have got`(
        _ engine: DatabaseKind
    ) async throws {
        var fixture = try await OwnIdentityFixture(engine)
        let user = try await user(fixture)
        let thief = VerifiedIdentity.email("thief@example.com")
        #expect(try await fixture.add(thief, to: user).result == .done)
        fixture.time += 10
        #expect(try await fixture.add(Self.apple, to: user).result == .done)
        fixture.time += 10
        #expect(try await fixture.remove(Self.apple, from: user).result == .done)
        let notices = try await fixture.notices(to: user)
        #expect(notices.map(\.to) == [Self.email.value, thief.value, thief.value])
        let tokens = notices.compactMap(\.token)
        // The thief's report leaves the owner's link.
        #expect(try await report(tokens[1], fixture) == .done)
        #expect(try await fixture.storage.signIn(thief).user.id == user.id)
        #expect(try await fixture.reporter.form(NotMeFormRequest(token: tokens[2])).secret == nil)
        #expect(try await report(tokens[0], fixture) == .done)
        #expect(try await fixture.storage.signIn(thief) == .refused(.underReview))
        #expect(try await fixture.reviews.list(AccountReviewsRequest()).reviews.map(\.since) == [Self.now])
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a report ends the user's other links, and an address under review gets no password`(
        _ engine: DatabaseKind
    ) async throws {
        var fixture = try await OwnIdentityFixture(engine)
        let user = try await user(fixture)
        let next = VerifiedIdentity.email("next@example.com")
        func reset() async throws -> UserFacts {
            let secret = LinkSecret.random(suffices: false)
            let link = AccountLink(
                hash: secret.hash, purpose: .reset, subject: user.id, address: next.value, createdAt: fixture.time,
                expiresAt: fixture.time + 900)
            try await fixture.users.put([.addLink(link)], now: fixture.time)
            return try await fixture.users.facts(UserQuestion(.link(hash: secret.hash), askedAt: fixture.time))
        }
        #expect(try await fixture.add(next, to: user).result == .done)
        let open = try await reset()
        #expect(ResetPassword.isGood(try #require(open.link), open))
        let token = try #require(try await fixture.notices(to: user).first?.token)
        fixture.time += 10
        #expect(try await report(token, fixture) == .done)
        #expect(try await fixture.users.facts(open.question).link == nil)
        let later = try await reset()
        #expect(!ResetPassword.isGood(try #require(later.link), later))
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a link is good for 72 hours, and goes with its user as the review does`(_ engine: DatabaseKind) async throws {
        var fixture = try await OwnIdentityFixture(engine)
        let user = try await user(fixture)
        for identity in [Self.apple, VerifiedIdentity(kind: .oidc, value: "acme:7")] {
            #expect(try await fixture.add(identity, to: user).result == .done)
            fixture.time += 1
        }
        let tokens = try await fixture.notices(to: user).compactMap(\.token)
        for token in tokens {
            let hash = try #require(LinkSecret(token)).hash
            let expiresAt = try await fixture.storage.outbox.handOver(link: hash, now: fixture.time)
            #expect(expiresAt == fixture.time + 72 * 3_600)
        }
        let start = fixture.time
        fixture.time = start + 72 * 3_600
        #expect(try await fixture.reporter.form(NotMeFormRequest(token: tokens[0])).secret == nil)
        fixture.time -= 1
        #expect(try await report(tokens[1], fixture) == .done)
        try await fixture.storage.remove(try await fixture.user(user.id))
        #expect(try await fixture.reviews.list(AccountReviewsRequest()).reviews.isEmpty)
        let hash = try #require(LinkSecret(tokens[0])).hash
        #expect(try await fixture.users.facts(UserQuestion(.link(hash: hash), askedAt: fixture.time)).link == nil)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a user without an address is told at the old number, which may report too`(
        _ engine: DatabaseKind
    ) async throws {
        var fixture = try await OwnIdentityFixture(engine)
        let user = try await fixture.storage.user()
        let next = VerifiedIdentity.phone("+15557654321")
        #expect(try await fixture.add(Self.apple, to: user).result == .done)
        #expect(try await fixture.notices(to: user).isEmpty)
        fixture.sendsTexts = true
        #expect(try await fixture.add(next, to: user).result == .done)
        let notice = try #require(try await fixture.notices(to: user).first)
        #expect(notice.to == Self.number.value && notice.kind == .identityChanged && notice.at == Self.now)
        #expect(try await report(try #require(notice.token), fixture) == .done)
        #expect(try await fixture.storage.signIn(next) == .refused(.underReview))
        // A user with an address gets a mail alone.
        let other = try await fixture.storage.user("+15550000002")
        try await fixture.users.put([.assignIdentity(Self.email, to: other.id)], now: 1_000)
        #expect(try await fixture.add(VerifiedIdentity(kind: .oidc, value: "acme:7"), to: other).result == .done)
        #expect(try await fixture.notices(to: other).map(\.to) == [Self.email.value])
    }

    @Test(arguments: DatabaseKind.allCases)
    func `reviews are listed in pages`(_ engine: DatabaseKind) async throws {
        let fixture = try await OwnIdentityFixture(engine)
        var ids: [UserID] = []
        for digit in 0..<3 {
            let user = try await fixture.storage.user("+1555123456\(digit)", now: 1_000 + Int64(digit))
            try await fixture.users.put([.openReview(of: user.id, since: 7)], now: 1_005)
            ids.append(user.id)
        }
        let first = try await fixture.storage.queries.reviews(behind: nil, limit: 2)
        #expect(first == ids.prefix(2).map { AccountReview(user: $0, since: 7, openedAt: 1_005) })
        #expect(try await fixture.storage.queries.reviews(behind: ids[1], limit: 2).map(\.user) == [ids[2]])
        await #expect(throws: InvalidInput.self) { try await fixture.reviews.list(AccountReviewsRequest(cursor: "x")) }
    }
}
