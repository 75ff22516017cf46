import AuthAPI
import CryptoPrimitives
import InternalAPI
import Policies
import SQLiteStore
import Storage
import TestSupport
import Testing

@testable import TokenCore
@testable import TokenTables

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
        guard case .answer(let tokens) = try await (other ?? replica).parts.routes.issue(request) else {
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
        let plan = try await replica.database.read { try QueryPlan.of(Sessions.ending, in: $0) }
        #expect(plan.contains("INDEX sessions_by_page (page_hash=?)"), "\(plan)")
    }

    /// Refreshes with the newest token `count` times, `seconds` apart, and returns all tokens.
    private func chain(_ first: String, _ secret: String, count: Int, every seconds: Int64 = 0) async throws -> [String]
    {
        var tokens = [first]
        for _ in 0..<count {
            fixture.clock.advance(seconds)
            let answer = try await refresh(tokens[tokens.count - 1], secret: secret)
            #expect(answer.result == .rotated)
            tokens.append(try #require(answer.tokens?.refreshToken))
        }
        return tokens
    }

    @Test func `a token of three refreshes ago gets the newest one, hours later too, and that one goes on`()
        async throws
    {
        let (first, secret) = try await signIn()
        let tokens = try await chain(first.refreshToken, secret, count: 4)
        let again = try await refresh(tokens[1], secret: secret)
        #expect(again.result == .repeated && again.tokens?.refreshToken == tokens[4])
        #expect(again.tokens?.expiresIn == first.expiresIn)
        fixture.clock.advance(500)
        let late = try await refresh(tokens[0], secret: secret)
        #expect(late.result == .repeated && late.tokens?.refreshToken == tokens[4] && late.tokens?.expiresIn == 300)
        #expect(try await refresh(tokens[4], secret: secret).result == .rotated)
    }

    @Test func `tabs that open at once hours later have one old cookie, and one of them rotates in between`()
        async throws
    {
        let (first, secret) = try await signIn()
        let tokens = try await chain(first.refreshToken, secret, count: 5)
        fixture.clock.advance(500)
        #expect(try await refresh(tokens[1], secret: secret).tokens?.refreshToken == tokens[5])
        let next = try #require(try await refresh(tokens[5], secret: secret).tokens?.refreshToken)
        for _ in 0..<3 { #expect(try await refresh(tokens[1], secret: secret).tokens?.refreshToken == next) }
        #expect(fixture.feed.published.isEmpty)
    }

    @Test func `a token that was replaced too long before the newest rotation ends the session`() async throws {
        let (first, secret) = try await signIn()
        let tokens = try await chain(first.refreshToken, secret, count: 4, every: 100)
        // It was replaced 300 s before the newest rotation, the next one 200 s before.
        #expect(try await refresh(tokens[1], secret: secret).tokens?.refreshToken == tokens[4])
        #expect(try await refresh(tokens[0], secret: secret).reason == .reused)
        #expect(try await refresh(tokens[4], secret: secret).reason == .reused)
    }

    @Test func `with one cookie of the two an old token gets nothing and ends nothing`() async throws {
        let (own, other) = (try await signIn(), try await signIn())
        let tokens = try await chain(own.tokens.refreshToken, own.secret, count: 4)
        for token in tokens {
            for secret in [nil, other.secret, "x"] {
                let answer = try await refresh(token, secret: secret)
                #expect(answer.result == .unknown && answer.tokens == nil && answer.reason == nil)
            }
        }
        #expect(fixture.feed.published.isEmpty)
        #expect(try await refresh(tokens[4], secret: own.secret).result == .rotated)
    }

    @Test func `the page's key counts, whatever key the request states`() async throws {
        let (first, secret) = try await signIn()
        let next = try #require(try await refresh(first.refreshToken, secret: secret, key: "a").tokens?.refreshToken)
        for key in ["a", "b"] {
            #expect(try await refresh(first.refreshToken, secret: secret, key: key).tokens?.refreshToken == next)
        }
    }

    @Test func `twenty tabs whose requests cross stay signed in`() async throws {
        let replicas = [replica, try await fixture.replica()]
        let (first, secret) = try await signIn()
        var jar = [first.refreshToken]
        for round in 0..<6 {
            let known = jar
            let answers = try await withThrowingTaskGroup(of: RefreshAnswer.self) { group in
                for tab in 0..<20 {
                    let token = known[(tab * 7 + round) % known.count]
                    group.addTask {
                        try await replicas[tab % 2].parts.routes.rotate(
                            RefreshRequest(refreshToken: token, pageSecret: secret))
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.allSatisfy { $0.tokens != nil })
            // At most one new token: all that are known lead to the newest one.
            jar += Set(answers.compactMap { $0.tokens?.refreshToken }).subtracting(jar)
            #expect(jar.count == known.count + 1)
            fixture.clock.advance(10)
        }
        #expect(fixture.feed.published.isEmpty)
    }

    @Test func `tabs cross a rotation of the server's key`() async throws {
        let other = try TokenFixture()
        let lines = TokenFixture.lines(2)
        let before = try await other.replica(storageRing: try TokenFixture.ring([lines[1]]))
        let after = try await other.replica(storageRing: try TokenFixture.ring(lines))
        let (first, secret) = try await signIn(grant: try other.grant(), at: before)
        var tokens = [first.refreshToken]
        for replica in [before, before, after, after] {
            let request = RefreshRequest(refreshToken: tokens[tokens.count - 1], pageSecret: secret)
            tokens.append(try #require(try await replica.parts.routes.rotate(request).tokens?.refreshToken))
        }
        for token in tokens.dropLast() {
            let answer = try await after.parts.routes.rotate(RefreshRequest(refreshToken: token, pageSecret: secret))
            #expect(answer.tokens?.refreshToken == tokens[4])
        }
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

    @Test func `without late tabs a replay is repeated, then superseded for a minute, and later ends the session`()
        async throws
    {
        let fixture = try TokenFixture(more: "web: { lateTabSeconds: 0 }")
        let replica = try await fixture.replica()
        let (tokens, secret) = try await signIn(grant: try fixture.grant(), at: replica)
        let refresh = { try await replica.parts.routes.rotate(RefreshRequest(refreshToken: $0, pageSecret: secret)) }
        let first = try #require(try await refresh(tokens.refreshToken).tokens)
        fixture.clock.advance(30)
        #expect(try await refresh(tokens.refreshToken).tokens?.refreshToken == first.refreshToken)
        let second = try #require(try await refresh(first.refreshToken).tokens)
        fixture.clock.advance(59)
        #expect(try await refresh(tokens.refreshToken).reason == .superseded)
        fixture.clock.advance(1)
        #expect(try await refresh(tokens.refreshToken).reason == .reused)
        #expect(try await refresh(second.refreshToken).reason == .reused)
    }

    @Test func `the list tells a page's session from an app's`() async throws {
        let app = try await replica.signIn(fixture)
        let page = try await signIn().tokens
        guard case .answer(let list) = try await replica.parts.sessionRoutes.list(accessToken: app.accessToken) else {
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
