import AccessTokens
import CryptoPrimitives
import GRDB
import InternalAPI
import Testing

@testable import SQLiteStore
@testable import TokenCore

/// Sessions that a refresh token of the old server has opened: it is the parent of their first token.
@Suite struct PreviousSessionTests {
    private static let old = "abcdefgh2345"
    private let fixture: TokenFixture
    private let previous: PreviousToken

    init() throws {
        // The fixture's clock begins on 2023-11-14.
        fixture = try TokenFixture(previousUntil: "2023-11-20")
        previous = try #require(PreviousToken(Self.old))
    }

    private func grant(_ token: PreviousToken, epoch: Int64 = 0) throws -> String {
        var claims = UserClaims(phone: TokenFixture.phone, role: "user", version: 3)
        claims.previous = "next-at-the-old-server"
        return try Grant(
            id: token.grantID, userID: TokenFixture.user, epoch: epoch, claims: claims, method: "supabase",
            isNewUser: false, expiresAt: fixture.clock.now + 60
        ).sealed(with: fixture.grantRing)
    }

    private func opened(_ replica: Replica) async throws -> TokenSet {
        let outcome = try await replica.issue(
            try grant(previous), key: previous.idempotencyKey, dialect: "supabase")
        guard case .answer(let tokens) = outcome else { throw Replica.NotIssued(outcome: outcome) }
        return tokens
    }

    private func again(
        _ replica: Replica, _ text: String = Self.old, dialect: String = "supabase"
    ) async throws -> RefreshAnswer {
        try await replica.parts.routes.repeatPrevious(PreviousRepeatRequest(refreshToken: text, dialect: dialect))
    }

    @Test func `the old token gets the same session, at each replica and days later`() async throws {
        let replicas = [try await fixture.replica(), try await fixture.replica()]
        #expect(try await again(replicas[0]).result == .unknown)
        let first = try await opened(replicas[0])
        #expect(first.previous == nil)
        for (seconds, lifetime) in [(0, 3_600), (59, 3_600), (86_400 * 3, 300)] as [(Int64, Int64)] {
            fixture.clock.advance(seconds)
            for replica in replicas {
                let answer = try await again(replica)
                #expect(answer.result == .repeated)
                #expect(answer.tokens?.refreshToken == first.refreshToken)
                #expect(answer.tokens?.sessionID == first.sessionID)
                // The life of access tokens varies by a twentieth.
                #expect(try #require(answer.tokens).expiresIn <= lifetime * 21 / 20)
            }
        }
        #expect(try await again(replicas[0], "abcdefgh2346").result == .unknown)
    }

    @Test func `two calls at once open one session`() async throws {
        let replicas = [try await fixture.replica(), try await fixture.replica()]
        async let one = opened(replicas[0])
        async let other = opened(replicas[1])
        let (first, second) = (try await one, try await other)
        #expect(first.refreshToken == second.refreshToken && first.sessionID == second.sessionID)
    }

