import InternalAPI
import Testing

@testable import UserCore

/// The accounts that a review code may open.
@Suite struct ReviewAccountTests {
    private let fixture: UserFixture

    init() throws { fixture = try UserFixture() }

    private func review() async throws -> ResolveAttestation.Outcome {
        try await fixture.signIn(by: Attestation.reviewMethod)
    }

    @Test func `it makes an account, opens it again, and so does the number's owner later`() async throws {
        let first = try await review().granted
        #expect(first.isNewUser && first.user.role == "user")
        for method in [Attestation.reviewMethod, "sms"] {
            let again = try await fixture.signIn(by: method).granted
            #expect(!again.isNewUser && again.user.id == first.user.id)
        }
        let facts = try await fixture.lookUp(FindUserRequest(key: first.user.id), requestID: nil)
        #expect(try facts.user.isForReview == true)
    }

    @Test func `an account of somebody else stays shut, also one that is given up, and that is in the audit`()
        async throws
    {
        let owner = try await fixture.signedIn()
        #expect(try await review() == .attestationRefused(nil))
        #expect(try await fixture.auditEvents() == ["user.created", "user.sign_in_refused"])
        _ = try await fixture.deletion()(owner, requestID: nil)
        #expect(try await review() == .attestationRefused(nil))
    }

    @Test func `its account can have no role`() async throws {
        let user = try await review().granted.user
        func change(_ role: String?, isActive: Bool? = nil) async throws -> ChangeUser.Outcome {
            try await fixture.change(
                ChangeUserRequest(userID: user.id, role: role, isActive: isActive), requestID: nil)
        }
        #expect(try await change("admin") == .forReview)
        #expect(try await change("user") == .done)
        #expect(try await change(nil, isActive: false) == .done)
        #expect(try await review() == .inactive)
        #expect(try await change(nil, isActive: true) == .done)
        // Whatever wrote it there.
        try await fixture.execute("UPDATE users SET role = 'admin'")
        #expect(try await review() == .attestationRefused(nil))
    }
}
