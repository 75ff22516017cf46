import InternalAPI
import Storage
import TestSupport
import Testing

@testable import UserCore

/// The effect of the first proof of an address on the account that has it unverified.
@Suite struct AccountTakeoverTests {
    private static let email = VerifiedIdentity.email("ann@example.com")

    /// The state of the account that claims the address.
    enum Holder: CaseIterable, Sendable {
        case alone, withNumber, scheduled, inactive
    }

    private func claimed(_ storage: StorageReplica, _ holder: Holder) async throws -> User {
        var user = User.unstored()
        if holder == .scheduled { user.deletion = ScheduledDeletion(requestedAt: 1_000, dueAt: 9_000) }
        user.isActive = holder != .inactive
        let number: [UserChange] = holder == .withNumber ? [.assignIdentity(.phone("+15550000001"), to: user.id)] : []
        try await storage.users.put([.create(user), .claim(Self.email, by: user.id)] + number, now: 1_000)
        return try #require(try await storage.queries.user(user.id))
    }

    @Test(arguments: DatabaseKind.allCases, Holder.allCases)
    func `the first who verifies an address has it, and nobody is kept out or let in by another's word`(
        _ engine: DatabaseKind, _ holder: Holder
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let claimant = try await claimed(storage, holder)
        #expect(claimant.email == nil && claimant.claims.email == nil)
        if holder == .inactive {
            // The operator's word: proving the address must not undo it.
            #expect(try await storage.signIn(Self.email) == .refused(.inactive))
            #expect(try await storage.queries.user(claimant.id) == claimant)
            return
        }
        guard case .admitted(let user, let resolution, false, _, _) = try await storage.signIn(Self.email)
        else {
            Issue.record("not admitted")
            return
        }
        #expect(user.email == Self.email.value)
        #expect((user.id == claimant.id) == (holder == .alone) && resolution.isNewUser == (holder != .alone))
        let told = try await storage.outbox.pending(.token, about: claimant.id, limit: 9)
        if holder == .alone {
            #expect(user.epoch == claimant.epoch + 1 && told.map(\.message.kind) == [.revokeUser])
        } else {
            #expect(try await storage.queries.user(claimant.id) == claimant && told.isEmpty)
        }
        // From now on it is verified: the next sign-in finds the same user.
        let again = try await storage.signIn(Self.email, now: 1_001).user
        #expect(again.id == user.id && again.epoch == user.epoch)
    }

    /// Both ways to an address, a code and a link with a password, lead through the same rule.
    @Test(arguments: [nil, "editor"])
    func `a takeover ends what the account was: password, links, sessions`(_ role: String?) async throws {
        let storage = try await StorageUnderTest(.sqlite).replica()
        let claimant = try await claimed(storage, .alone)
        let facts = try await storage.users.signInFacts(Self.email, proofID: "p")
        let (user, changes) = try AccountTakeover(userIDPrefix: "usr_")(
            of: Self.email, by: .new(role: role), facts, RequestOrigin(), 1_000)
        #expect(user.id == claimant.id && user.role == role ?? "user" && user.version == claimant.version + 1)
        for change in [
            UserChange.removePassword(of: user.id), .endLinks(of: user.id), .endClaim(Self.email), .update(user),
            .assignIdentity(Self.email, to: user.id),
        ] { #expect(changes.contains(change)) }
        #expect(
            changes.contains { if case .tell(let message, _, _) = $0 { message.kind == .revokeUser } else { false } })
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a verified address stays where it is`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let owner = try await storage.signIn(Self.email).user
        for change: (inout User) -> Void in [
            { $0.isActive = false }, { $0.deletion = ScheduledDeletion(requestedAt: 1_000, dueAt: 1_001) },
        ] {
            let now = try #require(try await storage.queries.user(owner.id))
            var after = now
            (after.isActive, after.deletion) = (true, nil)
            change(&after)
            #expect(try await storage.users.change(now, to: after) == .applied)
            let outcome = try await storage.signIn(Self.email, now: 2_000)
            #expect(throws: Unexpected.self) { try outcome.user }
            #expect(try await storage.users.signInFacts(Self.email, proofID: "q").holder?.id == owner.id)
        }
    }
}