    @Test func `the first refresh tells what to end, and the old token is used then`() async throws {
        let replica = try await fixture.replica()
        let first = try await opened(replica)
        let rotated = try #require(try await replica.refresh(first.refreshToken).tokens)
        #expect(rotated.previous == "next-at-the-old-server")
        #expect(try await replica.refresh(first.refreshToken).tokens?.previous == "next-at-the-old-server")
        #expect(try await again(replica) == RefreshAnswer(.reused, reason: .superseded))
        #expect(
            try await replica.issue(try grant(previous), key: previous.idempotencyKey, dialect: "supabase")
                == .refused(.grantRefused))
        // The session stays, and says nothing more of the old server.
        let next = try #require(try await replica.refresh(rotated.refreshToken).tokens)
        #expect(next.previous == nil && next.sessionID == first.sessionID)
    }

    @Test func `a session that has ended is not opened again`() async throws {
        let replica = try await fixture.replica()
        let first = try await opened(replica)
        try await replica.logout(refresh: first.refreshToken)
        #expect(try await again(replica) == RefreshAnswer(.revoked, reason: .signedOut))
        #expect(
            try await replica.issue(try grant(previous), key: previous.idempotencyKey, dialect: "supabase")
                == .refused(.grantRefused))
    }

    @Test func `after the last day, at another dialect and in another shape it is no token`() async throws {
        let replica = try await fixture.replica()
        _ = try await opened(replica)
        #expect(try await again(replica, dialect: "native").result == .malformed)
        #expect(try await again(replica, "rt_").result == .malformed)
        fixture.clock.advance(86_400 * 7)
        #expect(try await again(replica).result == .malformed)
    }

    @Test func `an exchange is no proof of who presents the token`() async throws {
        let replica = try await fixture.replica()
        let first = try await opened(replica)
        let shown = try await replica.parts.sessionRoutes.authentication.last(accessToken: first.accessToken)
        guard case .answer(let session) = shown else {
            Issue.record("the session is not live")
            return
        }
        #expect(session.authenticatedAt == 0)
    }

    @Test func `a change of rights does not lose the session to end`() async throws {
        let replica = try await fixture.replica()
        let first = try await opened(replica)
        try await replica.changeRights(role: "admin", version: 4)
        let rotated = try #require(try await replica.refresh(first.refreshToken).tokens)
        #expect(rotated.previous == "next-at-the-old-server")
    }

    @Test func `late repeats are audited, once an hour`() async throws {
        let replica = try await fixture.replica()
        _ = try await opened(replica)
        for (seconds, records) in [(60, 0), (1, 1), (3_599, 1), (1, 2)] as [(Int64, Int)] {
            fixture.clock.advance(seconds)
            #expect(try await again(replica).result == .repeated)
            #expect(try await replica.auditDetails(of: "session.repeated_late").count == records, "\(seconds)")
        }
    }

    @Test func `claims keep the old server's token, and the bytes of those without it are as before`() throws {
        let ring = try TokenFixture.ring()
        let (seal, id) = (ClaimsSeal(ring: ring), SessionID.new(at: 0))
        func plain(_ claims: UserClaims) throws -> [UInt8]? {
            StorageSeal(ring: ring, use: .claims).open(try seal.seal(claims, for: id), context: id.bytes)
        }
        let metadata = UserMetadata(app: MetadataObject(stored: #"{"plan":"x"}"#))
        for (legacyID, hasMetadata) in [(nil, false), ("7", false), (nil, true), ("7", true)] as [(String?, Bool)] {
            for previous in ["next-at-the-old-server", nil] {
                var claims = UserClaims(
                    phone: "+1", role: "user", version: 1, legacyID: legacyID, metadata: hasMetadata ? metadata : nil)
                claims.previous = previous
                #expect(try seal.open(try seal.seal(claims, for: id), of: id) == claims)
            }
        }
        let begin: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1, 0, 3] + Array("+1".utf8) + [0, 0, 0, 5] + Array("user".utf8)
        var claims = UserClaims(phone: "+1", role: "user", version: 1)
        #expect(try plain(claims) == begin)
        claims.mapped = ["app.plan": .integer(1)]
        let mapped = [0, 15] + Array(#"{"app.plan":1}"#.utf8)
        #expect(try plain(claims) == begin + [0, 0] + mapped)
        claims.legacyID = "7"
        #expect(try plain(claims) == begin + [0, 2, UInt8(ascii: "7")] + mapped)
        claims.mapped = nil
        #expect(try plain(claims) == begin + [0, 2, UInt8(ascii: "7")])
    }

    @Test func `an old token is not remembered in the clear`() async throws {
        let replica = try await fixture.replica()
        _ = try await opened(replica)
        let ids = try await replica.database.withReader { try String.fetchAll($0, sql: "SELECT id FROM used_grants") }
        #expect(ids == [previous.grantID] && ids.allSatisfy { !$0.contains(Self.old) })
    }
}
