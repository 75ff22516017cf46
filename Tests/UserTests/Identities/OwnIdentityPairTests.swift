import CryptoPrimitives
import InternalAPI
import Policies
import Storage
import TestSupport
import Testing

@testable import UserCore

/// Each pair of an identity that a signed-in user adds and the account that has it already. No identity gives access to another
/// user's account, and none is taken from another user who verified it.
@Suite(.timeLimit(.minutes(10))) struct OwnIdentityPairTests {
    /// The account that the identity belongs to before.
    enum Existing: CaseIterable, Sendable {
        case none, own, other, waiting, reviewers, claimedByOther, claimedAlone, claimedBySelf, invited
    }

    /// The presented proof.
    enum Proof: CaseIterable, Sendable { case right, used, ofOtherUser, forSignIn, forReview }

    private static let identities = [
        VerifiedIdentity.phone("+15557654321"), .email("ann@example.com"),
        VerifiedIdentity(kind: .apple, value: "000123.a"), VerifiedIdentity(kind: .oidc, value: "acme:7"),
    ]

    /// The pairs that can be.
    private static func pairs(_ identity: VerifiedIdentity) -> [Existing] {
        Existing.allCases.filter { existing in
            switch existing {
            case .reviewers: identity.kind == .phone
            case .claimedByOther, .claimedAlone, .claimedBySelf: identity.kind == .email
            case .invited: [.phone, .email].contains(identity.kind)
            case .none, .own, .other, .waiting: true
            }
        }
    }

    private static func expected(_ identity: VerifiedIdentity, _ existing: Existing) -> AccountAnswer.Result {
        switch existing {
        case .other: .identityInUse
        case .waiting: identity.kind == .phone ? .done : .identityInUse
        case .none, .own, .reviewers, .claimedByOther, .claimedAlone, .claimedBySelf, .invited: .done
        }
    }

    /// Makes the account that has the identity, and returns it.
    private func prepare(
        _ existing: Existing, _ identity: VerifiedIdentity, _ user: User, _ fixture: OwnIdentityFixture
    ) async throws -> User? {
        let storage = fixture.storage
        switch existing {
        case .none: return nil
        case .own:
            #expect(try await fixture.add(identity, to: user).result == .done)
            return user
        case .other: return try await storage.signIn(identity).user
        case .waiting: return try await storage.giveUp(try await storage.signIn(identity).user, dueAt: 90_000)
        case .reviewers: return try await storage.signIn(identity, reviewEndsAt: 90_000).user
        case .claimedByOther:
            let other = try await storage.user("+15550000002")
            try await storage.users.claim(identity.value, for: other.id)
            return other
        case .claimedAlone:
            let other = User.unstored()
            try await storage.users.put([.create(other), .claim(identity, by: other.id)], now: 1_000)
            return other
        case .claimedBySelf:
            try await storage.users.claim(identity.value, for: user.id)
            return user
        case .invited:
            let invitation = Invitation(id: .new(), identity: identity, role: "admin", expiresAt: 9_000)
            try await storage.users.put([.addInvitation(invitation)], now: 1_000)
            return nil
        }
    }

    private func proof(
        _ kind: Proof, _ identity: VerifiedIdentity, _ user: User, _ fixture: OwnIdentityFixture
    ) async throws -> String? {
        let isCode = identity.atProvider == nil
        switch kind {
        case .right: return try fixture.proof(of: identity, for: user)
        case .used:
            let used = SignInProof(id: "used", expiresAt: 9_000, identity: identity)
            let resolution = Resolution(userID: .new(), isNewUser: false, restored: false)
            try await fixture.users.put([.resolve(used, resolution)], now: 1_000)
            return try fixture.proof(of: identity, id: "used", for: user)
        case .ofOtherUser: return isCode ? try fixture.proof(of: identity, for: .unstored()) : nil
        case .forSignIn: return isCode ? try fixture.proof(of: identity, for: user, purpose: .signIn) : nil
        case .forReview:
            return isCode
                ? try fixture.proof(of: identity, for: user, method: Attestation.reviewMethod) : nil
        }
    }

    @Test(arguments: DatabaseKind.allCases, identities)
    func `an identity is added where it belongs to nobody else, and a wrong proof changes nothing`(
        _ engine: DatabaseKind, _ identity: VerifiedIdentity
    ) async throws {
        for existing in Self.pairs(identity) {
            for kind in Proof.allCases {
                let fixture = try await OwnIdentityFixture(engine)
                let user = try await fixture.storage.user()
                let other = try await prepare(existing, identity, user, fixture)
                let before = try await fixture.holder(of: identity)
                guard let proof = try await proof(kind, identity, user, fixture) else { continue }
                let request = AddIdentityRequest(proof: proof, callID: "c")
                let result = try await fixture.own().add(request, fixture.caller(user)).answered.result
                let expected = kind == .right ? Self.expected(identity, existing) : .proofRefused
                #expect(result == expected, "\(existing) \(kind)")
                #expect(try await fixture.holder(of: identity) == (expected == .done ? user.id : before))
                #expect(try await fixture.user(user.id).role == User.defaultRole)
                guard let other, other.id != user.id, expected == .done else { continue }
                try await expectLoss(of: identity, by: other, existing, fixture)
            }
        }
    }

    /// The other account loses the identity, and nothing of it passes over.
    private func expectLoss(
        of identity: VerifiedIdentity, by other: User, _ existing: Existing, _ fixture: OwnIdentityFixture
    ) async throws {
        let after = try await fixture.user(other.id)
        #expect(after.phone != identity.value && after.email != identity.value)
        #expect((after.deletion != nil) == (existing == .waiting || existing == .reviewers))
        let facts = try await fixture.users.facts(UserQuestion(.identity(identity), askedAt: 1_020))
        #expect(facts.claimant == nil && facts.invitation == nil && facts.holder?.id != other.id)
    }
}
