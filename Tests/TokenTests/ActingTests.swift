import AccessTokens
import AuthAPI
import InternalAPI
import Policies
import Testing

@testable import TokenCore

/// Sessions in which one user acts as another.
@Suite struct ActingTests {
    private static let user = TokenFixture.user
    private static let support = "usr_0190a1b2c3d4e5f60718293a4b5c6d70"

    private let fixture: TokenFixture
    private let replica: Replica
    /// The actor's own session.
    private let theirs: TokenSet
    private var routes: SessionRoutes { replica.parts.sessionRoutes }

    init() async throws {
        fixture = try TokenFixture(sessions: "{ perUserMax: 1 }")
        replica = try await fixture.replica()
        theirs = try await replica.signIn(fixture, user: Self.support)
    }

    private func outcome(
        epoch: Int64 = 0, version: Int64 = 3, from session: String? = nil, actorVersion: Int64 = 1
    ) async throws -> OpenActingSession.Outcome {
        try await routes.openActing(
            ActRequest(
                userID: Self.user, epoch: epoch,
                claims: UserClaims(phone: TokenFixture.phone, role: "user", version: version), actorID: Self.support,
                actorSessionID: session ?? theirs.sessionID, actorVersion: actorVersion,
                administrator: "administrator:00"))
    }

    private func act() async throws -> ActingToken {
        let outcome = try await OperatorName.$current.withValue(OperatorName(administrator: "administrator:00")) {
            try await self.outcome()
        }
        guard case .answer(let token) = outcome else { throw Refused() }
        return token
    }

    private struct Refused: Error {}

    private func claims(_ token: ActingToken) throws -> AccessTokenClaims {
        try AccessTokenVerifier(
            issuer: fixture.policy.issuer, audience: ActingAudience.of(fixture.policy.audience),
            keys: replica.keys.current.verification
        ).verify(Array(token.accessToken.utf8), now: fixture.clock.now)
    }

    /// Whether the gateways know the end of the token's session.
    private func isEnded(_ token: ActingToken) throws -> Bool {
        let id = try claims(token).sessionID
        return fixture.feed.published.contains { $0.sessionID.text == id }
    }

