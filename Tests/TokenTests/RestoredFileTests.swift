import Foundation
import GRDB
import InternalAPI
import Logging
import Storage
import Testing

@testable import SQLiteStore
@testable import TokenCore
@testable import TokenTables

@Suite struct RestoredFileTests {
    private func begin(_ epoch: Int64, _ fixture: TokenFixture, _ replica: Replica) async throws {
        let now = fixture.clock.now
        _ = try await replica.database.write { try TokenDatabase.beginEpoch(epoch, now: now, in: $0) }
    }

    @Test func `nothing of before works: refresh tokens, access tokens, grants; a new sign-in does`() async throws {
        let fixture = try TokenFixture()
        let before = try await fixture.replica()
        let old = try await before.signIn(fixture)
        let oldGrant = try fixture.grant(epoch: 3)
        let epoch = fixture.clock.now
        try await begin(epoch, fixture, before)

        let after = try await fixture.replica()
        #expect(try await after.refresh(old.refreshToken).tokens == nil)
        #expect(throws: (any Error).self) {
            try after.claims(of: old.accessToken, policy: fixture.policy, now: fixture.clock.now)
        }
        #expect(try await after.issue(oldGrant) == .refused(.grantStale))
        let new = try await after.signIn(fixture, epoch: epoch)
        _ = try after.claims(of: new.accessToken, policy: fixture.policy, now: fixture.clock.now)
    }

    @Test func `the retired keys wait for Redis, and their material is gone`() async throws {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        let keys = try await replica.keys.store.load().map(\.keyID)
        #expect(!keys.isEmpty)
        try await begin(fixture.clock.now, fixture, replica)
        #expect(try await replica.keys.store.load().isEmpty)
        #expect(try await replica.keys.store.unpublishedRevocations().map(\.keyID) == keys)
        let sealed = try await replica.database.withReader {
            try Int.fetchOne($0, sql: "SELECT max(length(sealed)) FROM signing_keys")
        }
        #expect(sealed == 0)
    }

    @Test func `sessions get rows that no earlier life gave out`() async throws {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        _ = try await replica.signIn(fixture)
        let epoch = fixture.clock.now
        try await begin(epoch, fixture, replica)
        let after = try await fixture.replica()
        _ = try await after.signIn(fixture, epoch: epoch)
        let locators = try await after.database.withReader {
            try Int64.fetchAll($0, sql: "SELECT locator FROM sessions")
        }
        #expect(locators == [epoch * SessionRecord.openedPerSecondMax + 1])
    }

    @Test func `the act stands in the audit, and its chain holds`() async throws {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        _ = try await replica.signIn(fixture)
        try await begin(fixture.clock.now, fixture, replica)
        let events = try await replica.database.withReader {
            try String.fetchAll($0, sql: "SELECT event FROM audit ORDER BY number")
        }
        #expect(events.last == "epoch.begun" && events.contains("key.revoked"))
        #expect(
            try await replica.database.read { try AuditVerification.run(in: $0)?.slots.first?.records } == events.count)
    }
}
