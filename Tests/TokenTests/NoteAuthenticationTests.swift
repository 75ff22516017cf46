import AccessTokens
import CryptoPrimitives
import InternalAPI
import Testing

@testable import TokenCore

/// The statement that a session's user has shown again who they are, and what tokens say about it.
@Suite struct NoteAuthenticationTests {
    private let fixture: TokenFixture
    private let replica: Replica
    private var note: NoteAuthentication { replica.parts.sessionRoutes.authentication }

    init() async throws {
        fixture = try TokenFixture()
        replica = try await fixture.replica()
    }

    private func statement(
        _ tokens: TokenSet, user: String = TokenFixture.user, at: Int64? = nil, keys: KeyRing? = nil
    ) throws -> String {
        let now = fixture.clock.now
        return try Reauthentication(
            userID: user, sessionID: tokens.sessionID, method: "sms", at: at ?? now, expiresAt: now + 60
        ).sealed(with: keys ?? fixture.grantRing)
    }

    private func time(_ token: String) throws -> Int64? {
        let claims = try replica.claims(of: token, policy: fixture.policy, now: fixture.clock.now)
        if case .integer(let time) = claims.additional["auth_time"] { return time }
        return nil
    }

    @Test func `a sign-in counts, a refresh does not, and a statement does from the next refresh on`() async throws {
        let start = fixture.clock.now
        var tokens = try await replica.signIn(fixture)
        #expect(try time(tokens.accessToken) == start)
        fixture.clock.advance(400)
        tokens = try #require(try await replica.refresh(tokens.refreshToken).tokens)
        #expect(try time(tokens.accessToken) == start)
        #expect(
            try await note.last(accessToken: tokens.accessToken)
                == .answer(SessionAuthentication(authenticatedAt: start, factors: .sms, latestFactors: .sms)))
        let statement = try statement(tokens)
        #expect(try await note(statement, accessToken: tokens.accessToken) == .answer(Done()))
        #expect(
            try await note.last(accessToken: tokens.accessToken)
                == .answer(SessionAuthentication(authenticatedAt: start + 400, factors: .sms, latestFactors: [])))
        fixture.clock.advance(10)
        // A repeat changes nothing.
        #expect(try await note(statement, accessToken: tokens.accessToken) == .answer(Done()))
        tokens = try #require(try await replica.refresh(tokens.refreshToken).tokens)
        #expect(try time(tokens.accessToken) == start + 400)
    }

    @Test func `a statement from a clock that is ahead is recent from now on, not longer`() async throws {
        let tokens = try await replica.signIn(fixture)
        fixture.clock.advance(10)
        let statement = try statement(tokens, at: fixture.clock.now + 50)
        #expect(try await note(statement, accessToken: tokens.accessToken) == .answer(Done()))
        #expect(
            try await note.last(accessToken: tokens.accessToken)
                == .answer(
                    SessionAuthentication(
                        authenticatedAt: fixture.clock.now, factors: .sms, latestFactors: [])))
    }

    @Test func `a statement of another session or user, a forged and an expired one are refused`() async throws {
        let (tokens, other) = (try await replica.signIn(fixture), try await replica.signIn(fixture))
        let statements = [
            try statement(other), try statement(tokens, user: "usr_0190a1b2c3d4e5f60718293a4b5c6d7f"),
            try statement(tokens, keys: try TokenFixture.ring()), try fixture.grant(), "",
        ]
        for statement in statements {
            #expect(try await note(statement, accessToken: tokens.accessToken) == .refused(.attestationRefused))
        }
        let old = try statement(tokens)
        fixture.clock.advance(60)
        #expect(try await note(old, accessToken: tokens.accessToken) == .refused(.attestationRefused))
    }

    @Test func `a session that was revoked meanwhile takes none`() async throws {
        let tokens = try await replica.signIn(fixture)
        let statement = try statement(tokens)
        try await replica.logout(refresh: tokens.refreshToken)
        #expect(try await note(statement, accessToken: tokens.accessToken) == .refused(.invalidToken))
        #expect(try await note.last(accessToken: tokens.accessToken) == .refused(.invalidToken))
    }
}
