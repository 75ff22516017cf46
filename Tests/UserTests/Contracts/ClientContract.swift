import CryptoPrimitives
import InternalAPI
import Storage
import TestSupport
import Testing

@testable import UserCore

/// The promises of every engine about clients.
@Suite struct ClientContract {
    private func newClient(_ id: String = "billing", role: String = "admin") -> APIClient {
        .new(id, role: role, secretHash: SecureRandom.bytes(32), now: 1_000)
    }

    private func store(_ client: APIClient, in storage: StorageReplica) async throws {
        try await storage.users.put([.storeClient(client)], now: 1_000)
    }

    private func client(_ id: String, in storage: StorageReplica) async throws -> APIClient? {
        try await storage.users.facts(UserQuestion(.client(id), askedAt: 1_000)).client
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a client is there as stored, whatever changes, and gone when removed`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        var client = newClient()
        #expect(try await self.client(client.id, in: storage) == nil)
        try await store(client, in: storage)
        #expect(try await self.client(client.id, in: storage) == client)
        client = client.adding(secretHash: SecureRandom.bytes(32), endsEarlier: false, now: 2_000)
        client = client.adding(key: #"{"kty":"a"}"#, endsEarlier: false).adding(key: "{}", endsEarlier: false)
        client.revokedAt = 3_000
        try await store(client, in: storage)
        #expect(try await self.client(client.id, in: storage) == client)
        client = client.adding(secretHash: client.secrets[0].hash, endsEarlier: true, now: 4_000)
        client = client.adding(key: client.keys[0], endsEarlier: true)
        try await store(client, in: storage)
        #expect(try await self.client(client.id, in: storage) == client && client.secrets.count == 1)
        try await storage.users.put([.removeClient(client.id)], now: 1_000)
        #expect(try await self.client(client.id, in: storage) == nil)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `clients are listed by their ids, which differ by every byte`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let clients = ["b", "B", "a-1", "a.1", "a_1"].map { newClient($0) }
        for client in clients { try await store(client, in: storage) }
        let bytes = { (id: String) in Array(id.utf8) }
        let sorted = clients.sorted { bytes($0.id).lexicographicallyPrecedes(bytes($1.id)) }
        #expect(try await storage.queries.clients() == sorted)
        #expect(try await client("A-1", in: storage) == nil)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a decision writes only the client that it asked about`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let other = newClient("other")
        for change in [UserChange.storeClient(other), .removeClient("other")] {
            await #expect(throws: StorageError.self) {
                try await storage.users.decide([UserQuestion(.client("one"), askedAt: 1_000)], now: 1_000) { _ in
                    Verdict((), [change])
                }
            }
        }
        #expect(try await storage.queries.clients().isEmpty)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a client that loses a right is in the list that a restore must repeat`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let first = newClient()
        let two = first.adding(secretHash: SecureRandom.bytes(32), endsEarlier: false, now: 2_000)
        let three = two.adding(secretHash: SecureRandom.bytes(32), endsEarlier: false, now: 3_000)
        let keyed = three.adding(key: "{}", endsEarlier: false)
        var revoked = keyed.adding(key: #"{"kty":"a"}"#, endsEarlier: true)
        revoked.revokedAt = 4_000
        for (client, count) in [(first, 0), (two, 0), (three, 1), (keyed, 1), (revoked, 2), (revoked, 2)] {
            try await store(client, in: storage)
            let decisions = try await storage.queries.decisions(after: 0, limit: 9)
            #expect(decisions.count == count)
            #expect(decisions.allSatisfy { $0.kind == .clientRevoked && $0.subject == first.decisionSubject })
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a client administers while its row allows it, in the same transaction`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let user = try await storage.user("+15550000009")
        var client = newClient()
        try await store(client, in: storage)
        func act(_ sid: String) async throws -> RefusalCode? {
            let caller = AuthenticatedClient(id: client.id, sid: sid, authenticatedAt: 1_000)
            let acting = AdministratorStore(store: storage.users, caller: .client(caller))
            do {
                try await acting.decide([UserQuestion(.user(user.id), askedAt: 1_000)], now: 1_000) { facts in
                    Verdict((), facts.first?.holder.map { [.audit(AuditEntry(.updated, $0, RequestOrigin()))] } ?? [])
                }
                return nil
            } catch let error as AdministratorRefusal { return error.code }
        }
        #expect(try await act(client.sidText) == nil)
        #expect(try await act("0123456789abcdef01234567") == .invalidToken)
        client.revokedAt = 2_000
        try await store(client, in: storage)
        #expect(try await act(client.sidText) == .invalidToken)
        let other = newClient("reports", role: "reports")
        try await store(other, in: storage)
        let caller = AuthenticatedClient(id: other.id, sid: other.sidText, authenticatedAt: 1_000)
        await #expect(throws: AdministratorRefusal(.forbidden)) {
            try await AdministratorStore(store: storage.users, caller: .client(caller)).note([], now: 1_000)
        }
    }
}
