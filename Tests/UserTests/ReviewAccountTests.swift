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

    @Test func `it makes an account and opens it again, and its grants carry the end of the access`() async throws {
        let end = fixture.clock.seconds + 86_400
        let first = try await review().answered
        #expect(first.isNewUser && first.user.role == "user")
        let again = try await review().answered
        #expect(!again.isNewUser && again.user.id == first.user.id)
        for answer in [first, again] { #expect(try fixture.grant(answer).accessEndsAt == end) }
        let facts = try await fixture.lookUp(FindUserRequest(key: first.user.id), requestID: nil)
        #expect(try facts.answered.isForReview == true)
    }

    @Test func `the number's owner gets an account of their own, and the reviewers' one ends at once`() async throws {
        let reviewers = try await review().answered.user
        let owner = try await fixture.signIn(id: "sms-1").answered
        #expect(owner.isNewUser && owner.user.id != reviewers.id)
        #expect(try fixture.grant(owner).accessEndsAt == nil)
        #expect(fixture.tokenService.revocations.map(\.userID) == [reviewers.id])
        #expect(try await fixture.signIn(id: "sms-1").answered.user.id == owner.user.id)
        #expect(try await review() == .refused(.attestationRefused))
        await fixture.removal().round()
        #expect(try await fixture.lookUp(FindUserRequest(key: reviewers.id), requestID: nil) == .refused(.notFound))
        let facts = try await fixture.lookUp(FindUserRequest(key: owner.user.id), requestID: nil)
        #expect(try facts.answered.isForReview != true)
    }

    @Test func `while the sessions cannot be ended the owner waits, and a repeat gets in`() async throws {
        let reviewers = try await review().answered.user
        fixture.tokenService.setAway(true)
        await #expect(throws: Unconfirmed.self) { try await fixture.signIn(id: "sms-1") }
        fixture.tokenService.setAway(false)
        #expect(try await fixture.signIn(id: "sms-1").answered.user.id != reviewers.id)
        fixture.clock.advance(seconds: 60)
        await fixture.worker().round()
        #expect(fixture.tokenService.revocations.map(\.userID) == [reviewers.id])
    }

    @Test func `a proof without the end of the access, or another with one, is refused`() async throws {
        for (method, end) in [(Attestation.reviewMethod, nil), ("sms", Int64(2_000_000_000))] {
            let text = try Attestation(
                proofID: "p-\(method)", method: method, identity: .phone("+15551234567"), purpose: .signIn,
                expiresAt: fixture.clock.seconds + 60, challengedAt: fixture.clock.seconds, accessEndsAt: end
            ).sealed(with: fixture.attestationKeys)
            #expect(try await fixture.resolver()(text) == .refused(.attestationRefused))
        }
    }

    @Test func `an account of somebody else stays shut, also one that is given up, and that is in the audit`()
        async throws
    {
        let owner = try await fixture.signedIn()
        #expect(try await review() == .refused(.attestationRefused))
        #expect(try await fixture.auditEvents() == ["user.created", "user.sign_in_refused"])
        _ = try await fixture.deletion()(owner, requestID: nil)
        #expect(try await review() == .refused(.attestationRefused))
    }

    @Test func `a code that was accepted before the access ended signs in no more, also as a repeat`() async throws {
        let attested = try fixture.attestation(.phone("+15551234567"), id: "r-1", by: Attestation.reviewMethod)
        _ = try await fixture.resolver()(attested).answered
        fixture.otpService.setReviewOpen(false)
        #expect(try await fixture.resolver()(attested) == .refused(.attestationRefused))
        #expect(try await review() == .refused(.attestationRefused))
        #expect(try await fixture.count("users") == 1)
        #expect(try await fixture.count("resolutions") == 1)
        // Other proofs of the number need no access.
        #expect(try await fixture.signIn().answered.isNewUser)
        fixture.otpService.setAway(true)
        await #expect(throws: ServiceUnavailable.self) { _ = try await review() }
    }

    @Test func `its account can have no role`() async throws {
        let user = try await review().answered.user
        func change(_ role: String?, isActive: Bool? = nil) async throws -> ChangeUser.Outcome {
            try await fixture.change(
                ChangeUserRequest(userID: user.id, role: role, isActive: isActive), requestID: nil)
        }
        #expect(try await change("admin").isRefused(.invalidRequest))
        #expect(try await change("user").isDone)
        #expect(try await change(nil, isActive: false).isDone)
        #expect(try await review() == .refused(.accountInactive))
        #expect(try await change(nil, isActive: true).isDone)
        // Whatever wrote it there.
        try await fixture.execute("UPDATE users SET role = 'admin'")
        #expect(try await review() == .refused(.attestationRefused))
    }
}
