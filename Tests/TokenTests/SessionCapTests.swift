import GRDB
import InternalAPI
import Storage
import TestSupport
import Testing

@testable import SQLiteStore
@testable import TokenCore
@testable import TokenTables

/// `sessions.perUserMax`: one more sign-in revokes the session that was used longest ago.
@Suite struct SessionCapTests {
    private let fixture: TokenFixture

    init() throws { fixture = try TokenFixture(sessions: "{ perUserMax: 3 }") }

    @Test func `the sign-in beyond the number ends the session used longest ago, and says so to gateways`() async throws
    {
        let replica = try await fixture.replica()
        var sessions: [TokenSet] = []
        for _ in 0..<3 {
            sessions.append(try await replica.signIn(fixture))
            fixture.clock.advance(10)
        }
        let other = try await replica.signIn(fixture, user: "usr_0190a1b2c3d4e5f60718293a4b5c6d7f")
        sessions[0] = try #require(try await replica.refresh(sessions[0].refreshToken).tokens)
        #expect(fixture.feed.published.isEmpty)

        sessions.append(try await replica.signIn(fixture))
        #expect(fixture.feed.published.map(\.sessionID.text) == [sessions[1].sessionID])
        #expect(fixture.feed.published.map(\.reason) == [.displaced])
        #expect(try await replica.refresh(sessions[1].refreshToken).result == .revoked)
        for living in [sessions[0], sessions[2], sessions[3], other] {
            #expect(try await replica.refresh(living.refreshToken).result == .rotated)
        }
    }

    @Test func `sessions that have ended or expired count no more`() async throws {
        let replica = try await fixture.replica()
        let first = try await replica.signIn(fixture)
        fixture.clock.advance(2_592_000)
        let second = try await replica.signIn(fixture)
        try await replica.logout(refresh: second.refreshToken)
        for _ in 0..<3 { _ = try await replica.signIn(fixture) }
        #expect(fixture.feed.published.map(\.reason) == [.logout])
        #expect(try await replica.refresh(first.refreshToken).result == .expired)
    }

    @Test func `after many sign-ins so many sessions live, and only those are read for the next one`() async throws {
        let replica = try await fixture.replica()
        for _ in 0..<200 {
            _ = try await replica.signIn(fixture)
            fixture.clock.advance(1)
        }
        let (all, live, plan, countPlan) = try await replica.database.read { reader in
            try (
                reader.rows("SELECT count(*) FROM sessions").first?.integer(0),
                reader.rows("SELECT count(*) FROM sessions WHERE is_revoked = false").first?.integer(0),
                QueryPlan.of(Sessions.ending, in: reader), QueryPlan.of(OpeningFacts.byUser, in: reader)
            )
        }
        #expect(all == 200 && live == 3)
        #expect(plan.contains("sessions_by_user (user_id=? AND is_revoked=?)"), "\(plan)")
        #expect(countPlan.contains("COVERING INDEX sessions_by_user (user_id=? AND is_revoked=?)"), "\(countPlan)")
    }

    @Test func `a repeated sign-in and one that is refused end nothing`() async throws {
        let replica = try await fixture.replica()
        for _ in 0..<2 { _ = try await replica.signIn(fixture) }
        let grant = try fixture.grant()
        for _ in 0..<3 { _ = try await replica.issue(grant, key: "key") }
        #expect(try await replica.issue(grant, key: "another") == .refused(.grantRefused))
        #expect(fixture.feed.published.isEmpty)
    }

    @Test func `of many sign-ins at once at two replicas so many sessions stay as the policy has`() async throws {
        let replicas = [try await fixture.replica(), try await fixture.replica()]
        let tokens = try await withThrowingTaskGroup(of: TokenSet.self) { group in
            for index in 0..<20 { group.addTask { [fixture] in try await replicas[index % 2].signIn(fixture) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        var living = 0
        for set in tokens where try await replicas[0].refresh(set.refreshToken).result == .rotated { living += 1 }
        #expect(living == 3)
    }

    @Test func `an end that Redis cannot be told leaves the sign-in unanswered, and its repeat finds both done`()
        async throws
    {
        let replica = try await fixture.replica()
        for _ in 0..<3 { _ = try await replica.signIn(fixture) }
        let grant = try fixture.grant()
        fixture.feed.setAway(true)
        await #expect(throws: RecordingFeed.Away.self) { try await replica.issue(grant, key: "key") }
        fixture.feed.setAway(false)
        guard case .answer = try await replica.issue(grant, key: "key") else { return #expect(Bool(false)) }
        try await replica.parts.publisher.catchUp()
        #expect(fixture.feed.published.map(\.reason) == [.displaced])
    }
}
