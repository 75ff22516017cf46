import InternalAPI
import Storage
import Testing

@testable import UserCore

/// What every engine promises of addresses that nobody has proved, and what the first proof of one does.
@Suite struct UnprovedAddressContract {
    private static let address = "ann@example.com"
    private static let proof = ProvedIdentity(kind: .email, value: address)

    /// How the one who has the address without proof stands.
    enum Holder: CaseIterable, Sendable {
        case alone, withNumber, scheduled, inactive
    }

    /// A user without any proof, as a sign-up by password makes him.
    private func unproved(_ storage: StorageReplica, _ change: (inout User) -> Void = { _ in }) async throws -> User {
        let user = try await storage.user("+15550000001")
        var after = user
        change(&after)
        after.updatedAt += 1
        #expect(try await storage.users.change(user, to: after) == .applied)
        return after
    }

    private func claimed(_ storage: StorageReplica, _ holder: Holder) async throws -> User {
        let user = try await unproved(storage) { user in
            if holder == .scheduled { user.deletion = ScheduledDeletion(requestedAt: 1_000, dueAt: 9_000) }
            if holder == .inactive { user.isActive = false }
        }
        try await storage.users.claim(Self.address, for: user.id)
        if holder != .withNumber { try await storage.loseIdentities(of: user.id) }
        return try #require(try await storage.queries.user(user.id))
    }

    @Test(arguments: StorageEngineUnderTest.allCases, Holder.allCases)
    func `the first who proves an address has it, and nobody is kept out or let in by another's word`(
        _ engine: StorageEngineUnderTest, _ holder: Holder
    ) async throws {
        let storage = try StorageUnderTest(engine).replica()
        let claimant = try await claimed(storage, holder)
        #expect(claimant.email == nil && claimant.claims.email == nil)
        if holder == .inactive {
            // The operator's word: proving the address must not undo it.
            guard case (.refused(.inactive), _) = try await storage.signIn(Self.proof) else {
                Issue.record("admitted")
                return
            }
            #expect(try await storage.queries.user(claimant.id) == claimant)
            return
        }
        guard case (.admitted(let user, let resolution, false), .applied) = try await storage.signIn(Self.proof) else {
            Issue.record("not admitted")
            return
        }
        #expect(user.email == Self.address)
        #expect((user.id == claimant.id) == (holder == .alone) && resolution.isNewUser == (holder != .alone))
        let told = try await storage.outbox.pending(.token, about: claimant.id, limit: 9)
        if holder == .alone {
            #expect(user.epoch == claimant.epoch + 1 && told.map(\.message.kind) == [.revokeUser])
        } else {
            #expect(try await storage.queries.user(claimant.id) == claimant && told.isEmpty)
        }
        // From now on it is verified: the next sign-in finds the same user.
        guard case (.admitted(let again, _, _), .applied) = try await storage.signIn(Self.proof, now: 1_001) else {
            Issue.record("not admitted")
            return
        }
        #expect(again.id == user.id && again.epoch == user.epoch)
    }

    @Test(arguments: StorageEngineUnderTest.allCases)
    func `what was decided before somebody said so is decided anew`(_ engine: StorageEngineUnderTest) async throws {
        let storage = try StorageUnderTest(engine).replica()
        let facts = try await storage.users.signInFacts(Self.proof, proofID: "p")
        let user = try await storage.user()
        try await storage.users.claim(Self.address, for: user.id)
        #expect(try await storage.signIn(Self.proof, proofID: "p", on: facts).applied == .stale)
    }

    @Test(arguments: StorageEngineUnderTest.allCases)
    func `a proved address stays where it is`(_ engine: StorageEngineUnderTest) async throws {
        let storage = try StorageUnderTest(engine).replica()
        guard case (.admitted(let owner, _, _), _) = try await storage.signIn(Self.proof) else { return }
        for change: (inout User) -> Void in [
            { $0.isActive = false }, { $0.deletion = ScheduledDeletion(requestedAt: 1_000, dueAt: 1_001) },
        ] {
            let now = try #require(try await storage.queries.user(owner.id))
            var after = now
            (after.isActive, after.deletion) = (true, nil)
            change(&after)
            #expect(try await storage.users.change(now, to: after) == .applied)
            guard case (.refused, _) = try await storage.signIn(Self.proof, now: 2_000) else {
                Issue.record("somebody got in")
                return
            }
            #expect(try await storage.users.signInFacts(Self.proof, proofID: "q").holder?.id == owner.id)
        }
    }

    @Test(arguments: StorageEngineUnderTest.allCases)
    func `it goes with its account`(_ engine: StorageEngineUnderTest) async throws {
        let storage = try StorageUnderTest(engine).replica()
        let user = try await storage.user()
        try await storage.users.claim(Self.address, for: user.id)
        _ = try await storage.giveUp(user, dueAt: 1_500)
        let due = try #require(try await storage.removals.due(limit: 9, now: 1_500).first)
        let lease = Lease(name: "job", holder: "a", lifetimeSeconds: 30)
        #expect(try await storage.removals.remove(due, messages: [], lease: lease, now: 1_500) == .removed)
        #expect(try await storage.users.signInFacts(Self.proof, proofID: "p").claimant == nil)
    }
}
