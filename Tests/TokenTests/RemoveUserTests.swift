import CryptoPrimitives
import Foundation
import GRDB
import InternalAPI
import Logging
import Storage
import Testing

@testable import SQLiteStore
@testable import TokenCore
@testable import TokenTables

@Suite struct RemoveUserTests {
    private static let stranger = "usr_0190a1b2c3d4e5f60718293a4b5c6d7f"

    private let fixture: TokenFixture
    private let replica: Replica

    init() async throws {
        fixture = try TokenFixture()
        replica = try await fixture.replica()
    }

    private func remove(epoch: Int64 = 4) async throws {
        try await replica.parts.routes.removeUser(RemoveUserRequest(userID: TokenFixture.user, epoch: epoch))
    }

    private func count(_ table: String) async throws -> Int {
        try await replica.database.withReader { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? -1 }
    }

    private func sweep() async throws {
        let sweeper = Sweeper(
            database: replica.database, sweeps: [], holder: "a", now: { [clock = fixture.clock] in clock.now },
            logger: Logger(label: "test"), pause: { _ in })
        for sweep in ExpiredRows.sweeps(fixture.policy) { _ = try await sweeper.pass(sweep) }
    }

    @Test func `his sessions end everywhere and their rows go, and the others' stay`() async throws {
        let tokens = try await replica.signIn(fixture)
        let other = try await replica.signIn(fixture, user: Self.stranger)
        try await replica.changeRights(role: "admin", version: 4)
        try await remove()
        #expect(fixture.feed.published.map(\.sessionID.text) == [tokens.sessionID])
        #expect(try await count("sessions") == 1)
        #expect(try await count("version_floors") == 0)
        #expect(try await replica.refresh(tokens.refreshToken).result == .unknown)
        #expect(try await replica.refresh(other.refreshToken).result == .rotated)
    }

    @Test func `no grant from before opens a session, and his epoch goes once none can`() async throws {
        let grant = try fixture.grant(epoch: 3)
        try await remove()
        #expect(try await replica.issue(grant) == .refused(.grantStale))
        #expect(try await count("user_epochs") == 1)
        fixture.clock.advance(60)
        try await sweep()
        #expect(try await replica.issue(try fixture.grant(epoch: 3)) == .refused(.grantStale))
        fixture.clock.advance(RemoveUser.epochOutlivesSeconds)
        try await sweep()
        #expect(try await count("user_epochs") == 0)
        #expect(try await replica.issue(grant) == .refused(.grantRefused))
    }

    @Test func `a repeat changes nothing and is no second record`() async throws {
        _ = try await replica.signIn(fixture)
        for _ in 0..<3 { try await remove() }
        #expect(fixture.feed.published.count == 1)
        let records = try await replica.database.withReader {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM audit WHERE event = 'user.removed'")
        }
        #expect(records == 1)
    }

    @Test func `while Redis is away it fails and the rows stay until the ends are published`() async throws {
        _ = try await replica.signIn(fixture)
        fixture.feed.setAway(true)
        await #expect(throws: RecordingFeed.Away.self) { try await remove() }
        #expect(try await count("sessions") == 1)
        fixture.feed.setAway(false)
        try await remove()
        #expect(fixture.feed.published.count == 1)
        #expect(try await count("sessions") == 0)
    }

    @Test func `hundreds of sessions go in batches`() async throws {
        let count = 3 * RevocationLimits.removedRowsMax
        for _ in 0..<count { _ = try await replica.signIn(fixture) }
        try await remove()
        #expect(try await self.count("sessions") == 0)
        #expect(fixture.feed.published.count == count)
    }

    @Test func `his id is left in the audit alone`() async throws {
        let tokens = try await replica.signIn(fixture)
        _ = try await replica.refresh(tokens.refreshToken)
        try await remove()
        fixture.clock.advance(2 * 86_400)
        try await sweep()
        let id = try #require(Hex.decode(TokenFixture.user.dropFirst(4)))
        let tables = try await replica.database.withReader { database in
            try String.fetchAll(database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'").filter { table in
                try Row.fetchAll(database, sql: "SELECT * FROM \"\(table)\"")
                    .contains { $0.databaseValues.contains(Data(id).databaseValue) }
            }
        }
        #expect(tables == ["audit"])
    }
}
