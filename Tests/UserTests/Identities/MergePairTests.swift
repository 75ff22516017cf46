import InternalAPI
import Policies
import Storage
import TestSupport
import Testing

@testable import UserCore

/// Each pair of a verified identity and the account that has it. An account is merged only if nothing else protects it, and no token is
/// given for one that must not be.
@Suite(.timeLimit(.minutes(10))) struct MergePairTests {
    /// The account that has the identity.
    enum Existing: CaseIterable, Sendable {
        case plain, withPassword, withOther, withRole, inactive, waiting, reviewers

        /// Whether the refusal has a token.
        var isOffered: Bool { [.plain, .withPassword, .withOther].contains(self) }
    }

    private static let other = VerifiedIdentity.phone("+15557654321")
    private static let email = VerifiedIdentity.email("ann@example.com")
    private static let identities = [
        other, email, VerifiedIdentity(kind: .apple, value: "000123.a"),
        VerifiedIdentity(kind: .oidc, value: "acme:7"),
    ]

    private func prepare(
        _ existing: Existing, _ identity: VerifiedIdentity, _ fixture: OwnIdentityFixture
    ) async throws -> User {
        let storage = fixture.storage
        let account = try await storage.signIn(identity, reviewEndsAt: existing == .reviewers ? 9_000 : nil).user
        var changed = account
        switch existing {
        case .plain, .reviewers: break
        case .withPassword:
            let password = StoredPassword(hash: "a", version: 1)
            try await storage.users.put([.setPassword(password, of: account.id)], now: 1_000)
        case .withOther:
            let second = identity.kind == .phone ? Self.email : Self.other
            try await storage.users.put([.assignIdentity(second, to: account.id)], now: 1_000)
        case .withRole: changed.role = "admin"
        case .inactive: changed.isActive = false
        case .waiting: return try await storage.giveUp(account, dueAt: 90_000)
        }
        if changed != account { try await storage.users.put([.update(changed)], now: 1_000) }
        return changed
    }

    @Test(arguments: DatabaseKind.allCases, identities)
    func `an account is merged if it has only the verified identity and no rights`(
        _ engine: DatabaseKind, _ identity: VerifiedIdentity
    ) async throws {
        for existing in Existing.allCases {
            // The number of such an account goes to the person who has it.
            if [.waiting, .reviewers].contains(existing), identity.kind == .phone { continue }
            if existing == .reviewers, identity.kind != .phone { continue }
            for keepsOther in [false, true] {
                let fixture = try await OwnIdentityFixture(engine)
                let user = try await fixture.storage.user()
                let other = try await prepare(existing, identity, fixture)
                let refused = try await fixture.add(identity, to: user)
                #expect(refused.result == .identityInUse)
                #expect((refused.mergeToken != nil) == existing.isOffered, "\(existing)")
                guard let token = refused.mergeToken else { continue }
                let answer = try await fixture.merge(token, user, keepsOtherPhone: keepsOther)
                guard existing == .plain else {
                    #expect(answer.result == .mergeProofRequired && answer.methods != nil, "\(existing)")
                    #expect(try await fixture.holder(of: identity) == other.id)
                    continue
                }
                #expect(answer.result == .done)
                let moves = identity.kind != .phone || keepsOther
                #expect(try await fixture.holder(of: identity) == (moves ? user.id : nil))
                #expect(try await fixture.storage.queries.merged(other.id)?.into == user.id)
                #expect(try await fixture.user(user.id).role == User.defaultRole)
            }
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a user who must not merge gets no token`(_ engine: DatabaseKind) async throws {
        let fixture = try await OwnIdentityFixture(engine)
        let reviewer = try await fixture.storage.signIn(OwnIdentityFixture.number, reviewEndsAt: 9_000).user
        _ = try await fixture.storage.signIn(Self.email)
        let answer = try await fixture.add(Self.email, to: reviewer)
        #expect(answer.mergeToken == nil && answer.result != .done)
    }
}