    @Test func `the token is the user's for 15 minutes, with act and another audience`() async throws {
        let token = try await act()
        let claims = try claims(token)
        #expect(claims.subject == Self.user && claims.actor == Self.support && claims.version == 3)
        #expect(token.expiresIn == 900 && claims.expiresAt == fixture.clock.now + 900)
        #expect(claims.additional == ["phone": .string(TokenFixture.phone), "role": .string("user")])
        #expect(throws: TokenRejection.wrongAudience) {
            try replica.claims(of: token.accessToken, policy: fixture.policy, now: fixture.clock.now)
        }
    }

    @Test func `no operation of this service takes the token for the user's, or refreshes it`() async throws {
        let token = try await act().accessToken
        let mine = try await replica.signIn(fixture)
        #expect(try await routes.list(accessToken: token) == .refused(.invalidToken))
        #expect(try await routes.authentication.last(accessToken: token) == .refused(.invalidToken))
        #expect(try await routes.endOwn(mine.sessionID, accessToken: token) == .refused(.invalidToken))
        #expect(try await routes.endOthers(accessToken: token) == .refused(.invalidToken))
        #expect(try await replica.parts.clientRoutes.introspect(token) == IntrospectToken.inactive)
        #expect(try await replica.refresh(token).result == .malformed)
        for scope in [LogoutScope.others, .all] {
            #expect(try await replica.logout(access: token, scope: scope) == .refused(.invalidToken))
        }
        #expect(fixture.feed.published.isEmpty)
        #expect(try await replica.refresh(mine.refreshToken).result == .rotated)
    }

    @Test func `a sign-out with the token ends what it began, and nothing of the user's`() async throws {
        let (mine, token) = (try await replica.signIn(fixture), try await act())
        try await replica.logout(access: token.accessToken)
        #expect(try isEnded(token) && fixture.feed.published.count == 1)
        #expect(try await replica.refresh(mine.refreshToken).result == .rotated)
    }

    /// owncloud/impersonate#76, rainlab/user-plugin#560: the user did not see the session, and seemed to have used the account.
    @Test func `the user sees the session, and it neither displaces theirs nor counts as a use`() async throws {
        let mine = try await replica.signIn(fixture)
        let signedInAt = fixture.clock.now
        fixture.clock.advance(10)
        let token = try await act()
        guard case .answer(let list) = try await routes.list(accessToken: mine.accessToken) else { throw Refused() }
        #expect(list.sessions.map(\.acting) == [true, nil] && list.sessions.map(\.current) == [false, true])
        #expect(list.sessions.first?.id == (try claims(token).sessionID))
        #expect(try await replica.storage.sessions.newestUse(ofUser: Self.user).at == signedInAt)
        #expect(try await replica.auditDetails(of: "session.acting") == ["administrator:00"])
        // A sign-in at the limit ends the user's older session, and not this one.
        _ = try await replica.signIn(fixture)
        #expect(fixture.feed.published.map(\.sessionID.text) == [mine.sessionID])
        fixture.clock.advance(900)
        let later = try await replica.signIn(fixture)
        guard case .answer(let rest) = try await routes.list(accessToken: later.accessToken) else { throw Refused() }
        #expect(rest.sessions.map(\.acting) == [nil])
    }

    enum End: CaseIterable { case own, others, all, operatorsOne, operatorsAll, epoch, removal, rights }

    @Test(arguments: End.allCases)
    func `whatever ends the user's sessions ends it`(_ end: End) async throws {
        let (token, mine) = (try await act(), try await replica.signIn(fixture))
        let id = try claims(token).sessionID
        switch end {
        case .own: _ = try await routes.endOwn(id, accessToken: mine.accessToken)
        case .others: _ = try await routes.endOthers(accessToken: mine.accessToken)
        case .all: try await replica.logout(access: mine.accessToken, scope: .all)
        case .operatorsOne: _ = try await routes.endAsOperator(EndSessionsRequest(sessionID: id))
        case .operatorsAll: _ = try await routes.endAsOperator(EndSessionsRequest(userID: Self.user))
        case .epoch: try await replica.revokeUser(epoch: 1, reason: .inactive)
        case .removal: try await replica.parts.routes.removeUser(RemoveUserRequest(userID: Self.user, epoch: 1))
        case .rights:
            try await replica.changeRights(role: "editor", version: 4)
            let floor = fixture.feed.publishedFloors.first { $0.sessionID.text == id }
            #expect(floor?.version == 4)
            return
        }
        #expect(try isEnded(token))
    }

    enum ActorEnd: CaseIterable {
        case deactivation, removal, rights, operators, everywhere, elsewhere, others, signOut, one, operatorsOne, reuse
    }

    /// josuebrunel/ezauth#199: the loss of the role did not end it.
    @Test(arguments: ActorEnd.allCases)
    func `whatever ends the actor's rights ends it, and nothing of the user's`(_ end: ActorEnd) async throws {
        let (mine, token) = (try await replica.signIn(fixture), try await act())
        let parts = replica.parts.routes
        switch end {
        case .deactivation:
            try await parts.revokeUser(RevokeUserRequest(userID: Self.support, epoch: 1, reason: .inactive))
        case .removal: try await parts.removeUser(RemoveUserRequest(userID: Self.support, epoch: 1))
        case .rights: try await replica.changeRights(Self.support, role: "user", version: 4)
        case .operators: _ = try await routes.endAsOperator(EndSessionsRequest(userID: Self.support))
        case .everywhere: try await replica.logout(access: theirs.accessToken, scope: .all)
        case .elsewhere: try await replica.logout(access: theirs.accessToken, scope: .others)
        case .others: _ = try await routes.endOthers(accessToken: theirs.accessToken)
        case .signOut: try await replica.logout(refresh: theirs.refreshToken)
        case .one: _ = try await routes.endOwn(theirs.sessionID, accessToken: theirs.accessToken)
        case .operatorsOne: _ = try await routes.endAsOperator(EndSessionsRequest(sessionID: theirs.sessionID))
        case .reuse:
            #expect(try await replica.refresh(theirs.refreshToken, key: "one").result == .rotated)
            #expect(try await replica.refresh(theirs.refreshToken, key: "two").result == .reused)
        }
        #expect(try isEnded(token))
        #expect(try await replica.refresh(mine.refreshToken).result == .rotated)
    }

    @Test func `a second token of the same person for the same user ends the first`() async throws {
        let mine = try await replica.signIn(fixture)
        let (first, second) = (try await act(), try await act())
        #expect(try isEnded(first) && !isEnded(second))
        #expect(fixture.feed.published.map(\.reason) == [.replaced])
        #expect(try await replica.refresh(mine.refreshToken).result == .rotated)
        #expect(try await replica.refresh(theirs.refreshToken).result == .rotated)
    }

    @Test func `a key is published until the last acting token has expired`() throws {
        func seconds(_ admin: String, lifetime: Int64) throws -> Int64 {
            let text = """
                issuer: a
                audience: a
                profiles: { mobile: { algorithm: ES256, accessLifetimeSeconds: \(lifetime) } }
                dialects: [{ name: native, profile: mobile }]
                countries: { allowed: all }
                admin: { api: true\(admin) }
                """
            return KeyRule(try Policy.parse(text, file: "test.yaml")).tokenSeconds
        }
        let acting = ", actAs: { role: support }"
        #expect(try seconds(acting, lifetime: 300) - seconds("", lifetime: 300) == 600)
        #expect(try seconds(acting, lifetime: 3_600) == seconds("", lifetime: 3_600))
    }

    @Test func `a change that leaves the actor's tokens right leaves it too`() async throws {
        let token = try await act()
        try await replica.changeRights(Self.support, role: "support", version: 4, keepsTokens: true)
        #expect(try !isEnded(token))
    }

    @Test func `what user-service read before a change of either user opens nothing`() async throws {
        let parts = replica.parts.routes
        try await replica.changeRights(Self.support, role: "user", version: 4)
        #expect(try await outcome(actorVersion: 3) == .refused(.grantStale))
        _ = try await routes.endAsOperator(EndSessionsRequest(userID: Self.support))
        #expect(try await outcome(actorVersion: 4) == .refused(.grantStale))
        try await parts.revokeUser(RevokeUserRequest(userID: Self.support, epoch: 2, reason: .inactive))
        #expect(try await outcome(actorVersion: 4) == .refused(.grantStale))
        let grant = try fixture.grant(user: Self.support, epoch: 2, version: 4)
        guard case .answer(let tokens) = try await replica.issue(grant) else { throw Refused() }
        let again = tokens.sessionID
        try await replica.changeRights(role: "admin", version: 5)
        #expect(try await outcome(version: 4, from: again, actorVersion: 4) == .refused(.grantStale))
        try await replica.revokeUser(epoch: 3)
        #expect(try await outcome(epoch: 2, version: 5, from: again, actorVersion: 4) == .refused(.grantStale))
        guard case .answer = try await outcome(epoch: 3, version: 5, from: again, actorVersion: 4) else {
            throw Refused()
        }
    }

    @Test func `an end that Redis did not learn of is told again by a repeat`() async throws {
        let token = try await act()
        fixture.feed.setAway(true)
        let end = RevokeUserRequest(userID: Self.support, epoch: 1, reason: .inactive)
        await #expect(throws: RecordingFeed.Away.self) { try await replica.parts.routes.revokeUser(end) }
        fixture.feed.setAway(false)
        try await replica.parts.routes.revokeUser(end)
        #expect(try isEnded(token))
    }
}
