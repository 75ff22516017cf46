import AccessTokens
import InternalAPI
import Storage
import TestSupport
import Testing
import UserEvents

@testable import PostgreSQL
@testable import TokenCore
@testable import TokenTables

/// A new epoch of sessions and signing keys in PostgreSQL.
@Suite(.timeLimit(.minutes(5))) struct NewEpochTests {
    private static let floor: Int64 = 1_800_000_000

    /// Begins an epoch while no replica runs, as the command does.
    @discardableResult
    private static func begin(
        _ home: StorageUnderTest, floor: Int64 = floor
    ) async throws -> TokenDatabase.EndedByEpoch {
        let schema = try #require(home.schema)
        let command = try WholeSchema(schema, migrations: TokenDatabase.schemaSteps, isAlone: true)
        return try command.write { try TokenDatabase.beginEpoch(floor, now: floor, in: $0) }
    }

    private static func key(_ name: String, _ state: KeyState) -> SigningKeyRecord {
        SigningKeyRecord(
            keyID: name, algorithm: .ES256, state: state, stateSince: 1_000, createdAt: 1_000, tokenSeconds: 60,
            sealed: [1, 2, 3])
    }

    /// The server notices within moments that a command has ended.
    private static func replica(_ home: StorageUnderTest) async throws -> StorageReplica {
        var replica: StorageReplica?
        try await eventually("the lock is free") {
            replica = try? home.replica()
            return replica != nil
        }
        return try #require(replica)
    }

    /// Runs `body` on a replica, which has ended afterwards.
    private static func withReplica<Value>(
        _ home: StorageUnderTest, _ body: (StorageReplica) async throws -> Value
    ) async throws -> Value {
        let replica = try await Self.replica(home)
        let value = try await body(replica)
        try await (replica.storage.engine as? PostgreSQLDatabase)?.shutDown()
        return value
    }

    @Test func `sessions and grants of before are refused, and a new sign-in is not`() async throws {
        let home = try await StorageUnderTest(.postgreSQL)
        let old = try await Self.withReplica(home) { try await $0.opened() }
        #expect(try await Self.begin(home) == TokenDatabase.EndedByEpoch(sessions: 1, keys: 0))
        let replica = try await Self.replica(home)
        #expect(try await replica.sessions.session(at: old.locator) == nil)
        let stale = try await replica.opening(epoch: Self.floor - 1)
        guard case .grantStale = try await replica.sessions.open(stale, now: Self.floor) else {
            Issue.record("a grant of before opened a session")
            return
        }
        // Uses of the sessions that ended are unknown, not absent.
        let unknown = NewestUse(at: nil, knownSince: Self.floor)
        #expect(try await replica.sessions.newestUse(ofUser: StorageUnderTest.user) == unknown)
        _ = try await replica.opened(epoch: Self.floor, at: Self.floor)
        #expect(stale.session.locator == Self.floor * SessionRecord.openedPerSecondMax + 1)
    }

    @Test func `the app's back end learns of it by one event`() async throws {
        let home = try await StorageUnderTest(.postgreSQL)
        _ = try await Self.withReplica(home) { try await $0.opened() }
        try await Self.begin(home)
        let lease = Lease(name: "user events", holder: "a", lifetimeSeconds: 30)
        let events = try await Self.replica(home).storage.events
            .turn([], besides: [], limit: 9, lease: lease, now: Self.floor)
        #expect(events?.map(\.kind) == ["session.all_revoked"])
    }

    @Test func `the ends of all keys wait for Redis, and their material is gone`() async throws {
        let home = try await StorageUnderTest(.postgreSQL)
        try await Self.withReplica(home) { replica in
            let keys = [Self.key("a", .retiring), Self.key("b", .signing)]
            let added = keys.map { KeyChange.add($0, as: .keyMade) }
            #expect(try await replica.keys.apply(added, on: [], now: 1_000) == .applied)
            try await replica.keys.end("a", now: 1_000)
            try await replica.keys.markRevocationsPublished(["a"])
        }
        #expect(try await Self.begin(home).keys == 1)
        let replica = try await Self.replica(home)
        #expect(try await replica.keys.load().isEmpty)
        #expect(try await replica.keys.unpublishedRevocations().map(\.keyID) == ["a", "b"])
        #expect(try await replica.keys.state(of: "b") == .gone)
        let records = try await replica.storage.audit.records(AuditRequest(limit: 9)).records
        #expect(records.first?.event == "epoch.begun")
        #expect(records.first?.detail == "epoch \(Self.floor), 0 sessions ended")
    }

    @Test func `an epoch that is begun again is above, and row numbers never go back`() async throws {
        let home = try await StorageUnderTest(.postgreSQL)
        try await Self.begin(home)
        let first = try await Self.withReplica(home) { try await $0.opened(epoch: Self.floor) }
        try await Self.begin(home, floor: Self.floor + 1)
        let second = try await Self.withReplica(home) { try await $0.opened(epoch: Self.floor + 1) }
        #expect(second.locator >= first.locator + SessionRecord.openedPerSecondMax)
        let schema = try #require(home.schema)
        let command = try WholeSchema(schema, migrations: TokenDatabase.schemaSteps, isAlone: true)
        #expect(try command.read(RestoreEpoch.read) == Self.floor + 1)
    }

    @Test func `an epoch that fails half-way has changed nothing`() async throws {
        let home = try await StorageUnderTest(.postgreSQL)
        let old = try await Self.withReplica(home) { try await $0.opened() }
        let schema = try #require(home.schema)
        #expect(throws: (any Error).self) {
            let command = try WholeSchema(schema, migrations: TokenDatabase.schemaSteps, isAlone: true)
            try command.write { transaction in
                _ = try TokenDatabase.beginEpoch(Self.floor, now: Self.floor, in: transaction)
                throw StorageReplica.Unexpected()
            }
        }
        let replica = try await Self.replica(home)
        #expect(try await replica.sessions.session(at: old.locator) == old)
        #expect(try await replica.sessions.reserveLocator() < Self.floor)
    }
}
