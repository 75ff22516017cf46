import AuthAPI
import InternalAPI
import Testing

@testable import TokenCore

@Suite struct EndSessionTests {
    private func published(_ fixture: TokenFixture) -> [String] {
        fixture.feed.published.map(\.sessionID.text)
    }

    @Test func `a logout by refresh token ends its session alone`() async throws {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        let (mine, other) = (try await replica.signIn(fixture), try await replica.signIn(fixture))
        try await replica.logout(refresh: mine.refreshToken)
        #expect(published(fixture) == [mine.sessionID])
        #expect(try await replica.refresh(mine.refreshToken).result == .revoked)
        #expect(try await replica.refresh(other.refreshToken).result == .rotated)
    }

    @Test func `a logout by access token works, even by an expired one`() async throws {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        let tokens = try await replica.signIn(fixture)
        let refreshed = try #require(try await replica.refresh(tokens.refreshToken).tokens)
        fixture.clock.advance(7_200)
        try await replica.logout(access: tokens.accessToken)
        #expect(try await replica.refresh(refreshed.refreshToken).result == .revoked)
    }

    @Test func `a used refresh token still ends its session`() async throws {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        let first = try await replica.signIn(fixture).refreshToken
        let second = try #require(try await replica.refresh(first).tokens).refreshToken
        let third = try #require(try await replica.refresh(second).tokens).refreshToken
        try await replica.logout(refresh: first)
        #expect(try await replica.refresh(third).result == .revoked)
    }

    @Test func `logging out twice, or with unknown tokens, succeeds and publishes once`() async throws {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        let tokens = try await replica.signIn(fixture)
        for _ in 0..<3 { try await replica.logout(refresh: tokens.refreshToken, access: tokens.accessToken) }
        try await replica.logout(refresh: "rt_nothing", access: "a.b.c")
        try await replica.logout()
        #expect(published(fixture) == [tokens.sessionID])
    }

