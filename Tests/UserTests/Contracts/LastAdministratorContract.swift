import InternalAPI
import Storage
import TestSupport
import Testing

@testable import UserCore

/// The promise of every engine that a deployment keeps an administrator, however many give the role up at once.
@Suite struct LastAdministratorContract {
    /// The ways in which an administrator's rights end.
    private static let ends: [@Sendable (inout User) -> Void] = [
        { $0.role = User.defaultRole }, { $0.isActive = false },
        { $0.deletion = ScheduledDeletion(requestedAt: 1_000, dueAt: 9_000) },
    ]

    private func administrators(_ count: Int, on storage: StorageReplica) async throws -> [UserID] {
        var ids: [UserID] = []
        for number in 0..<count {
            var user = try await storage.user("+1555000000\(number)")
            user.role = User.administratorRole
            try await storage.users.put([.update(user)], now: 1_000)
            ids.append(user.id)
        }
        return ids
    }

    /// Ends the rights of a user through the store of an administrator's request, or else of the user's own.
    private func end(
        _ id: UserID, by caller: UserID? = nil, on storage: StorageReplica,
        _ end: @escaping @Sendable (inout User) -> Void
    ) async throws -> RefusalCode? {
        let keeping = LastAdministratorStore(store: storage.users)
        let store: any UserStore =
            caller.map { AdministratorStore(store: storage.users, caller: .user(SignedInUser(id: $0, sessionID: "s"))) }
            ?? keeping
        do {
            try await store.decide([UserQuestion(.user(id), askedAt: 1_000)], now: 1_000) { facts in
                guard var user = facts.first?.holder else { return Verdict(()) }
                end(&user)
                return Verdict((), [.update(user)])
            }
            return nil
        } catch let refused as AdministratorRefusal { return refused.code }
    }

    private func left(_ storage: StorageReplica) async throws -> [UserID] {
        try await storage.users.facts(UserQuestion(.administrators, askedAt: 1_000)).administrators
    }

