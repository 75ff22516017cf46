import InternalAPI
import Logging
import Storage
import TestSupport
import Testing

@testable import UserCore

/// Each pair of a sign-in's proof and the account that has the identity. A sign-in leads to that account or to a new one, and a
/// wrong proof leads nowhere; `OwnIdentityPairTests` has the pairs of users who are signed in.
@Suite(.timeLimit(.minutes(5))) struct SignInPairTests {
    /// The account that the identity belongs to before.
    enum Existing: CaseIterable, Sendable { case none, signedUp, added }

    /// The presented proof.
    enum Proof: CaseIterable, Sendable { case right, forged, toAdd, toDelete, toReauthenticate }

    private static let identities = [
        VerifiedIdentity.phone("+15557654321"), .email("ann@example.com"),
        VerifiedIdentity(kind: .apple, value: "000123.a"), VerifiedIdentity(kind: .oidc, value: "acme:7"),
    ]

    /// Returns the account that has the identity.
    private func prepare(
        _ existing: Existing, _ identity: VerifiedIdentity, _ fixture: OwnIdentityFixture
    ) async throws -> User? {
        switch existing {
        case .none: return nil
        case .signedUp: return try await fixture.storage.signIn(identity).user
        case .added:
            let user = try await fixture.storage.user("+15550000002")
            #expect(try await fixture.add(identity, to: user).result == .done)
            return user
        }
    }

    private func proof(
        _ kind: Proof, _ identity: VerifiedIdentity, _ bystander: User, _ fixture: OwnIdentityFixture
    ) throws -> String? {
        let isCode = identity.atProvider == nil
        let right = isCode ? try fixture.code(identity) : try fixture.proof(of: identity, for: bystander)
        switch kind {
        case .right: return right
        case .forged: return String(right.dropLast(8)) + "AAAAAAAA"
        case .toAdd: return isCode ? try fixture.proof(of: identity, for: bystander) : nil
        case .toDelete: return isCode ? try fixture.proof(of: identity, for: bystander, purpose: .deletion) : nil
        case .toReauthenticate:
            return isCode ? try fixture.proof(of: identity, for: bystander, purpose: .reauthentication) : nil
        }
    }

    @Test(arguments: DatabaseKind.allCases, identities)
    func `a sign-in leads to the identity's own account or to a new one`(
        _ engine: DatabaseKind, _ identity: VerifiedIdentity
    ) async throws {
        for existing in Existing.allCases {
            for kind in Proof.allCases {
                let fixture = try await OwnIdentityFixture(engine)
                let bystander = try await fixture.storage.user()
                let holder = try await prepare(existing, identity, fixture)
                let users = try await fixture.storage.queries.page(behind: nil, limit: 9).map(\.user.id)
                guard let proof = try proof(kind, identity, bystander, fixture) else { continue }
                let outcome = try await fixture.resolver()(
                    ResolveRequest(attestation: proof, name: nil), requestID: "r-1", logger: .silent)
                let after = try await fixture.storage.queries.page(behind: nil, limit: 9).map(\.user.id)
                if kind == .right {
                    let reached = try outcome.answered
                    #expect(reached.isNewUser == (holder == nil), "\(existing)")
                    let expected = holder?.id ?? after.first { !users.contains($0) }
                    #expect(reached.user.id == expected?.text(prefix: UserFixture.prefix), "\(existing)")
                } else {
                    #expect(outcome.isRefused(.attestationRefused), "\(existing) \(kind)")
                    #expect(after == users, "\(existing) \(kind)")
                    #expect(try await fixture.holder(of: identity) == holder?.id, "\(existing) \(kind)")
                }
                #expect(try await fixture.user(bystander.id) == bystander)
            }
        }
    }
}
