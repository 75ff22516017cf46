import AccessTokens
import GRDB
import InternalAPI
import Policies
import Testing

@testable import SQLiteStore
@testable import TokenCore

@Suite struct IssueSessionTests {
    @Test func `a grant opens a session whose access token says what the grant said`() async throws {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        let tokens = try await replica.signIn(fixture)
        let claims = try replica.claims(of: tokens.accessToken, policy: fixture.policy, now: fixture.clock.now)
        #expect(claims.subject == TokenFixture.user && claims.sessionID == tokens.sessionID && claims.version == 3)
        #expect(
            claims.additional == [
                "phone": .string(TokenFixture.phone), "role": .string("user"), "auth_time": .integer(fixture.clock.now),
            ])
        #expect(claims.expiresAt == tokens.accessExpiresAt && tokens.expiresIn == 3_600)
        #expect(tokens.refreshExpiresAt == fixture.clock.now + 2_592_000)
        #expect(tokens.refreshToken.hasPrefix("rt_"))
    }

    @Test func `what a new session is said to be is what its row says`() async throws {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        let store = replica.storage.sessions
        for (user, absolute, device) in [(TokenFixture.user, 9 as Int64?, "Pixel"), ("other form", nil, nil)] {
            let id = SessionID.new(at: 0)
            let session = SessionRecord(
                locator: try await store.reserveLocator(), id: id, userID: user, epoch: 1, dialect: "native",
                method: "sms", currentHash: [UInt8](repeating: 9, count: 32), salt: [UInt8](repeating: 7, count: 16),
                createdAt: 1, lastUsedAt: 1, idleExpiresAt: 5, absoluteExpiresAt: absolute, accessExpiresAt: 4,
                device: device, network: device, sealedClaims: [1, 2, 3])
            let opening = SessionOpening(
                grantID: id.text, grantExpiresAt: 2, version: 3, session: session, sessionsMax: 100)
            #expect(try await store.open(opening, now: 1) == .opened(displaced: []))
            #expect(try await store.session(at: session.locator) == session)
        }
    }

    @Test func `users whose epoch was never raised take no row`() async throws {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        _ = try await replica.signIn(fixture, epoch: 1)
        let rows = {
            try await replica.database.withReader { try Int.fetchOne($0, sql: "SELECT count(*) FROM user_epochs") }
        }
        #expect(try await rows() == 0)
        _ = try await replica.signIn(fixture, epoch: 2)
        #expect(try await rows() == 1)
        #expect(try await replica.issue(try fixture.grant(epoch: 1)) == .refused(.grantStale))
    }

    @Test func `the same grant with the same key yields the same session, with another or none nothing`() async throws {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        let grant = try fixture.grant(id: "g1")
        guard case .answer(let first) = try await replica.issue(grant, key: "key-1"),
            case .answer(let again) = try await replica.issue(grant, key: "key-1")
        else { return #expect(Bool(false)) }
        #expect(first.sessionID == again.sessionID && first.refreshToken == again.refreshToken)
        #expect(try await replica.issue(grant, key: "key-2") == .refused(.grantRefused))
        #expect(try await replica.issue(grant) == .refused(.grantRefused))
        #expect(try await replica.refresh(first.refreshToken).result == .rotated)
        #expect(try await replica.issue(grant, key: "key-1") == .refused(.grantRefused))
    }

    @Test func `a repeat ends after 60 seconds and with the session`() async throws {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        guard case .answer = try await replica.issue(try fixture.grant(id: "late"), key: "key-1"),
            case .answer(let ended) = try await replica.issue(try fixture.grant(id: "ended"), key: "key-1")
        else { return #expect(Bool(false)) }
        try await replica.logout(refresh: ended.refreshToken)
        #expect(try await replica.issue(try fixture.grant(id: "ended"), key: "key-1") == .refused(.grantRefused))
        fixture.clock.advance(60)
        // A fresh grant of the same attestation bears the same id.
        guard case .answer = try await replica.issue(try fixture.grant(id: "late"), key: "key-1") else {
            return #expect(Bool(false))
        }
        fixture.clock.advance(1)
        #expect(try await replica.issue(try fixture.grant(id: "late"), key: "key-1") == .refused(.grantRefused))
    }

    @Test func `forged, altered, expired and foreign grants open nothing`() async throws {
        let fixture = try TokenFixture()
        let (replica, other) = (try await fixture.replica(), try TokenFixture())
        let grant = try fixture.grant()
        let altered = grant.replacing(".", with: ".A", maxReplacements: 1)
        for text in [try other.grant(), altered, "", "k1.e30.AAAA", String(repeating: "a", count: 9_000)] {
            #expect(try await replica.issue(text) == .refused(.grantRefused))
        }
        fixture.clock.advance(60)
        #expect(try await replica.issue(grant) == .refused(.grantRefused))
    }

    @Test func `a malformed key or an unknown dialect is told before the grant is used`() async throws {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        let grant = try fixture.grant()
        await #expect(throws: InvalidInput.self) { try await replica.issue(grant, key: "has space") }
        await #expect(throws: InvalidInput.self) {
            try await replica.parts.routes.issue(IssueRequest(grant: grant, dialect: "none"))
        }
        guard case .answer = try await replica.issue(grant) else { return #expect(Bool(false)) }
    }

    @Test func `a lower epoch than the highest seen is stale`() async throws {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        _ = try await replica.signIn(fixture, epoch: 2)
        #expect(try await replica.issue(try fixture.grant(epoch: 1)) == .refused(.grantStale))
        _ = try await replica.signIn(fixture, epoch: 2)
    }

    @Test(arguments: [nil, "one-key"])
    func `fifty requests with one grant over two replicas make one session`(key: String?) async throws {
        let fixture = try TokenFixture()
        let replicas = [try await fixture.replica(), try await fixture.replica()]
        let grant = try fixture.grant()
        let outcomes = try await withThrowingTaskGroup(of: IssueSession.Outcome.self) { group in
            for index in 0..<50 { group.addTask { try await replicas[index % 2].issue(grant, key: key) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let issued = outcomes.compactMap { if case .answer(let tokens) = $0 { tokens } else { nil } }
        #expect(issued.count == (key == nil ? 1 : 50))
        #expect(Set(issued.map(\.sessionID)).count == 1)
        #expect(Set(issued.map(\.refreshToken)).count == 1)
    }
}
