import AccessTokens
import InternalAPI
import Testing

@testable import TokenCore

/// A session that a review code opened ends with the review access, and so do its access tokens.
@Suite struct ReviewSessionTests {
    private func issue(
        _ fixture: TokenFixture, _ replica: Replica, endsIn seconds: Int64, key: String? = nil, id: String = "g"
    ) async throws -> IssueSession.Outcome {
        try await replica.issue(
            try fixture.grant(id: id, reviewEndsAt: fixture.clock.now + seconds), key: key)
    }

    @Test func `neither refreshes nor access tokens outlive the access`() async throws {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        let end = fixture.clock.now + 5_000
        guard case .answer(var tokens) = try await issue(fixture, replica, endsIn: 5_000) else {
            return #expect(Bool(false))
        }
        #expect(tokens.expiresIn == 3_600 && tokens.refreshExpiresAt == end)
        for expected: Int64 in [3_600, 2_600, 600, 1] {
            if expected < 3_600 { fixture.clock.advance(end - expected - fixture.clock.now) }
            tokens = try #require(try await replica.refresh(tokens.refreshToken).tokens)
            #expect(tokens.expiresIn == expected && tokens.refreshExpiresAt == end)
            let claims = try replica.claims(of: tokens.accessToken, policy: fixture.policy, now: fixture.clock.now)
            #expect(claims.expiresAt <= end)
        }
        fixture.clock.advance(1)
        #expect(try await replica.refresh(tokens.refreshToken).result == .expired)
    }

    @Test func `a short access shortens the first tokens and their repeat, and an ended one opens nothing`()
        async throws
    {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        let grant = try fixture.grant(id: "g1", reviewEndsAt: fixture.clock.now + 50)
        for _ in 0..<2 {
            guard case .answer(let tokens) = try await replica.issue(grant, key: "key-1") else {
                return #expect(Bool(false))
            }
            #expect(tokens.accessExpiresAt == fixture.clock.now + 50)
        }
        #expect(try await issue(fixture, replica, endsIn: 0, id: "g2") == .refused(.grantRefused))
        #expect(try await issue(fixture, replica, endsIn: -1, id: "g3") == .refused(.grantRefused))
    }
}
