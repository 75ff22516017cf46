import AccessTokens
import AuthAPI
import InternalAPI
import Policies
import Testing

@testable import TokenCore

/// The tokens that clients get for themselves, and their end.
@Suite struct ClientOwnTokenTests {
    private static let sid = "0123456789abcdef01234567"
    private let fixture: TokenFixture
    private let replica: Replica
    private var issue: IssueClientToken { replica.parts.clientRoutes.issue }

    init() async throws {
        fixture = try TokenFixture()
        replica = try await fixture.replica()
    }

    private func grant(sid: String = sid, lifetime: Int64 = ClientLifetimes.tokenSeconds) throws -> String {
        let now = fixture.clock.now
        return try ClientGrant(
            clientID: "billing", sid: sid, role: "reports", tokenExpiresAt: now + lifetime,
            expiresAt: now + ClientLifetimes.grantSeconds
        ).sealed(with: fixture.grantRing)
    }

    private func token(_ grant: String) async throws -> ClientAccessToken? {
        guard case .answer(let answer) = try await issue(ClientTokenIssueRequest(grant: grant)) else { return nil }
        return answer
    }

    private func verifier(_ audience: String) -> AccessTokenVerifier {
        AccessTokenVerifier(
            issuer: fixture.policy.issuer, audience: audience, keys: replica.keys.current.verification)
    }

    @Test func `a token has an audience of its own, and no rule takes its client for a user`() async throws {
        let issued = try #require(try await token(try grant()))
        #expect(issued.expiresIn == ClientLifetimes.tokenSeconds)
        let (bytes, now) = (Array(issued.accessToken.utf8), fixture.clock.now)
        let claims = try verifier("test-api/client").verify(bytes, now: now)
        #expect(claims.subject == "billing" && claims.sessionID == Self.sid && claims.version == 0)
        #expect(claims.additional == ["client_id": .string("billing"), "role": .string("reports")])
        #expect(claims.expiresAt - claims.issuedAt == issued.expiresIn)
        #expect(throws: TokenRejection.wrongAudience) { try verifier("test-api").verify(bytes, now: now) }
        #expect(try await replica.parts.clientRoutes.introspect(issued.accessToken) == IntrospectToken.inactive)
        let end = LogoutRequest(refreshToken: nil, accessToken: issued.accessToken, scope: .all)
        guard case .refused(.invalidToken, _) = try await replica.parts.clientRoutes.end(end) else {
            return #expect(Bool(false))
        }
    }

    @Test func `a grant that is used again later gives no more time`() async throws {
        let grant = try grant()
        let first = try #require(try await token(grant))
        fixture.clock.advance(30)
        let second = try #require(try await token(grant))
        #expect(second.expiresIn == first.expiresIn - 30)
        fixture.clock.advance(ClientLifetimes.grantSeconds)
        #expect(try await token(grant) == nil)
    }

    @Test func `only user-service's grant to a client is one, until its token would have ended`() async throws {
        #expect(try await token(try fixture.grant()) == nil)
        #expect(try await token("garbage") == nil)
        #expect(try await token(try grant(sid: "x")) == nil)
        #expect(try await token(try grant(lifetime: 0)) == nil)
        // And it opens no session.
        guard case .refused(.grantRefused, _) = try await replica.issue(try grant()) else {
            return #expect(Bool(false))
        }
    }

    @Test func `a grant of a clock that is ahead gives a token of five minutes`() async throws {
        let issued = try #require(try await token(try grant(lifetime: ClientLifetimes.tokenSeconds + 1)))
        let claims = try verifier("test-api/client").verify(Array(issued.accessToken.utf8), now: fixture.clock.now)
        #expect(issued.expiresIn == ClientLifetimes.tokenSeconds)
        #expect(claims.expiresAt - claims.issuedAt == ClientLifetimes.tokenSeconds)
    }

    @Test func `a revocation outlives every token of the client, and may be repeated`() async throws {
        let revoke = replica.parts.clientRoutes.revoke
        for _ in 0..<2 {
            try await revoke(RevokeClientRequest(sid: Self.sid))
            fixture.clock.advance(10)
        }
        let live = try await replica.storage.revocations.live(after: nil, limit: 9, now: fixture.clock.now)
        #expect(live.map(\.sessionID.text) == [Self.sid] && live.first?.reason == .admin)
        let last = fixture.clock.now - 10 + ClientLifetimes.grantSeconds + ClientLifetimes.tokenSeconds
        #expect(live.first?.accessExpiresAt == last)
        #expect(try await replica.storage.revocations.unpublishedCount() == 0)
        await #expect(throws: InvalidInput.self) { try await revoke(RevokeClientRequest(sid: "usr_1")) }
    }
}
