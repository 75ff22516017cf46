import AccessTokens
import InternalAPI
import Storage
import TestSupport
import Testing

@testable import TokenCore

/// The promises of every engine about signing keys.
@Suite struct SigningKeyStoreContract {
    private func key(_ name: String, _ state: KeyState = .signing, at now: Int64 = 1_000) -> SigningKeyRecord {
        SigningKeyRecord(
            keyID: name, algorithm: .ES256, state: state, stateSince: now, createdAt: now, tokenSeconds: 60,
            sealed: [1, 2])
    }

    @Test(arguments: DatabaseKind.allCases)
    func `changes hold on the keys as they were read`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let keys = storage.keys
        #expect(try await keys.load().isEmpty)
        #expect(try await keys.apply([.add(key("a"), as: .keyMade)], on: [], now: 1_000) == .applied)
        #expect(try await keys.apply([.add(key("b"), as: .keyMade)], on: [], now: 1_000) == .stale)
        #expect(try await keys.load() == [key("a")])
        let changes: [KeyChange] = [
            .add(key("b", at: 1_001), as: .keyPublished), .move("a", to: .retiring), .widen("a", tokenSeconds: 90),
        ]
        #expect(try await keys.apply(changes, on: [key("a")], now: 2_000) == .applied)
        let present = try await keys.load()
        #expect(present.map(\.keyID) == ["a", "b"])
        #expect(present[0].state == .retiring && present[0].stateSince == 2_000 && present[0].tokenSeconds == 90)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `of two replicas that make a key one does`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine)
        let replicas = [try storage.replica(), try storage.replica()]
        async let first = replicas[0].keys.apply([.add(key("a"), as: .keyMade)], on: [], now: 1_000)
        async let second = replicas[1].keys.apply([.add(key("b"), as: .keyMade)], on: [], now: 1_000)
        #expect(Set([try await first, try await second]) == [.applied, .stale])
        #expect(try await replicas[0].keys.load().count == 1)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `what is gone keeps its name, which no other key gets`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let keys = storage.keys
        _ = try await keys.apply([.add(key("a"), as: .keyMade)], on: [], now: 1_000)
        #expect(try await keys.apply([.move("a", to: .gone)], on: [key("a")], now: 2_000) == .applied)
        #expect(try await keys.load().isEmpty)
        #expect(try await keys.state(of: "a") == .gone)
        #expect(try await keys.state(of: "b") == nil)
        #expect(try await keys.apply([.add(key("a"), as: .keyImported)], on: [], now: 3_000) == .stale)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a key that is ended waits to be told until Redis knows it`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let keys = storage.keys
        _ = try await keys.apply([.add(key("a"), as: .keyMade)], on: [], now: 1_000)
        try await keys.end("a", now: 2_000)
        let revocation = KeyRevocation(keyID: "a", holdsUntil: 2_000 + KeyRevocation.lifetimeSeconds)
        #expect(try await keys.unpublishedRevocations() == [revocation])
        #expect(try await storage.revocations.unpublishedCount() == 1)
        try await keys.markRevocationsPublished(["a"])
        #expect(try await keys.unpublishedRevocations().isEmpty)
        #expect(try await storage.revocations.unpublishedCount() == 0)
        #expect(try await keys.liveRevocations(now: 3_000) == [revocation])
        #expect(try await keys.liveRevocations(now: revocation.holdsUntil).isEmpty)
        #expect(try await keys.state(of: "a") == .gone)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a replica notices that another one has written`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine)
        let replicas = [try storage.replica(), try storage.replica()]
        let before = try await replicas[0].keys.changeMark()
        #expect(try await replicas[0].keys.changeMark() == before)
        _ = try await replicas[1].keys.apply([.add(key("a"), as: .keyMade)], on: [], now: 1_000)
        #expect(try await replicas[0].keys.changeMark() != before)
    }
}
