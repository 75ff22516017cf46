import AccessTokens
import AuthAPI
import CryptoPrimitives
import InternalAPI
import Policies
import Testing

@testable import TokenCore

/// The claims of access tokens about the factors of their session.
@Suite struct FactorClaimTests {
    private let fixture: TokenFixture
    private let replica: Replica

    init() async throws {
        fixture = try TokenFixture(claims: "auth_time, acr, amr")
        replica = try await fixture.replica()
    }

    private func additional(_ token: String) throws -> [String: ClaimValue] {
        try replica.claims(of: token, policy: fixture.policy, now: fixture.clock.now).additional
    }

    private func signIn(_ factors: AuthenticationFactors? = nil) async throws -> TokenSet {
        guard case .answer(let tokens) = try await replica.issue(try fixture.grant(factors: factors)) else {
            throw Unexpected()
        }
        return tokens
    }

    private func refreshed(_ tokens: TokenSet, _ replica: Replica? = nil) async throws -> TokenSet {
        try #require(try await (replica ?? self.replica).refresh(tokens.refreshToken).tokens)
    }

    private func note(
        _ factors: AuthenticationFactors?, _ tokens: TokenSet, id: String? = nil, version: Int64? = nil
    ) async throws -> OperationOutcome<Done, NoteAuthenticationRefusal> {
        let now = fixture.clock.now
        let statement = Reauthentication(
            userID: TokenFixture.user, sessionID: tokens.sessionID, method: "code", at: now, expiresAt: now + 60,
            factors: factors, id: id, version: version)
        return try await replica.parts.sessionRoutes.authentication(
            try statement.sealed(with: fixture.grantRing), accessToken: tokens.accessToken)
    }

    private struct Unexpected: Error {}

    @Test func `a step-up shows from the next refresh on, and refreshes and restarts keep it`() async throws {
        let start = fixture.clock.now
        var tokens = try await signIn()
        let first: [String: ClaimValue] = [
            "auth_time": .integer(start), "acr": .string("aal1"), "amr": .strings(["sms"]),
        ]
        #expect(try additional(tokens.accessToken) == first)
        fixture.clock.advance(30)
        #expect(try await note(.otp, tokens) == .answer(Done()))
        let raised: [String: ClaimValue] = [
            "auth_time": .integer(start + 30), "acr": .string("aal2"), "amr": .strings(["sms", "otp", "mfa"]),
        ]
        for _ in 0..<3 {
            fixture.clock.advance(100)
            tokens = try await refreshed(tokens)
            #expect(try additional(tokens.accessToken) == raised)
        }
        // A weaker proof lowers nothing.
        #expect(try await note(.sms, tokens) == .answer(Done()))
        let restarted = try await fixture.replica()
        tokens = try await refreshed(tokens, restarted)
        #expect(try additional(tokens.accessToken)["acr"] == .string("aal2"))
    }

    @Test func `a grant's factors are the session's, and a statement without any adds none`() async throws {
        let both = try await signIn([.sms, .otp])
        #expect(try additional(both.accessToken)["acr"] == .string("aal2"))
        let one = try await signIn()
        fixture.clock.advance(10)
        #expect(try await note(nil, one) == .answer(Done()))
        let later = try additional(try await refreshed(one).accessToken)
        #expect(later["acr"] == .string("aal1") && later["auth_time"] == .integer(fixture.clock.now))
    }

    @Test func `the challenge of a step-up makes a session recent once`() async throws {
        var tokens = try await signIn()
        fixture.clock.advance(10)
        #expect(try await note([.pop, .user], tokens, id: "c") == .answer(Done()))
        let time = fixture.clock.now
        fixture.clock.advance(10)
        #expect(try await note([.pop, .user], tokens, id: "c") == .answer(Done()))
        tokens = try await refreshed(tokens)
        #expect(try additional(tokens.accessToken)["auth_time"] == .integer(time))
    }

    @Test func `a removed factor ends the tokens that it raised, and its late statements`() async throws {
        var tokens = try await signIn()
        #expect(try await note(.otp, tokens, version: 3) == .answer(Done()))
        tokens = try await refreshed(tokens)
        #expect(try additional(tokens.accessToken)["acr"] == .string("aal2"))
        try await replica.parts.routes.changeRights(
            ChangeRightsRequest(
                userID: TokenFixture.user, claims: UserClaims(phone: TokenFixture.phone, role: "user", version: 4),
                lowersFactors: true))
        #expect(try await note(.otp, tokens, version: 3) == .refused(.invalidToken))
        tokens = try await refreshed(tokens)
        #expect(try additional(tokens.accessToken)["acr"] == .string("aal1"))
        #expect(try await note(.otp, tokens, version: 3) == .refused(.attestationRefused))
        #expect(try additional(try await refreshed(tokens).accessToken)["amr"] == .strings(["sms"]))
    }

    @Test func `introspection states what the token states`() async throws {
        let tokens = try await signIn([.pop, .user])
        let reply = try await replica.parts.clientRoutes.introspect(tokens.accessToken)
        #expect(reply.acr == "aal2" && reply.amr == ["pop", "user", "mfa"])
        #expect(reply.authTime == fixture.clock.now)
        let refresh = try await replica.parts.clientRoutes.introspect(tokens.refreshToken)
        #expect(refresh.active && refresh.acr == nil && refresh.amr == nil)
    }

    @Test func `a profile without the claims has none, and neither has a person who acts`() async throws {
        let plain = try TokenFixture()
        let other = try await plain.replica()
        let tokens = try await other.signIn(plain)
        let claims = try other.claims(of: tokens.accessToken, policy: plain.policy, now: plain.clock.now)
        #expect(claims.additional["acr"] == nil && claims.additional["amr"] == nil)
        #expect(try await other.parts.clientRoutes.introspect(tokens.accessToken).acr == nil)

        let own = try await signIn([.sms, .otp])
        let outcome = try await replica.parts.sessionRoutes.openActing(
            ActRequest(
                userID: "usr_0190a1b2c3d4e5f60718293a4b5c6d7f", epoch: 0,
                claims: UserClaims(phone: nil, role: "user", version: 1), actorID: TokenFixture.user,
                actorSessionID: own.sessionID, actorVersion: 3, administrator: "administrator:00"))
        guard case .answer(let acting) = outcome else { throw Unexpected() }
        let theirs = try AccessTokenVerifier(
            issuer: fixture.policy.issuer, audience: ActingAudience.of(fixture.policy.audience),
            keys: replica.keys.current.verification
        ).verify(Array(acting.accessToken.utf8), now: fixture.clock.now)
        #expect(theirs.additional.isEmpty)
    }
}
