import InternalAPI
import Policies
import Storage
import TestSupport
import Testing

@testable import UserCore

/// Every pair of an earlier, weak claim to an identity and a later proof of it. A person who had the account by the weak one does
/// not stay in it.
@Suite struct ProofPairTests {
    private static let phone = VerifiedIdentity.phone("+15551234567")
    private static let email = VerifiedIdentity.email("ann@example.com")
    private static let now: Int64 = 1_000

    /// The earlier claim.
    enum Earlier: CaseIterable, Sendable {
        case review, givenUpReview, inactiveReview, invitedReview, reviewTwice
        case fixedCode, givenUp, importedNumber, invitation, unverifiedAddress, addressBesideNumber, registration

        var isReview: Bool { [.review, .givenUpReview, .inactiveReview, .invitedReview, .reviewTwice].contains(self) }
        var identity: VerifiedIdentity {
            [.unverifiedAddress, .addressBesideNumber, .registration].contains(self) ? email : phone
        }
    }

    /// The later proof.
    enum Later: CaseIterable, Sendable {
        case code, token

        var token: PresentedToken? { self == .token ? PresentedToken(call: [1], issuedAt: now) : nil }
    }

    /// The end of the earlier account.
    enum Outcome { case ended, kept, passedOn, none }

    private static func outcome(_ earlier: Earlier) -> Outcome {
        switch earlier {
        case .review, .givenUpReview, .inactiveReview, .invitedReview, .reviewTwice: .ended
        // Restored for the same person, or as the operator's file says; neither has a session.
        case .givenUp, .importedNumber: .passedOn
        // otp-service attests a fixed code like any other, which it refuses in production.
        case .fixedCode: .passedOn
        case .unverifiedAddress: .passedOn
        case .addressBesideNumber: .kept
        case .invitation, .registration: .none
        }
    }

    /// Makes the earlier claim, and returns its account, if there is one.
    private func claim(_ earlier: Earlier, _ storage: StorageReplica) async throws -> User? {
        let users = storage.users
        switch earlier {
        case .review, .givenUpReview, .inactiveReview, .invitedReview, .reviewTwice:
            var user = try await reviewed(storage)
            if earlier == .reviewTwice { user = try await reviewed(storage) }
            if earlier == .givenUpReview { user = try await storage.giveUp(user, dueAt: 9_000) }
            if earlier == .inactiveReview {
                user.isActive = false
                try await users.put([.update(user)], now: Self.now)
            }
            if earlier == .invitedReview { try await invite(storage) }
            return user
        case .fixedCode: return try await storage.user()
        case .givenUp: return try await storage.giveUp(try await storage.user(), dueAt: 9_000)
        case .importedNumber:
            let user = User.unstored()
            try await users.put(
                [.create(user), .assignIdentity(Self.phone, to: user.id, isUsed: false)], now: Self.now)
            return try await storage.queries.user(user.id)
        case .unverifiedAddress, .addressBesideNumber:
            let user = User.unstored()
            let number: [UserChange] =
                earlier == .addressBesideNumber ? [.assignIdentity(.phone("+15550000001"), to: user.id)] : []
            try await users.put([.create(user), .claim(Self.email, by: user.id)] + number, now: Self.now)
            return try await storage.queries.user(user.id)
        case .invitation:
            try await invite(storage)
            return nil
        case .registration:
            let registration = Registration(
                id: .new(), address: Self.email.value, passwordHash: "h", name: nil, createdAt: Self.now,
                expiresAt: 90_000)
            try await users.put([.addRegistration(registration)], now: Self.now)
            return nil
        }
    }

    private func reviewed(_ storage: StorageReplica) async throws -> User {
        try await storage.signIn(Self.phone, reviewEndsAt: 90_000, now: Self.now).user
    }

    private func invite(_ storage: StorageReplica) async throws {
        let invitation = Invitation(id: .new(), identity: Self.phone, role: "editor", expiresAt: 90_000)
        try await storage.users.put([.addInvitation(invitation)], now: Self.now)
    }

    @Test(arguments: DatabaseKind.allCases, Later.allCases)
    func `the stronger proof has its own account, and the weak one's sessions end`(
        _ engine: DatabaseKind, _ later: Later
    ) async throws {
        for earlier in Earlier.allCases {
            let storage = try await StorageUnderTest(engine).replica()
            let before = try await claim(earlier, storage)
            let user = try await storage.signIn(earlier.identity, token: later.token, now: Self.now + 10).user
            #expect(user.isActive && !user.isForReview, "\(earlier)")
            let stored = try #require(try await storage.queries.user(user.id))
            #expect(!stored.isForReview && stored.deletion == nil, "\(earlier)")
            #expect(stored.role == ([.invitation, .invitedReview].contains(earlier) ? "editor" : "user"), "\(earlier)")
            try await check(before, Self.outcome(earlier), user, storage, earlier)
            let again = try await storage.signIn(earlier.identity, now: Self.now + 20).user
            #expect(again.id == user.id, "\(earlier)")
            guard earlier.isReview else { continue }
            // From now on no review code opens the owner's account.
            #expect(
                try await storage.signIn(Self.phone, reviewEndsAt: 90_000, now: Self.now + 20)
                    == .refused(.notForReview), "\(earlier)")
        }
    }

    private func check(
        _ before: User?, _ expected: Outcome, _ user: User, _ storage: StorageReplica, _ earlier: Earlier
    ) async throws {
        guard let before else { return #expect(expected == .none, "\(earlier)") }
        let after = try #require(try await storage.queries.user(before.id))
        let told = try await storage.outbox.pending(.token, about: before.id, limit: 9).map(\.message.kind)
        switch expected {
        case .ended:
            #expect(user.id != before.id && after.phone == nil && after.epoch > before.epoch, "\(earlier)")
            #expect(told.contains(.revokeUser), "\(earlier)")
            #expect(
                try await storage.removals.due(limit: 9, now: Self.now + 10).map(\.user.id) == [before.id], "\(earlier)"
            )
        case .kept: #expect(user.id != before.id && after == before, "\(earlier)")
        case .passedOn: #expect(user.id == before.id, "\(earlier)")
        case .none: Issue.record("\(earlier)")
        }
        // An account that had sessions by the weak claim passes on without them.
        if earlier == .unverifiedAddress { #expect(after.epoch > before.epoch && told == [.revokeUser]) }
    }

    /// In a closed app the reviewers' account is no invitation.
    @Test(arguments: DatabaseKind.allCases)
    func `in a closed app the number of a review account is as uninvited as any other`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        var closed = NewUsersPolicy()
        closed.phone = .invited
        let reviewers = try await storage.signIn(Self.phone, reviewEndsAt: 90_000, newUsers: closed).user
        #expect(try await !storage.queries.isOwned(Self.phone))
        #expect(try await storage.signIn(Self.phone, newUsers: closed) == .refused(.notInvited))
        #expect(try await storage.queries.user(reviewers.id) == reviewers)
        try await invite(storage)
        let owner = try await storage.signIn(Self.phone, newUsers: closed).user
        #expect(owner.id != reviewers.id && owner.role == "editor")
        #expect(try await storage.queries.isOwned(Self.phone))
    }
}
