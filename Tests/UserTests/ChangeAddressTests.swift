import InternalAPI
import TestSupport
import Testing

@testable import UserCore

/// An email address from the operator: unverified until its owner opens the mailed link.
@Suite struct ChangeAddressTests {
    private static let address = "ann@example.com"

    private let fixture: UserFixture

    init() throws { fixture = try UserFixture() }

    private func change(_ user: UserID, to email: String) async throws -> ChangeUser.Outcome {
        try await fixture.change(
            ChangeUserRequest(userID: user.text(prefix: UserFixture.prefix), email: email), requestID: "r-1")
    }

    private func confirm(_ token: String?, call: String = "c1") async throws -> AccountAnswer.Result {
        try await fixture.confirmAddress(
            AccountLinkRequest(token: try #require(token), password: nil, address: "198.51.100.7", callID: call),
            requestID: "r-2"
        ).result
    }

    /// The tokens of the mails that were not sent before, all about confirming an address.
    private func tokens(to address: String = Self.address) async throws -> [String?] {
        let before = fixture.otpService.notices.count
        await fixture.worker(.mail).round()
        let mails = fixture.otpService.notices.dropFirst(before)
        #expect(mails.allSatisfy { $0.kind == .confirmAddress && $0.to == address })
        return mails.map(\.token)
    }

    private func signedIn(_ address: String) async throws -> SignedInUser {
        try await fixture.signedIn(VerifiedIdentity.email(address))
    }

    @Test func `the address is the user's once the link is opened, and no session ends`() async throws {
        let user = try await fixture.signedIn()
        let before = try #require(try await fixture.store.user(user.id))
        #expect(try await change(user.id, to: " Ann@Example.COM ").changed == ChangedUser(changed: ["email"]))
        #expect(try await fixture.store.user(user.id)?.email == nil)
        let token = try #require(try await tokens().first)
        #expect(try await confirm(token) == .done)
        #expect(try await confirm(token) == .done, "a repeat of the call")
        #expect(try await confirm(token, call: "c2") == .invalidLink)
        let after = try #require(try await fixture.store.user(user.id))
        #expect(after.email == Self.address && after.epoch == before.epoch && after.version == before.version + 1)
        await fixture.worker().round()
        #expect(fixture.tokenService.rights.map(\.claims.email) == [Self.address])
        #expect(fixture.tokenService.revocations.isEmpty)
        #expect(try await fixture.auditEvents() == ["user.created", "user.rights_changed", "user.address_verified"])
        #expect(try await signedIn(Self.address).id == user.id)
        #expect(try await change(user.id, to: Self.address).changed == ChangedUser(changed: []))
        #expect(try await tokens().isEmpty)
    }

    @Test func `until then the earlier address stays, and afterwards it is somebody else's`() async throws {
        let user = try await signedIn("old@example.com")
        #expect(try await change(user.id, to: Self.address).isDone)
        #expect(try await signedIn("old@example.com").id == user.id)
        #expect(try await confirm(try #require(try await tokens().first)) == .done)
        #expect(try await signedIn(Self.address).id == user.id)
        #expect(try await signedIn("old@example.com").id != user.id)
        await fixture.worker(.otp).round()
        #expect(fixture.otpService.forgotten.map(\.email) == ["old@example.com"])
    }

    @Test func `another mail ends the link of the one before, for the same address and for another`() async throws {
        let user = try await fixture.signedIn()
        _ = try await change(user.id, to: Self.address)
        let first = try await tokens().first
        #expect(try await change(user.id, to: Self.address).isDone)
        #expect(try await confirm(try #require(first)) == .invalidLink)
        let second = try await tokens().first
        #expect(try await change(user.id, to: "ann@example.org").isDone)
        #expect(try await confirm(try #require(second)) == .invalidLink)
        #expect(try await fixture.texts("SELECT address FROM unverified_addresses") == ["ann@example.org"])
        #expect(try await confirm(try #require(try await tokens(to: "ann@example.org").first)) == .done)
        #expect(try await fixture.count("account_links") == 0)
    }

    @Test func `an address of somebody else is refused, verified or not, whatever waits for its deletion`() async throws
    {
        let (user, other) = (try await fixture.signedIn(), try await signedIn(Self.address))
        let id = other.id.text(prefix: UserFixture.prefix)
        #expect(try await change(user.id, to: Self.address).isRefused(.taken, naming: id))
        _ = try await fixture.deletion()(other, requestID: nil)
        #expect(try await change(user.id, to: Self.address).isRefused(.taken, naming: id))
        #expect(try await change(other.id, to: "two@example.com").isDone)
        #expect(try await change(user.id, to: "two@example.com").isRefused(.taken, naming: id))
        #expect(try await fixture.count("account_links") == 1)
    }

    @Test func `whoever verifies the address first has it, and the link is worth nothing`() async throws {
        let user = try await fixture.signedIn()
        _ = try await change(user.id, to: Self.address)
        let token = try await tokens().first
        let other = try await signedIn(Self.address)
        #expect(other.id != user.id)
        #expect(try await confirm(try #require(token)) == .invalidLink)
        #expect(try await signedIn(Self.address).id == other.id)
        #expect(try await fixture.store.user(user.id)?.email == nil)
    }

    @Test func `an invitation of the address ends without its role`() async throws {
        let user = try await fixture.signedIn()
        let address = VerifiedIdentity.email(Self.address)
        let invitation = Invitation(id: .new(), identity: address, role: "admin", expiresAt: fixture.clock.seconds + 60)
        try await fixture.store.put([.addInvitation(invitation)], now: fixture.clock.seconds)
        _ = try await change(user.id, to: Self.address)
        #expect(try await confirm(try #require(try await tokens().first)) == .done)
        #expect(try await fixture.store.user(user.id)?.role == "user")
        #expect(try await fixture.store.invitation(of: address, now: fixture.clock.seconds) == nil)
    }

    @Test func `a link of another purpose verifies no address, and this one sets no password`() async throws {
        let user = try await fixture.signedIn()
        _ = try await change(user.id, to: Self.address)
        let token = try #require(try await tokens().first ?? nil)
        let hash = try #require(LinkSecret(token)).hash
        let question = UserQuestion(.link(hash: hash), askedAt: fixture.clock.seconds)
        let facts = try #require(try await fixture.store.facts([question]).first)
        #expect(!ResetPassword.isGood(try #require(facts.link), facts))
        for purpose in AccountLink.Purpose.allCases where purpose != .address {
            let secret = LinkSecret.random(suffices: false)
            let link = AccountLink(
                hash: secret.hash, purpose: purpose, subject: user.id, address: Self.address,
                createdAt: fixture.clock.seconds, expiresAt: fixture.clock.seconds + 60)
            try await fixture.store.put([.addLink(link)], now: fixture.clock.seconds)
            #expect(try await confirm(secret.text, call: purpose.rawValue) == .invalidLink)
        }
        #expect(try await fixture.store.user(user.id)?.email == nil)
    }

    @Test func `the link is good for a day`() async throws {
        let user = try await fixture.signedIn()
        _ = try await change(user.id, to: Self.address)
        let token = try #require(try await tokens().first)
        fixture.clock.advance(seconds: 86_400)
        #expect(try await confirm(token) == .invalidLink)
        #expect(try await confirm("short", call: "c2") == .invalidLink)
    }

    @Test(arguments: [
        "", "ann", "ann@", "@example.com", "a b@example.com", "+15551234567", "ann@example.com\nTo: b@x.io",
    ])
    func `anything but a whole address is refused`(_ text: String) async throws {
        let user = try await fixture.signedIn()
        await #expect(throws: InvalidInput.address) { try await change(user.id, to: text) }
    }

    @Test func `without mail, and for reviewers, it is refused`() async throws {
        let user = try await fixture.signedIn()
        var change = fixture.change
        change.notices = nil
        let request = ChangeUserRequest(
            userID: user.id.text(prefix: UserFixture.prefix), role: "x", email: Self.address)
        #expect(try await change(request, requestID: nil).isRefused(.invalidRequest, naming: "sends no mail"))
        #expect(try await fixture.store.user(user.id)?.role == "user")
        let reviewers = try fixture.signedIn(
            try await fixture.signIn("+15551234568", by: Attestation.reviewMethod).answered)
        #expect(
            try await self.change(reviewers.id, to: Self.address).isRefused(.invalidRequest, naming: "review access"))
    }
}
