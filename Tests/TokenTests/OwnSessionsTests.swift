import AccessTokens
import AuthAPI
import InternalAPI
import Testing

@testable import TokenCore
@testable import TokenTables

@Suite struct OwnSessionsTests {
    private static let stranger = "usr_0190a1b2c3d4e5f60718293a4b5c6d7f"

    private let fixture: TokenFixture
    private let replica: Replica
    private var routes: SessionRoutes { replica.parts.sessionRoutes }

    init() async throws {
        fixture = try TokenFixture()
        replica = try await fixture.replica()
    }

    private func list(_ tokens: TokenSet) async throws -> [SessionSummary] {
        guard case .answer(let list) = try await routes.list(accessToken: tokens.accessToken) else { return [] }
        return list.sessions
    }

    @Test func `the list shows the user's live sessions, newest first, and which one is asking`() async throws {
        let old = try await replica.signIn(fixture)
        fixture.clock.advance(10)
        let new = try await replica.signIn(fixture)
        let ended = try await replica.signIn(fixture)
        _ = try await replica.signIn(fixture, user: Self.stranger)
        try await replica.logout(refresh: ended.refreshToken)
        fixture.clock.advance(10)
        let refreshed = try #require(try await replica.refresh(old.refreshToken).tokens)
        let start = fixture.clock.now - 20
        let sessions = try await list(refreshed)
        #expect(
            sessions == [
                SessionSummary(
                    id: new.sessionID, deviceName: "iPhone", createdAt: start + 10, lastUsedAt: start + 10,
                    address: "203.0.113.0/24", current: false),
                SessionSummary(
                    id: old.sessionID, deviceName: "iPhone", createdAt: start, lastUsedAt: start + 20,
                    address: "203.0.113.0/24", current: true),
            ])
    }

    @Test func `a session that can no longer be refreshed is not shown`() async throws {
        _ = try await replica.signIn(fixture)
        fixture.clock.advance(2_592_000)
        let tokens = try await replica.signIn(fixture)
        #expect(try await list(tokens).map(\.id) == [tokens.sessionID])
    }

    @Test func `more sessions than are shown are still ended`() async throws {
        let fixture = try TokenFixture(sessions: "{ perUserMax: 1000 }")
        let replica = try await fixture.replica()
        let routes = replica.parts.sessionRoutes
        let mine = try await replica.signIn(fixture)
        fixture.clock.advance(1)
        var others: [TokenSet] = []
        for _ in 0...ListSessions.countMax { others.append(try await replica.signIn(fixture)) }
        func list(_ tokens: TokenSet) async throws -> [SessionSummary] {
            guard case .answer(let list) = try await routes.list(accessToken: tokens.accessToken) else { return [] }
            return list.sessions
        }
        #expect(try await list(mine).count == ListSessions.countMax)
        #expect(try await routes.endOthers(accessToken: mine.accessToken) == .answer(Done()))
        #expect(try await list(mine).map(\.id) == [mine.sessionID])
        #expect(Set(fixture.feed.published.map(\.sessionID.text)) == Set(others.map(\.sessionID)))
    }

    @Test func `ending one session ends it alone, and again is a success that changes nothing`() async throws {
        let (mine, other) = (try await replica.signIn(fixture), try await replica.signIn(fixture))
        for _ in 0..<2 {
            #expect(try await routes.endOwn(other.sessionID, accessToken: mine.accessToken) == .answer(Done()))
        }
        #expect(fixture.feed.published.map(\.sessionID.text) == [other.sessionID])
        #expect(fixture.feed.published.map(\.reason) == [.device])
        #expect(try await replica.refresh(other.refreshToken).result == .revoked)
        #expect(try await replica.refresh(mine.refreshToken).result == .rotated)
    }

    @Test func `another's session, none, and other spellings are not found and stay`() async throws {
        let mine = try await replica.signIn(fixture)
        let foreign = try await replica.signIn(fixture, user: Self.stranger)
        let unknown = String(repeating: "0", count: 24)
        let refusal = OperationOutcome<Done, EndOwnSessionRefusal>.refused(
            .notFound, title: "The user has no such session")
        for id in [foreign.sessionID, unknown, "", "x", mine.sessionID.uppercased() + "0", " " + mine.sessionID] {
            #expect(try await routes.endOwn(id, accessToken: mine.accessToken) == refusal)
        }
        #expect(try await replica.refresh(foreign.refreshToken).result == .rotated)
        #expect(try await replica.refresh(mine.refreshToken).result == .rotated)
    }

    @Test func `ending the others spares the present one and other users`() async throws {
        let mine = try await replica.signIn(fixture)
        let others = [try await replica.signIn(fixture), try await replica.signIn(fixture)]
        let foreign = try await replica.signIn(fixture, user: Self.stranger)
        #expect(try await routes.endOthers(accessToken: mine.accessToken) == .answer(Done()))
        #expect(Set(fixture.feed.published.map(\.sessionID.text)) == Set(others.map(\.sessionID)))
        for ended in others { #expect(try await replica.refresh(ended.refreshToken).result == .revoked) }
        for spared in [mine, foreign] { #expect(try await replica.refresh(spared.refreshToken).result == .rotated) }
    }

    @Test func `an access token whose session has ended is nobody's here, before any gateway knows`() async throws {
        let (mine, other) = (try await replica.signIn(fixture), try await replica.signIn(fixture))
        fixture.feed.setAway(true)
        await #expect(throws: RecordingFeed.Away.self) { try await replica.logout(refresh: mine.refreshToken) }
        fixture.feed.setAway(false)
        #expect(try await routes.list(accessToken: mine.accessToken) == .refused(.invalidToken))
        #expect(try await routes.endOwn(other.sessionID, accessToken: mine.accessToken) == .refused(.invalidToken))
        #expect(try await routes.endOthers(accessToken: mine.accessToken) == .refused(.invalidToken))
        #expect(try await replica.refresh(other.refreshToken).result == .rotated)
    }

    @Test func `expired, foreign and refresh tokens open no list, and a deactivated user is told so`() async throws {
        let foreign = try TokenFixture()
        let foreignToken = try await foreign.replica().signIn(foreign).accessToken
        let mine = try await replica.signIn(fixture)
        for token in ["", "a.b.c", foreignToken, mine.refreshToken] {
            #expect(try await routes.list(accessToken: token) == .refused(.invalidToken))
        }
        fixture.clock.advance(3_600)
        #expect(try await routes.list(accessToken: mine.accessToken) == .refused(.invalidToken))
        let late = try await replica.signIn(fixture)
        try await replica.revokeUser(epoch: 1, reason: .inactive)
        #expect(try await routes.list(accessToken: late.accessToken) == .refused(.accountInactive))
    }

    @Test func `while Redis is away an end fails, holds here, and a repeat publishes it`() async throws {
        let (mine, other) = (try await replica.signIn(fixture), try await replica.signIn(fixture))
        fixture.feed.setAway(true)
        await #expect(throws: RecordingFeed.Away.self) {
            try await routes.endOwn(other.sessionID, accessToken: mine.accessToken)
        }
        await #expect(throws: RecordingFeed.Away.self) {
            try await routes.endOthers(accessToken: mine.accessToken)
        }
        fixture.feed.setAway(false)
        #expect(try await replica.refresh(other.refreshToken).result == .revoked)
        #expect(try await routes.endOwn(other.sessionID, accessToken: mine.accessToken) == .answer(Done()))
        #expect(fixture.feed.published.map(\.sessionID.text) == [other.sessionID])
    }

    @Test func `a token signed with a key that a replica has just made is known`() async throws {
        // The second process reads its keys anew when a kid is unknown to it.
        let twin = try await fixture.replica()
        let tokens = try await twin.signIn(fixture)
        #expect(try await list(tokens).map(\.id) == [tokens.sessionID])
    }

    @Test func `the operator lists and ends the sessions of any user, or one`() async throws {
        let (one, two) = (try await replica.signIn(fixture), try await replica.signIn(fixture))
        let third = try await replica.signIn(fixture)
        #expect(try await routes.list(userID: TokenFixture.user).sessions.allSatisfy { !$0.current })
        let single = try await routes.endAsOperator(EndSessionsRequest(sessionID: one.sessionID))
        #expect(single.endedCount == 1)
        #expect(try await routes.list(userID: TokenFixture.user).sessions.count == 2)
        #expect(try await routes.endAsOperator(EndSessionsRequest(userID: TokenFixture.user)).endedCount == 2)
        #expect(try await routes.list(userID: TokenFixture.user).sessions.isEmpty)
        for tokens in [one, two, third] {
            #expect(try await replica.refresh(tokens.refreshToken).result == .revoked)
        }
        for request in [EndSessionsRequest(), EndSessionsRequest(userID: "u", sessionID: one.sessionID)] {
            await #expect(throws: InvalidInput.self) { try await routes.endAsOperator(request) }
        }
    }

    @Test func `no refresh invoked after an answered end succeeds while both race`() async throws {
        let twin = try await fixture.replica()
        let mine = try await replica.signIn(fixture)
        for _ in 0..<20 {
            let other = try await replica.signIn(fixture)
            async let refreshed = replica.refresh(other.refreshToken)
            async let ended = twin.parts.sessionRoutes.endOwn(other.sessionID, accessToken: mine.accessToken)
            let (answer, outcome) = (try await refreshed, try await ended)
            #expect(outcome == .answer(Done()))
            let successor = answer.tokens?.refreshToken ?? other.refreshToken
            #expect(try await replica.refresh(successor).result == .revoked)
        }
    }

    @Test func `every end is in the audit with its reason`() async throws {
        let (mine, one) = (try await replica.signIn(fixture), try await replica.signIn(fixture))
        _ = try await replica.signIn(fixture)
        _ = try await routes.endOwn(one.sessionID, accessToken: mine.accessToken)
        _ = try await routes.endOthers(accessToken: mine.accessToken)
        _ = try await routes.endAsOperator(EndSessionsRequest(userID: TokenFixture.user))
        let details = try await replica.auditDetails(of: "session.revoked")
        #expect(details == ["device", "device", "admin"])
    }

    @Test func `no two reasons share a number`() {
        let reasons = RevocationReason.allCases
        #expect(Set(reasons.map(\.code)).count == reasons.count)
        #expect(reasons.allSatisfy { RevocationReason(code: $0.code) == $0 })
    }
}
