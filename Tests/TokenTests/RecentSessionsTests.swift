import CryptoPrimitives
import Testing

@testable import TokenCore

@Suite struct RecentSessionsTests {
    private func session(at locator: Int64) -> SessionRecord {
        SessionRecord(
            locator: locator, id: SessionID.new(at: 0), userID: "usr_\(locator)", epoch: 1, dialect: "native",
            method: "sms", currentHash: SecureRandom.bytes(32), previousHash: [], generation: 0, salt: [], createdAt: 1,
            lastUsedAt: 1, idleExpiresAt: 5, absoluteExpiresAt: nil, accessExpiresAt: 4, revokedFor: nil, device: nil,
            network: nil, sealedClaims: [])
    }

    private let bench: TokenBench
    private let recent: RecentSessions

    /// With an empty file: what is found can only be what was noted.
    init() async throws {
        bench = try TokenBench()
        recent = RecentSessions(
            store: SQLiteSessionStore(
                database: try await bench.replica().database, userIDs: StoredUserID(prefix: "usr_"),
                auditsRefreshes: false))
    }

    @Test func `sessions that share a place are never taken for each other`() async throws {
        let (first, second) = (session(at: 5), session(at: 5 + Int64(RecentSessions.countMax)))
        recent.note(first)
        #expect(try await recent.session(at: first.locator) == first)
        #expect(try await recent.session(at: second.locator) == nil)
        recent.note(second)
        #expect(try await recent.session(at: second.locator) == second)
        #expect(try await recent.session(at: first.locator) == nil)
    }

    @Test(arguments: [0, -1, .min, .max] as [Int64])
    func `every number that a token may hold has a place`(locator: Int64) async throws {
        #expect(try await recent.session(at: locator) == nil)
        let session = session(at: locator)
        recent.note(session)
        #expect(try await recent.session(at: locator) == session)
    }

    @Test func `sessions in a row all stay known`() async throws {
        let sessions = (1...Int64(RecentSessions.countMax)).map(session)
        for session in sessions { recent.note(session) }
        for session in sessions { #expect(try await recent.session(at: session.locator) == session) }
    }
}
