import InternalAPI
import Testing

@testable import UserCore

/// A registration that its link confirms without the password (uta), and where it does not.
@Suite(.timeLimit(.minutes(5)), .accounts) struct RegistrationByLinkTests {
    private let accounts: AccountFixture
    private let address = AccountFixture.address

    init() throws { accounts = try AccountFixture.ofTest }

    @Test func `the link alone makes the user, once, and the password opens it`() async throws {
        #expect(try await accounts.register(byLink: true).result == .done)
        let token = try await accounts.token(.confirmRegistrationByLink)
        #expect(LinkHint.suffices(token))
        #expect(try await accounts.confirmByLink(token).result == .done)
        #expect(try await accounts.rows() == ["users": 1, "identities": 1, "passwords": 1])
        #expect(try await accounts.confirmByLink(token).result == .invalidLink)
        #expect(try await accounts.signIn()?.user.email == address)
        #expect(try await accounts.signIn("another password") == nil)
        #expect(try await accounts.users.texts("SELECT method FROM audit") == ["link"])
    }

    @Test func `whoever sends the password too is held to it`() async throws {
        _ = try await accounts.register(byLink: true)
        let token = try await accounts.token(.confirmRegistrationByLink)
        #expect(try await accounts.confirm(token, "another password").result == .wrongPassword)
        #expect(try await accounts.confirm(token).result == .done)
    }

    @Test func `a link that was mailed with the password in mind is not enough by itself`() async throws {
        _ = try await accounts.register()
        let token = try await accounts.token(.confirmRegistration)
        #expect(!LinkHint.suffices(token))
        #expect(try await accounts.confirmByLink(token).result == .wrongPassword)
        #expect(try await accounts.rows()["users"] == nil)
        #expect(try await accounts.confirm(token).result == .done)
    }

    @Test func `a renewed link confirms as its asker says`() async throws {
        _ = try await accounts.register(byLink: true)
        let first = try await accounts.token(.confirmRegistrationByLink)
        #expect(try await accounts.resend(byLink: true).result == .done)
        let second = try await accounts.token(.confirmRegistrationByLink)
        #expect(try await accounts.confirmByLink(first).result == .invalidLink)
        #expect(try await accounts.confirmByLink(second).result == .done)
    }

    @Test func `a link for another purpose confirms nothing, nor does one sets a password by a confirmation`()
        async throws
    {
        _ = try await accounts.register(byLink: true)
        let token = try await accounts.token(.confirmRegistrationByLink)
        #expect(try await accounts.reset(token, "some new password").result == .invalidLink)
        #expect(try await accounts.confirmByLink(token).result == .done)
        #expect(try await accounts.forgot().result == .done)
        let reset = try await accounts.token(.passwordReset)
        #expect(try await accounts.confirmByLink(reset).result == .invalidLink)
        #expect(try await accounts.reset(reset, "some new password").result == .done)
        #expect(try await accounts.signIn() == nil)
    }

    /// A person who was invited as an administrator and opens the link of someone else's registration must not make that
    /// person an administrator.
    @Test(arguments: [true, false])
    func `what an invitation promises goes to nobody by a link alone`(isInvitedFirst: Bool) async throws {
        if isInvitedFirst { try await invite() }
        _ = try await accounts.register(AccountFixture.address, "the stranger's own", byLink: true)
        if !isInvitedFirst { try await invite() }
        let mails = try await accounts.mails().filter { $0.kind != .invitation }
        #expect(mails.map(\.kind) == [isInvitedFirst ? .confirmRegistration : .confirmRegistrationByLink])
        let token = try #require(mails.first?.token)
        #expect(try await accounts.confirmByLink(token).result == .wrongPassword)
        #expect(try await accounts.rows()["users"] == nil)
    }

    private func invite() async throws {
        let invite = Invite(
            act: accounts.parts.act, notices: accounts.parts.notices, tags: accounts.parts.tags, defaultRegion: nil)
        _ = try await invite(InviteRequest(to: AccountFixture.address, role: "admin"), requestID: nil)
    }

    /// The account has the address unverified, like an imported one: opening the link must not give it to the registrant.
    @Test(arguments: [true, false])
    func `an account that waits for the address is taken over by no link alone`(isClaimedFirst: Bool) async throws {
        if isClaimedFirst { try await claim() }
        _ = try await accounts.register(AccountFixture.address, "the stranger's own", byLink: true)
        if !isClaimedFirst { try await claim() }
        let mails = try await accounts.mails()
        #expect(mails.map(\.kind) == [isClaimedFirst ? .confirmRegistration : .confirmRegistrationByLink])
        let token = try #require(mails.first?.token)
        #expect(try await accounts.confirmByLink(token).result == .wrongPassword)
        #expect(try await accounts.users.auditEvents().contains("user.taken_over") == false)
        #expect(try await accounts.signIn("the stranger's own") == nil)
    }

    private func claim() async throws {
        let claimant = try await accounts.users.signedIn("+15551234567")
        try await accounts.users.store.claim(address, for: claimant.id)
        try await accounts.users.execute("DELETE FROM identities")
    }
}

extension AccountFixture {
    func confirmByLink(_ token: String, call: String = newCall()) async throws -> AccountAnswer {
        try await ConfirmRegistration(accounts: parts)(
            AccountLinkRequest(token: token, password: nil, address: Self.client, callID: call), requestID: "r-1")
    }
}