    @Test(arguments: [LogoutScope.all, .others])
    func `many sign-outs everywhere at once all end everything`(scope: LogoutScope) async throws {
        let fixture = try TokenFixture()
        let replicas = [try await fixture.replica(), try await fixture.replica()]
        for _ in 0..<10 {
            let (mine, other) = (try await replicas[0].signIn(fixture), try await replicas[1].signIn(fixture))
            let outcomes = try await withThrowingTaskGroup(of: EndSession.Outcome.self) { group in
                for number in 0..<8 {
                    group.addTask { try await replicas[number % 2].logout(refresh: mine.refreshToken, scope: scope) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes == Array(repeating: .answer(Done()), count: 8))
            #expect(try await replicas[0].refresh(other.refreshToken).result == .revoked)
        }
    }

    @Test func `an access token altered or of other keys ends nothing`() async throws {
        let (fixture, foreign) = (try TokenFixture(), try TokenFixture())
        let (replica, other) = (try await fixture.replica(), try await foreign.replica())
        let tokens = try await replica.signIn(fixture)
        try await replica.logout(access: String(tokens.accessToken.dropLast(4)) + "AAAA")
        try await replica.logout(access: try await other.signIn(foreign).accessToken)
        #expect(published(fixture).isEmpty)
        #expect(try await replica.refresh(tokens.refreshToken).result == .rotated)
    }

    @Test func `while Redis is away the logout fails, holds here, and a repeat publishes it`() async throws {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        let tokens = try await replica.signIn(fixture)
        fixture.feed.setAway(true)
        await #expect(throws: RecordingFeed.Away.self) { try await replica.logout(refresh: tokens.refreshToken) }
        #expect(try await replica.refresh(tokens.refreshToken).result == .revoked)
        await #expect(throws: RecordingFeed.Away.self) { try await replica.logout(refresh: tokens.refreshToken) }
        fixture.feed.setAway(false)
        try await replica.logout(refresh: tokens.refreshToken)
        #expect(published(fixture) == [tokens.sessionID])
        try await replica.parts.publisher.catchUp()
        #expect(published(fixture).count == 1)
    }

    @Test func `a lost list is rebuilt from every revocation that still matters`() async throws {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        let old = try await replica.signIn(fixture)
        try await replica.logout(refresh: old.refreshToken)
        fixture.clock.advance(3_600 + Revocation.extraSeconds)
        let live = try await replica.signIn(fixture)
        try await replica.logout(refresh: live.refreshToken)
        fixture.feed.lose()
        try await replica.parts.publisher.catchUp()
        #expect(fixture.feed.restored.map(\.sessionID.text) == [live.sessionID])
        let isComplete = try await fixture.feed.isComplete()
        #expect(isComplete)
    }

    @Test func `revoking a user ends the sessions below the epoch and refuses older grants`() async throws {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        let (one, two) = (try await replica.signIn(fixture), try await replica.signIn(fixture))
        try await replica.revokeUser(epoch: 1)
        #expect(Set(published(fixture)) == [one.sessionID, two.sessionID])
        #expect(try await replica.refresh(one.refreshToken).result == .revoked)
        #expect(try await replica.issue(try fixture.grant(epoch: 0)) == .refused(.grantStale))
        let new = try await replica.signIn(fixture, epoch: 1)
        // Delivered again: sessions that were opened since stay active.
        try await replica.revokeUser(epoch: 1)
        #expect(try await replica.refresh(new.refreshToken).result == .rotated)
        #expect(published(fixture).count == 2)
    }

    @Test func `a password change spares the session that it names, whatever comes late`() async throws {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        let (mine, other) = (try await replica.signIn(fixture), try await replica.signIn(fixture))
        try await replica.revokeUser(epoch: 1, reason: .passwordChange, sparing: mine.sessionID)
        let next = try #require(try await replica.refresh(mine.refreshToken).tokens)
        #expect(try await replica.refresh(other.refreshToken).result == .revoked)
        try await replica.revokeUser(epoch: 1, reason: .passwordChange)
        #expect(try await replica.refresh(next.refreshToken).result == .rotated)
        #expect(published(fixture) == [other.sessionID])
        #expect(try await replica.issue(try fixture.grant(epoch: 0)) == .refused(.grantStale))
    }

    @Test(arguments: ["", "nobody", "../../etc", String(repeating: "a", count: 10_000)])
    func `what names no session spares none`(_ name: String) async throws {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        let session = try await replica.signIn(fixture)
        try await replica.revokeUser(epoch: 1, reason: .passwordChange, sparing: name)
        #expect(published(fixture) == [session.sessionID])
    }

    @Test func `sessions of a deactivated user say so`() async throws {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        let tokens = try await replica.signIn(fixture)
        try await replica.revokeUser(epoch: 1, reason: .inactive)
        #expect(try await replica.refresh(tokens.refreshToken).result == .inactive)
    }

    @Test func `no refresh invoked after an answered revocation succeeds while both race`() async throws {
        let fixture = try TokenFixture()
        let replicas = [try await fixture.replica(), try await fixture.replica()]
        for _ in 0..<20 {
            let token = try await replicas[0].signIn(fixture).refreshToken
            async let refreshed = replicas[0].refresh(token)
            async let ended = replicas[1].logout(refresh: token)
            let (answer, _) = (try await refreshed, try await ended)
            let successor = answer.tokens?.refreshToken ?? token
            #expect(try await replicas[0].refresh(successor).result == .revoked)
        }
    }

    @Test func `a logout of the others or of all ends those, by either token`() async throws {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        let foreign = try await replica.signIn(fixture, user: "usr_0190a1b2c3d4e5f60718293a4b5c6d7f")
        var mine: [TokenSet] = []
        for _ in 0..<4 { mine.append(try await replica.signIn(fixture)) }
        try await replica.logout(refresh: mine[0].refreshToken, scope: .others)
        #expect(Set(published(fixture)) == Set(mine.dropFirst().map(\.sessionID)))
        #expect(fixture.feed.published.allSatisfy { $0.reason == .device })
        let more = try await replica.signIn(fixture)
        #expect(try await replica.logout(access: more.accessToken, scope: .all) == .answer(Done()))
        #expect(published(fixture).suffix(2).sorted() == [mine[0].sessionID, more.sessionID].sorted())
        #expect(fixture.feed.published.suffix(2).allSatisfy { $0.reason == .logoutAll })
        #expect(try await replica.refresh(foreign.refreshToken).result == .rotated)
    }

    @Test func `a token whose session has ended, or can no longer be refreshed, ends no other`()
        async throws
    {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        let (old, ended) = (try await replica.signIn(fixture), try await replica.signIn(fixture))
        try await replica.logout(refresh: ended.refreshToken)
        fixture.clock.advance(2_592_000)
        let live = try await replica.signIn(fixture)
        for scope in [LogoutScope.others, .all] {
            for token in [old, ended] {
                #expect(try await replica.logout(refresh: token.refreshToken, scope: scope) == .refused(.invalidToken))
                #expect(try await replica.logout(access: token.accessToken, scope: scope) == .refused(.invalidToken))
            }
            #expect(
                try await replica.logout(refresh: "rt_nothing", access: "a.b.c", scope: scope)
                    == .refused(.invalidToken))
        }
        #expect(published(fixture) == [ended.sessionID])
        #expect(try await replica.refresh(live.refreshToken).result == .rotated)
    }

    @Test(arguments: [LogoutScope.others, .all])
    func `an expired access token and a used refresh token end their own session at most`(
        scope: LogoutScope
    ) async throws {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        let (mine, other) = (try await replica.signIn(fixture), try await replica.signIn(fixture))
        let next = try #require(try await replica.refresh(mine.refreshToken).tokens)
        #expect(try await replica.logout(refresh: mine.refreshToken, scope: scope) == .refused(.invalidToken))
        fixture.clock.advance(mine.expiresIn)
        #expect(try await replica.logout(access: mine.accessToken, scope: scope) == .refused(.invalidToken))
        #expect(
            try await replica.logout(refresh: mine.refreshToken, access: mine.accessToken, scope: scope)
                == .refused(.invalidToken))
        #expect(published(fixture).isEmpty)
        // One good token is enough, and without a scope an old one ends its session.
        #expect(
            try await replica.logout(refresh: next.refreshToken, access: mine.accessToken, scope: .others)
                == .answer(Done()))
        #expect(published(fixture) == [other.sessionID])
        #expect(try await replica.logout(access: mine.accessToken) == .answer(Done()))
        #expect(published(fixture) == [other.sessionID, mine.sessionID])
    }

    @Test func `while Redis is away a logout of all fails, and a repeat waits for what it could not publish`()
        async throws
    {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        let (mine, other) = (try await replica.signIn(fixture), try await replica.signIn(fixture))
        fixture.feed.setAway(true)
        for _ in 0..<2 {
            await #expect(throws: RecordingFeed.Away.self) {
                try await replica.logout(refresh: mine.refreshToken, scope: .all)
            }
        }
        fixture.feed.setAway(false)
        try await replica.logout(refresh: mine.refreshToken, scope: .all)
        #expect(Set(published(fixture)) == [mine.sessionID, other.sessionID])
    }
}
