import InternalAPI
import Storage
import TestSupport
import Testing

@testable import UserCore

/// The promises of every engine about users' metadata.
@Suite struct MetadataContract {
    /// Merges a patch in one transaction, as the use cases do.
    private func merge(
        _ patch: String, of part: MetadataChange.Part, _ id: UserID, on storage: StorageReplica
    ) async throws {
        let change = try MetadataChange(patch, of: part)
        try await storage.users.decide([UserQuestion(.user(id), askedAt: 1_000)], now: 1_000) { facts in
            guard var user = facts.first?.holder, !(try user.change(change)).isEmpty else { return Verdict(()) }
            return Verdict((), [.update(user)])
        }
    }

    private func metadata(_ id: UserID, on storage: StorageReplica) async throws -> UserMetadata {
        try #require(try await storage.queries.user(id)).metadata
    }

    /// The rows of users with anything in the columns of the metadata.
    private func storedCount(_ storage: StorageReplica) async throws -> Int64 {
        let database = try #require(storage.storage.engine as? any StorageDatabase)
        return try await database.read { reading in
            try reading.rows(
                "SELECT count(*) FROM users WHERE app_metadata IS NOT NULL OR own_metadata IS NOT NULL"
            ).first?.integer(0) ?? -1
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `both objects are as they were written, in every place that reads a user`(_ engine: DatabaseKind) async throws
    {
        let storage = try await StorageUnderTest(engine).replica()
        let user = try await storage.user()
        #expect(user.metadata == UserMetadata())
        let text = #"{"":"","a\u0001\\\"":[1,-0.5,1e+300,true,null,{}],"🦊":"Zoë 中\u0007'; DROP TABLE users; --"}"#
        try await merge(text, of: .own, user.id, on: storage)
        try await merge(#"{"n":9223372036854775807}"#, of: .app, user.id, on: storage)
        let written = try await metadata(user.id, on: storage)
        #expect(written.own.text == text && written.app.text == #"{"n":9223372036854775807}"#)
        let stored = try await storage.users.signInFacts(.phone("+15551234567"), proofID: "p").holder
        #expect(stored?.metadata == written)
        #expect(try await storage.queries.find(.id(user.id))?.user.metadata == written)
        #expect(try await storage.queries.page(behind: nil, limit: 5).map(\.user.metadata) == [written])
        #expect(try await storage.queries.account(user.id)?.user.metadata == written)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `empty metadata takes no room, and other changes keep what is there`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let user = try await storage.user()
        #expect(try await storedCount(storage) == 0)
        try await merge(#"{"a":1}"#, of: .app, user.id, on: storage)
        var renamed = try #require(try await storage.queries.user(user.id))
        #expect(renamed.tag([]) != user.tag([]))
        renamed.name = "Betty"
        try await storage.users.put([.update(renamed)], now: 1_100)
        #expect(try await metadata(user.id, on: storage).app.text == #"{"a":1}"#)
        #expect(try await storedCount(storage) == 1)
        try await merge(#"{"a":null}"#, of: .app, user.id, on: storage)
        #expect(try await storedCount(storage) == 0)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `patches of several replicas all hold`(_ engine: DatabaseKind) async throws {
        let home = try await StorageUnderTest(engine)
        let replicas = [try home.replica(), try home.replica()]
        let user = try await replicas[0].user()
        _ = try await concurrently(8) { index in
            try await merge(#"{"m\#(index)":\#(index)}"#, of: .own, user.id, on: replicas[index % 2])
        }
        let members = (0..<8).map { #""m\#($0)":\#($0)"# }.joined(separator: ",")
        #expect(try await metadata(user.id, on: replicas[0]).own.text == "{\(members)}")
    }

    @Test(arguments: DatabaseKind.allCases)
    func `of two administrators with one version one changes, and a repeat is no conflict`(
        _ engine: DatabaseKind
    ) async throws {
        let home = try await StorageUnderTest(engine)
        let storage = try home.replica()
        var admin = try await storage.user("+15550000001")
        admin.role = User.administratorRole
        try await storage.users.put([.update(admin)], now: 1_000)
        let user = try await storage.user("+15550000009")
        let caller = SignedInUser(id: admin.id, sessionID: "s")
        @Sendable func change(_ patch: String, _ versions: [String]?) async throws -> RefusalCode? {
            let store = AdministratorStore(store: storage.users, caller: .user(caller), versions: versions)
            let change = try MetadataChange(patch, of: .app)
            do {
                try await store.decide([UserQuestion(.user(user.id), askedAt: 1_000)], now: 1_000) { facts in
                    guard var user = facts.first?.holder, !(try user.change(change)).isEmpty else { return Verdict(()) }
                    return Verdict((), [.update(user)])
                }
                return nil
            } catch let refused as AdministratorRefusal { return refused.code }
        }
        let outcomes = try await concurrently(2) { try await change(#"{"by":\#($0)}"#, [user.tag([])]) }
        #expect(outcomes.filter { $0 == .versionMismatch }.count == 1 && outcomes.filter { $0 == nil }.count == 1)
        let after = try #require(try await storage.queries.user(user.id))
        #expect(try await change(after.metadata.app.text, [user.tag([])]) == nil)
        #expect(try await change(#"{"x":1}"#, [after.tag([])]) == nil)
        #expect(try await change(#"{"x":2}"#, [after.tag([])]) == .versionMismatch)
        #expect(try await metadata(user.id, on: storage).app.text.contains(#""x":1"#))
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a removed user leaves none`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let user = try await storage.user()
        try await merge(#"{"canary":1}"#, of: .own, user.id, on: storage)
        try await storage.remove(try #require(try await storage.queries.user(user.id)))
        #expect(try await storedCount(storage) == 0)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a merged account leaves none, and the kept one has what it had`(_ engine: DatabaseKind) async throws {
        let fixture = try await OwnIdentityFixture(engine)
        let user = try await fixture.storage.user()
        let other = try await fixture.storage.signIn(.email("ann@example.com"), now: 1_005).user
        try await merge(#"{"kept":1}"#, of: .own, user.id, on: fixture.storage)
        for part in [MetadataChange.Part.own, .app] {
            try await merge(#"{"lost":1}"#, of: part, other.id, on: fixture.storage)
        }
        let token = try await fixture.mergeToken(for: .email("ann@example.com"), user)
        #expect(try await fixture.merge(token, user) == AccountAnswer(.done))
        #expect(try await metadata(user.id, on: fixture.storage).own.text == #"{"kept":1}"#)
        #expect(try await metadata(user.id, on: fixture.storage).app.isEmpty)
        #expect(try await storedCount(fixture.storage) == 1)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a change is an event for the app's back end`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica(writesEvents: true)
        let user = try await storage.user()
        let database = try #require(storage.storage.engine as? any StorageDatabase)
        func kinds() async throws -> [String] {
            try await database.read { try $0.rows("SELECT kind FROM user_events ORDER BY sequence").map { $0.text(0) } }
        }
        let before = try await kinds().count
        try await merge(#"{"a":1}"#, of: .own, user.id, on: storage)
        #expect(try await kinds().count == before + 1)
        try await merge(#"{"a":1}"#, of: .own, user.id, on: storage)
        #expect(try await kinds().count == before + 1)
    }
}
