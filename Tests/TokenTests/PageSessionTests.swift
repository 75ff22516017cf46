import AuthAPI
import CryptoPrimitives
import InternalAPI
import Policies
import SQLiteStore
import TestSupport
import Testing

@testable import TokenCore
@testable import TokenSQLite

/// Sessions of web pages, whose tokens are in cookies.
@Suite struct PageSessionTests {
    private let fixture: TokenFixture
    private let replica: Replica

    init() async throws {
        fixture = try TokenFixture(more: "web: { idleLifetimeSeconds: 600 }")
        replica = try await fixture.replica()
    }

    private func signIn(
        grant: String? = nil, key: String? = nil, over replaced: String? = nil, at other: Replica? = nil
    ) async throws -> (tokens: TokenSet, secret: String) {
        let request = IssueRequest(
            grant: try grant ?? fixture.grant(), dialect: "native", idempotencyKey: key, isPage: true,
            replacedPage: replaced)
        guard case .issued(let tokens) = try await (other ?? replica).parts.routes.issue(request) else {
            throw NotIssued()
        }
        return (tokens, try #require(tokens.pageSecret))
    }

    private struct NotIssued: Error {}

    private func refresh(_ token: String, secret: String?, key: String = "k") async throws -> RefreshAnswer {
        try await replica.parts.routes.rotate(
            RefreshRequest(refreshToken: token, idempotencyKey: key, pageSecret: secret))
    }

    @Test func `a page's sign-in comes with a secret of its own, an app's with none`() async throws {
        let (one, two) = (try await signIn(), try await signIn())
        #expect(Base64URL.decode(one.secret)?.count == 32 && one.secret != two.secret)
        #expect(try await replica.signIn(fixture).pageSecret == nil)
    }

    @Test func `a repeated sign-in has the same secret, after a key rotation too`() async throws {
        let other = try TokenFixture()
        let (grant, lines) = (try other.grant(), TokenFixture.lines(2))
        let (before, after) = (try TokenFixture.ring([lines[1]]), try TokenFixture.ring(lines))
        let first = try await signIn(grant: grant, key: "k-1", at: try await other.replica(storageRing: before))
        let again = try await signIn(grant: grant, key: "k-1", at: try await other.replica(storageRing: after))
        #expect(again.secret == first.secret && again.tokens.refreshToken == first.tokens.refreshToken)
    }

    @Test func `a token in a cookie is refused with another page's secret, and stays unused`() async throws {
        let (own, other) = (try await signIn(), try await signIn())
        for secret in [other.secret, "", "x", Base64URL.encode([UInt8](repeating: 0, count: 32))] {
            let answer = try await refresh(own.tokens.refreshToken, secret: secret)
            #expect(answer.result == .unknown && answer.reason == nil && answer.tokens == nil)
        }
        #expect(try await refresh(own.tokens.refreshToken, secret: own.secret).result == .rotated)
    }

    @Test func `an app's token in a page's cookie signs nobody in`() async throws {
        let app = try await replica.signIn(fixture)
        let page = try await signIn()
        #expect(try await refresh(app.refreshToken, secret: page.secret).result == .unknown)
        #expect(try await replica.refresh(app.refreshToken).result == .rotated)
    }

    @Test func `the secret holds for the session's life`() async throws {
        let (tokens, secret) = try await signIn()
        var token = tokens.refreshToken
        for key in ["a", "b", "c"] {
            let answer = try await refresh(token, secret: secret, key: key)
            token = try #require(answer.tokens?.refreshToken)
            #expect(answer.tokens?.pageSecret == nil)
        }
    }

    @Test func `a page's token without its secret is refused, and stays unused`() async throws {
        let (tokens, secret) = try await signIn()
        let leaked = try await refresh(tokens.refreshToken, secret: nil)
        #expect(leaked.result == .unknown && leaked.reason == nil && leaked.tokens == nil)
        let next = try #require(try await refresh(tokens.refreshToken, secret: secret).tokens?.refreshToken)
        // Nor does a used one end the session.
        _ = try await refresh(next, secret: secret, key: "l")
        #expect(try await refresh(tokens.refreshToken, secret: nil, key: "m").result == .unknown)
        #expect(fixture.feed.published.isEmpty)
    }

    @Test func `a page that signs in again ends its session, and a late refresh of that is superseded`() async throws {
        let (first, bystander) = (try await signIn(), try await signIn())
        let grant = try fixture.grant(user: "usr_0190a1b2c3d4e5f60718293a4b5c6d7f")
        let second = try await signIn(grant: grant, key: "k", over: first.secret)
        #expect(fixture.feed.published.map(\.sessionID.text) == [first.tokens.sessionID])
        #expect(fixture.feed.published.map(\.reason) == [.replaced])
        let late = try await refresh(first.tokens.refreshToken, secret: first.secret)
        #expect(late.result == .revoked && late.reason == .superseded)
        // The response was lost, and the sign-in comes again; or it has arrived, and the page sends the new cookie.
        for cookie in [first.secret, second.secret] {
            let again = try await signIn(grant: grant, key: "k", over: cookie)
            #expect(again.tokens.sessionID == second.tokens.sessionID)
        }
        for living in [second, bystander] {
            let answer = try await refresh(living.tokens.refreshToken, secret: living.secret, key: "l")
            #expect(answer.result == .rotated)
        }
        #expect(fixture.feed.published.count == 1)
    }

    @Test func `an app's sign-in, and one with a secret of nobody's, end no page's session`() async throws {
        let page = try await signIn()
        _ = try await replica.signIn(fixture)
        for secret in ["", "x", Base64URL.encode([UInt8](repeating: 0, count: 32))] {
            _ = try await signIn(over: secret)
        }
        #expect(fixture.feed.published.isEmpty)
        #expect(try await refresh(page.tokens.refreshToken, secret: page.secret).result == .rotated)
    }

    @Test func `a page's session is found by an index`() async throws {
        let plan = try await replica.database.read { try QueryPlan.of(SQLiteSessionStore.byPage, in: $0) }
        #expect(plan.contains("USING INDEX sessions_by_page (page_hash=?)"), "\(plan)")
    }

    @Test func `a replay ends the session a minute after its successor was used, and not before`() async throws {
        let (tokens, secret) = try await signIn()
        let next = try #require(try await refresh(tokens.refreshToken, secret: secret, key: "a").tokens?.refreshToken)
        let last = try #require(try await refresh(next, secret: secret, key: "b").tokens?.refreshToken)
        fixture.clock.advance(59)
        #expect(try await refresh(tokens.refreshToken, secret: secret, key: "a").reason == .superseded)
        fixture.clock.advance(1)
        #expect(try await refresh(tokens.refreshToken, secret: secret, key: "a").reason == .reused)
        #expect(try await refresh(last, secret: secret, key: "c").reason == .reused)
    }

    @Test func `a page's session may be idle for the time of the policy's pages`() async throws {
        let (page, app) = (try await signIn(), try await replica.signIn(fixture))
        #expect(page.tokens.refreshExpiresAt == fixture.clock.now + 600)
        fixture.clock.advance(599)
        let next = try #require(try await refresh(page.tokens.refreshToken, secret: page.secret).tokens)
        #expect(next.refreshExpiresAt == fixture.clock.now + 600)
        fixture.clock.advance(600)
        let late = try await refresh(next.refreshToken, secret: page.secret)
        #expect(late.result == .expired && late.reason == .expired)
        #expect(try await replica.refresh(app.refreshToken).result == .rotated)
    }

    @Test func `a replay is repeated, then superseded for a minute, and later ends the session`() async throws {
        let (tokens, secret) = try await signIn()
        let replay = { try await self.refresh(tokens.refreshToken, secret: secret, key: "hmac-0") }
        let first = try #require(try await replay().tokens)
        fixture.clock.advance(30)
        #expect(try await replay().tokens?.refreshToken == first.refreshToken)
        let second = try #require(try await refresh(first.refreshToken, secret: secret, key: "hmac-1").tokens)
        fixture.clock.advance(59)
        #expect(try await replay().reason == .superseded)
        fixture.clock.advance(1)
        #expect(try await replay().reason == .reused)
        #expect(try await refresh(second.refreshToken, secret: secret, key: "hmac-2").reason == .reused)
    }

    @Test func `the list tells a page's session from an app's`() async throws {
        let app = try await replica.signIn(fixture)
        let page = try await signIn().tokens
        guard case .done(let list) = try await replica.parts.sessionRoutes.list(accessToken: app.accessToken) else {
            throw NotIssued()
        }
        let web = Dictionary(uniqueKeysWithValues: list.sessions.map { ($0.id, $0.web) })
        #expect(web == [app.sessionID: nil, page.sessionID: true])
    }

    @Test func `one pair presented a hundred times at once has one successor`() async throws {
        let replicas = [replica, try await fixture.replica()]
        let (tokens, secret) = try await signIn()
        let answers = try await withThrowingTaskGroup(of: RefreshAnswer.self) { group in
            for index in 0..<100 {
                group.addTask {
                    try await replicas[index % 2].parts.routes.rotate(
                        RefreshRequest(
                            refreshToken: tokens.refreshToken, idempotencyKey: "the-hmac", pageSecret: secret))
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.allSatisfy { $0.result == .rotated || $0.result == .repeated })
        let successors = Set(answers.compactMap { $0.tokens?.refreshToken })
        #expect(successors.count == 1)
        #expect(try await refresh(try #require(successors.first), secret: secret).result == .rotated)
    }
}
