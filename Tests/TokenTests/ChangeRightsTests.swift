import AccessTokens
import AuthAPI
import InternalAPI
import Testing

@testable import TokenCore

@Suite struct ChangeRightsTests {
    private static let stranger = "usr_0190a1b2c3d4e5f60718293a4b5c6d7f"

    private let fixture: TokenFixture
    private let replica: Replica

    init() async throws {
        fixture = try TokenFixture()
        replica = try await fixture.replica()
    }

    private var introspect: IntrospectToken { replica.parts.clientRoutes.introspect }

    private func claims(_ tokens: TokenSet) throws -> (role: ClaimValue?, version: Int64) {
        let claims = try replica.claims(of: tokens.accessToken, policy: fixture.policy, now: fixture.clock.now)
        return (claims.additional["role"], claims.version)
    }

    @Test func `tokens of before are refused everywhere, and a refresh brings the new role`() async throws {
        let mine = [try await replica.signIn(fixture), try await replica.signIn(fixture)]
        let foreign = try await replica.signIn(fixture, user: Self.stranger)
        try await replica.changeRights(role: "admin", version: 4)
        #expect(Set(fixture.feed.publishedFloors.map(\.sessionID.text)) == Set(mine.map(\.sessionID)))
        #expect(fixture.feed.publishedFloors.allSatisfy { $0.version == 4 })
        for tokens in mine {
            let refreshed = try #require(try await replica.refresh(tokens.refreshToken).tokens)
            let (role, version) = try claims(refreshed)
            #expect(role == .string("admin") && version == 4)
        }
        let other = try #require(try await replica.refresh(foreign.refreshToken).tokens)
        #expect(try claims(other).version == 3)
        #expect(fixture.feed.published.isEmpty)
    }

    @Test func `a repeat publishes nothing, and an older change that comes late changes nothing`() async throws {
        let tokens = try await replica.signIn(fixture)
        try await replica.changeRights(role: "admin", version: 5)
        try await replica.changeRights(role: "admin", version: 5)
        try await replica.changeRights(role: "guest", version: 4)
        #expect(fixture.feed.publishedFloors.map(\.version) == [5])
        let refreshed = try #require(try await replica.refresh(tokens.refreshToken).tokens)
        #expect(try claims(refreshed).role == .string("admin"))
        #expect(try await replica.auditDetails(of: "user.rights_changed") == ["version 5"])
    }

    @Test func `a change that keeps the tokens is in the next ones, and refuses none`() async throws {
        let tokens = try await replica.signIn(fixture)
        try await replica.changeRights(role: "user", version: 4, email: "ann@example.com", keepsTokens: true)
        #expect(fixture.feed.publishedFloors.isEmpty)
        #expect(try await introspect(tokens.accessToken).active)
        let refreshed = try #require(try await replica.refresh(tokens.refreshToken).tokens)
        #expect(try claims(refreshed).version == 4)
    }

    @Test func `a change that comes after a later one that kept the tokens still ends those from before it`()
        async throws
    {
        let tokens = try await replica.signIn(fixture)
        try await replica.changeRights(role: "user", version: 5, email: "ann@example.com", keepsTokens: true)
        let refreshed = try #require(try await replica.refresh(tokens.refreshToken).tokens)
        try await replica.changeRights(role: "user", version: 4)
        #expect(try await !introspect(tokens.accessToken).active)
        #expect(try await introspect(refreshed.accessToken).active)
        try await replica.changeRights(role: "user", version: 4)
        #expect(fixture.feed.publishedFloors.map(\.version) == [4])
        #expect(try await replica.auditDetails(of: "user.rights_changed") == ["version 5"])
    }

    @Test func `a grant of before is resolved again`() async throws {
        let old = try fixture.grant(version: 3)
        try await replica.changeRights(role: "admin", version: 4)
        #expect(try await replica.issue(old) == .refused(.grantStale))
        guard case .answer = try await replica.issue(try fixture.grant(version: 4)) else {
            Issue.record("a grant with the present rights opens no session")
            return
        }
    }

    @Test func `while Redis is away the change fails, holds here, and is published later`() async throws {
        let tokens = try await replica.signIn(fixture)
        fixture.feed.setAway(true)
        await #expect(throws: RecordingFeed.Away.self) {
            try await replica.changeRights(role: "admin", version: 4)
        }
        await #expect(throws: RecordingFeed.Away.self) {
            try await replica.changeRights(role: "admin", version: 4)
        }
        fixture.feed.setAway(false)
        try await replica.parts.publisher.catchUp()
        try await replica.parts.publisher.catchUp()
        #expect(fixture.feed.publishedFloors.map(\.sessionID.text) == [tokens.sessionID])
    }

    @Test func `a lost list is rebuilt from every floor that still matters`() async throws {
        _ = try await replica.signIn(fixture)
        try await replica.changeRights(role: "admin", version: 4)
        fixture.clock.advance(3_600 + Revocation.extraSeconds)
        let live = try await replica.issue(try fixture.grant(version: 4))
        try await replica.changeRights(role: "guest", version: 5)
        fixture.feed.lose()
        try await replica.parts.publisher.catchUp()
        guard case .answer(let tokens) = live else { return }
        #expect(fixture.feed.restoredFloors.contains { $0.sessionID.text == tokens.sessionID && $0.version == 5 })
    }
}