    @Test(arguments: DatabaseKind.allCases)
    func `the last administrator keeps the role, and any before the last may lose it`(
        _ engine: DatabaseKind
    ) async throws {
        for end in Self.ends {
            let storage = try await StorageUnderTest(engine).replica()
            let ids = try await administrators(3, on: storage)
            _ = try await storage.user("+15550000009")
            #expect(try await left(storage).count == 2)
            #expect(try await self.end(ids[0], on: storage, end) == nil)
            #expect(try await self.end(ids[1], on: storage, end) == nil)
            #expect(try await self.end(ids[2], on: storage, end) == .lastAdministrator)
            #expect(try await left(storage) == [ids[2]])
            // Other changes of the last one are no loss.
            #expect(try await self.end(ids[2], on: storage) { $0.name = "Betty" } == nil)
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `of administrators who give the role up at once, one keeps it`(_ engine: DatabaseKind) async throws {
        let home = try await StorageUnderTest(engine)
        let replicas = try (0..<2).map { _ in try home.replica() }
        for round in 0..<8 {
            let ids = try await administrators(4, on: replicas[0])
            let end = Self.ends[round % 2]
            let refusals = try await concurrently(4) { try await self.end(ids[$0], on: replicas[$0 % 2], end) }
            #expect(refusals.filter { $0 == .lastAdministrator }.count == 1)
            #expect(try await left(replicas[0]).count == 1)
            for id in ids { try await restore(id, on: replicas[0]) }
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `of two administrators who demote each other at once, one succeeds`(_ engine: DatabaseKind) async throws {
        let home = try await StorageUnderTest(engine)
        let replicas = try (0..<2).map { _ in try home.replica() }
        let ids = try await administrators(2, on: replicas[0])
        for round in 0..<8 {
            let end = Self.ends[round % 2]
            let refusals = try await concurrently(2) {
                try await self.end(ids[$0], by: ids[1 - $0], on: replicas[$0], end)
            }
            // The other one is no administrator any more when their request is decided.
            #expect(refusals.filter { $0 == nil }.count == 1, "\(refusals)")
            #expect(try await left(replicas[0]).count == 1)
            for id in ids { try await restore(id, on: replicas[0]) }
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `of two administrators who end their own rights at once, in any two ways, one stays`(
        _ engine: DatabaseKind
    ) async throws {
        let home = try await StorageUnderTest(engine)
        let replicas = try (0..<2).map { _ in try home.replica() }
        let ids = try await administrators(2, on: replicas[0])
        for round in 0..<9 {
            let ways = [Self.ends[round / 3], Self.ends[round % 3]]
            let refusals = try await concurrently(2) {
                try await self.end(ids[$0], by: ids[$0], on: replicas[$0], ways[$0])
            }
            // Both may act when their request is decided, so only the look at the administrators refuses the second.
            #expect(refusals.filter { $0 == .lastAdministrator }.count == 1, "\(refusals)")
            #expect(refusals.filter { $0 == nil }.count == 1, "\(refusals)")
            #expect(try await left(replicas[0]).count == 1)
            for id in ids { try await restore(id, on: replicas[0]) }
        }
    }

    private func restore(_ id: UserID, on storage: StorageReplica) async throws {
        try await storage.users.decide([UserQuestion(.user(id), askedAt: 1_000)], now: 1_000) { facts in
            guard var user = facts.first?.holder else { return Verdict(()) }
            (user.role, user.isActive, user.deletion) = (User.administratorRole, true, nil)
            return Verdict((), [.update(user)])
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a change of a version that is no longer the user's is refused`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let ids = try await administrators(2, on: storage)
        let user = try await storage.user("+15550000009")
        let read = try #require(try await storage.queries.user(user.id))
        @Sendable func rename(_ name: String, by admin: Int, _ versions: [String]?) async throws -> RefusalCode? {
            let store = AdministratorStore(
                store: storage.users, caller: .user(SignedInUser(id: ids[admin], sessionID: "s")), versions: versions)
            do {
                try await store.decide([UserQuestion(.user(user.id), askedAt: 1_000)], now: 1_000) { facts in
                    guard var user = facts.first?.holder, user.name != name else { return Verdict(()) }
                    user.name = name
                    return Verdict((), [.update(user)])
                }
                return nil
            } catch let refused as AdministratorRefusal { return refused.code }
        }
        let outcomes = try await concurrently(2) { try await rename("Admin \($0)", by: $0, [read.tag([])]) }
        #expect(outcomes.filter { $0 == .versionMismatch }.count == 1 && outcomes.filter { $0 == nil }.count == 1)
        let after = try #require(try await storage.queries.user(user.id))
        #expect(after.tag([]) != read.tag([]))
        // A repeat of what was done is no conflict, and the newest version is none.
        #expect(try await rename(try #require(after.name), by: 0, [read.tag([])]) == nil)
        #expect(try await rename("Betty", by: 0, ["0", after.tag([])]) == nil)
        #expect(try await rename("Bet", by: 0, []) == .versionMismatch)
        #expect(try await rename("Bet", by: 0, nil) == nil)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `an end of sessions requires the version, and a look at the user none`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let admin = SignedInUser(id: try await administrators(1, on: storage)[0], sessionID: "s")
        let user = try await storage.user("+15550000009")
        func record(_ event: AuditEntry.Event, _ version: String) async throws -> RefusalCode? {
            let store = AdministratorStore(store: storage.users, caller: .user(admin), versions: [version])
            do {
                try await store.decide([UserQuestion(.user(user.id), askedAt: 1_000)], now: 1_000) { facts in
                    Verdict((), facts.first?.holder.map { [.audit(AuditEntry(event, $0, RequestOrigin()))] } ?? [])
                }
                return nil
            } catch let refused as AdministratorRefusal { return refused.code }
        }
        #expect(try await record(.sessionsEnded, "0") == .versionMismatch)
        #expect(try await record(.sessionsEnded, user.tag([])) == nil)
        #expect(try await record(.lookedUp, "0") == nil)
    }
}
