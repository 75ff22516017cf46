import InternalAPI
import Testing

@testable import UserCore

/// Deleting an account by a code for that purpose.
@Suite struct DeleteByProofTests {
    private let fixture: UserFixture
    private let phone = "+15551234567"

    init() throws { fixture = try UserFixture() }

    private func attestation(
        _ purpose: Purpose = .deletion, of identity: VerifiedIdentity? = nil, by method: String = "sms"
    ) throws -> String {
        try fixture.attestation(identity ?? .phone(phone), by: method, for: purpose)
    }

    private func delete(_ attestation: String) async throws -> DeleteByProofAnswer {
        let use = DeleteByProof(
            store: fixture.store, delete: fixture.deletion(), attestationKeys: fixture.attestationKeys,
            now: fixture.clock.unix)
        return try await use(DeleteByProofRequest(attestation: attestation), requestID: "r-1")
    }

    @Test func `the account is scheduled for deletion, and its sessions end`() async throws {
        let user = try await fixture.signedIn(phone)
        let due = fixture.clock.seconds + 30 * 86_400
        for _ in 0..<2 {
            #expect(try await delete(try attestation()) == .init(.scheduled, dueAt: due))
        }
        let id = user.id.text(prefix: UserFixture.prefix)
        #expect(fixture.tokenService.revocations == [RevokeUserRequest(userID: id, epoch: 2, reason: .deleted)])
        #expect(try await fixture.auditEvents() == ["user.created", "user.deletion_requested"])
    }

    @Test func `a number is the same one in its form of before`() async throws {
        let old = VerifiedIdentity.phone("+541140206271")
        #expect(old.canonical != old)
        _ = try await fixture.signedIn(old.canonical)
        let due = fixture.clock.seconds + 30 * 86_400
        #expect(try await delete(try attestation(of: old)) == .init(.scheduled, dueAt: due))
    }

    @Test func `a proof for another purpose, of nobody or of a deactivated user deletes nothing`() async throws {
        let user = try await fixture.signedIn(phone)
        #expect(try await delete(try attestation(.signIn)) == .init(.attestationRefused))
        #expect(try await delete("x") == .init(.attestationRefused))
        // The code of a store's reviewers opens no account of somebody else's.
        let review = try attestation(by: Attestation.reviewMethod)
        #expect(try await delete(review) == .init(.attestationRefused))
        #expect(try await delete(try attestation(of: .phone("+15551234568"))) == .init(.unknown))
        let change = ChangeUserRequest(userID: user.id.text(prefix: UserFixture.prefix), role: nil, isActive: false)
        #expect(try await fixture.change(change, requestID: nil).isDone)
        #expect(try await delete(try attestation()) == .init(.inactive))
        #expect(try await fixture.auditEvents().contains("user.deletion_requested") == false)
    }

    @Test func `a proof for a deletion signs nobody in`() async throws {
        _ = try await fixture.signedIn(phone)
        #expect(try await fixture.resolver()(try attestation()) == .refused(.attestationRefused))
    }

    @Test func `without token-service it is not confirmed`() async throws {
        _ = try await fixture.signedIn(phone)
        fixture.tokenService.setAway(true)
        await #expect(throws: Unconfirmed.self) { try await delete(try attestation()) }
    }
}
