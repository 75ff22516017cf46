import InternalAPI
import Policies
import TestSupport
import Testing

@testable import UserCore

/// The rules for new users, and the operator's invitations.
@Suite(.timeLimit(.minutes(5)), .accounts) struct InvitationTests {
    private let accounts: AccountFixture
    private static let phone = "+15551234567"

    init() throws { accounts = try AccountFixture.ofTest }

    private static let identities = [
        VerifiedIdentity.phone(phone), VerifiedIdentity(kind: .email, value: AccountFixture.address),
    ]

    private func invite(_ to: String, role: String? = nil, byMail: Bool = true) async throws -> Invite.Outcome {
        let invite = Invite(
            act: accounts.parts.act, notices: byMail ? accounts.parts.notices : nil, tags: accounts.parts.tags,
            defaultRegion: nil)
        return try await invite(InviteRequest(to: to, role: role), requestID: "r-1")
    }

    private func createAdmin(
        _ password: String = AccountFixture.password,
        _ email: String = AccountFixture.address
    ) async throws -> CreateAdmin.Outcome {
        try await CreateAdmin(accounts: accounts.parts)(
            CreateAdminRequest(email: email, password: password), requestID: "r-1")
    }

    /// Returns the outcome of a proof in an app that is closed to uninvited users.
    private func resolve(_ identity: VerifiedIdentity) async throws -> ResolveAttestation.Outcome {
        try await accounts.users.resolver(newUsers: .invited)(try accounts.users.attestation(identity))
    }

    @Test(arguments: identities)
    func `in a closed app who was not invited becomes nobody, and nothing is stored`(
        _ identity: VerifiedIdentity
    ) async throws {
        #expect(try await resolve(identity) == .refused(.notInvited))
        for table in ["users", "identities", "resolutions", "audit"] {
            #expect(try await accounts.users.count(table) == 0, "\(table)")
        }
    }

    @Test(arguments: identities)
    func `who was invited becomes a user with the role, once, and comes again as one`(
        _ identity: VerifiedIdentity
    ) async throws {
        _ = try await invite(identity.value, role: "editor").answered
        let first = try await resolve(identity).answered
        #expect(first.isNewUser && first.user.role == "editor")
        #expect(try await accounts.rows() == ["users": 1, "identities": 1])
        let again = try await resolve(identity).answered
        #expect(!again.isNewUser && again.user.id == first.user.id)
        #expect(try await invite(identity.value) == .refused(.alreadyUser))
        #expect(try await accounts.users.auditEvents() == ["user.invited", "user.created", "user.looked_up"])
        let details = try await accounts.users.texts("SELECT coalesce(detail, '') FROM audit ORDER BY number")
        #expect(details[1].hasPrefix("invitation ") && details[0] == "role editor " + details[1], "\(details)")
    }

    @Test func `an invitation ends after seven days, and the next one replaces it`() async throws {
        let identity = VerifiedIdentity(kind: .email, value: AccountFixture.address)
        _ = try await invite(AccountFixture.address, role: "editor")
        let first = try await accounts.token(.invitation)
        _ = try await invite(AccountFixture.address, role: "admin")
        let second = try await accounts.token(.invitation)
        #expect(try await accounts.rows() == ["invitations": 1, "account_links": 1])
        #expect(try await accounts.reset(first, AccountFixture.password).result == .invalidLink)
        accounts.users.clock.advance(seconds: 7 * 86_400)
        #expect(try await accounts.reset(second, AccountFixture.password).result == .invalidLink)
        #expect(try await resolve(identity) == .refused(.notInvited))
    }

    @Test func `its link sets the password of a user with that role`() async throws {
        let invited = try await invite(" Ann@Example.com", role: "admin")
        let expiresAt = accounts.users.clock.seconds + 7 * 86_400
        #expect(invited == .answer(InviteAnswer(expiresAt: expiresAt, isMailed: true)))
        let token = try await accounts.token(.invitation)
        #expect(try await accounts.confirm(token).result == .invalidLink)
        #expect(try await accounts.reset(token, "password1").result == .weakPassword)
        #expect(try await accounts.reset(token, AccountFixture.password).result == .done)
        #expect(try await accounts.rows() == ["users": 1, "identities": 1, "passwords": 1])
        #expect(try await accounts.signIn()?.user.role == "admin")
        #expect(try await accounts.reset(token, AccountFixture.other).result == .invalidLink)
    }

    @Test func `who was invited and registers by himself has the role all the same`() async throws {
        _ = try await invite(AccountFixture.address, role: "editor")
        let token = try await accounts.token(.invitation)
        _ = try await accounts.user()
        #expect(try await accounts.signIn()?.user.role == "editor")
        #expect(try await accounts.reset(token, AccountFixture.other).result == .invalidLink)
        #expect(try await accounts.rows() == ["users": 1, "identities": 1, "passwords": 1])
    }

    @Test func `an invitation gives its role to an account that only claimed the address`() async throws {
        let claimant = try await accounts.users.signedIn(Self.phone)
        try await accounts.users.store.claim(AccountFixture.address, for: claimant.id)
        try await accounts.users.execute("DELETE FROM identities")
        _ = try await invite(AccountFixture.address, role: "editor")
        let token = try await accounts.token(.invitation)
        #expect(try await accounts.reset(token, AccountFixture.password).result == .done)
        let answer = try #require(try await accounts.signIn())
        #expect(answer.user.role == "editor")
        #expect(answer.user.id == claimant.id.text(prefix: UserFixture.prefix))
    }

    @Test func `a number gets no mail, and an address none where nobody has a password`() async throws {
        for (to, byMail) in [(Self.phone, true), (AccountFixture.address, false)] {
            let answer = try await invite(to, byMail: byMail).answered
            #expect(!answer.isMailed)
        }
        #expect(try await accounts.mails().isEmpty)
    }

    @Test func `what names nobody, and a role that cannot be, invite nobody`() async throws {
        for to in ["", "ann", "555", "@example.com", "+1", "ann@example.com, bob@example.com"] {
            await #expect(throws: InvalidInput.invitation, "\(to)") { try await invite(to) }
        }
        for role in ["", "a b", String(repeating: "r", count: 65), "r\u{E4}t"] {
            await #expect(throws: InvalidInput.invitation, "\(role)") {
                try await invite(AccountFixture.address, role: role)
            }
        }
        #expect(try await accounts.rows().isEmpty)
    }

    @Test func `a code goes to users and to the invited alone, where phones are for the invited`() async throws {
        _ = try await accounts.users.signedIn("+15550000001")
        _ = try await invite("+15550000002")
        func isWelcome(_ phone: String, _ setting: String = "invited") async throws -> Bool {
            let policy = try UserFixture.policy("accounts: { newUsers: { phone: \(setting) } }")
            let welcome = WelcomePhone(queries: accounts.users.store, policy: policy, now: accounts.users.clock.unix)
            return try await welcome(WelcomeRequest(phone: phone)).isWelcome
        }
        #expect(try await isWelcome("+1 555 000-0001"))
        #expect(try await isWelcome("+15550000002"))
        #expect(try await !isWelcome("+15550000003"))
        #expect(try await isWelcome("+15550000003", "open"))
        // otp-service says what is wrong with it.
        #expect(try await isWelcome("nonsense"))
        accounts.users.clock.advance(seconds: 7 * 86_400)
        #expect(try await !isWelcome("+15550000002"))
        #expect(try await isWelcome("+15550000001"))
    }

    @Test func `the first administrator has his address, password and role; a repeat is the same, another is not`()
        async throws
    {
        #expect(try await createAdmin("password1") == .refused(.weakPassword))
        await #expect(throws: InvalidInput.address) {
            try await createAdmin(AccountFixture.password, "none")
        }
        let admin = try await createAdmin().answered
        #expect(try await createAdmin() == .answer(admin))
        #expect(try await createAdmin(AccountFixture.other) == .refused(.addressTaken))
        #expect(try await accounts.rows() == ["users": 1, "identities": 1, "passwords": 1])
        #expect(try await accounts.signIn()?.user.role == "admin")
        // Each later call has read that the address has an account.
        #expect(try await accounts.users.auditEvents() == ["user.created", "user.looked_up", "user.looked_up"])
    }

    @Test func `nobody else's account becomes an administrator's`() async throws {
        _ = try await accounts.user()
        #expect(try await createAdmin() == .refused(.addressTaken))
        #expect(try await accounts.signIn()?.user.role == "user")
    }

    @Test func `an address that a stranger registered or claims is the administrator's alone`() async throws {
        let claimant = try await accounts.users.signedIn(Self.phone)
        try await accounts.users.store.claim(AccountFixture.address, for: claimant.id)
        try await accounts.users.execute("DELETE FROM identities")
        _ = try await accounts.register(AccountFixture.address, "the stranger's own")
        let token = try await accounts.token(.confirmRegistration)
        _ = try await createAdmin().answered
        #expect(try await accounts.confirm(token, "the stranger's own").result == .invalidLink)
        #expect(try await accounts.signIn()?.user.role == "admin")
    }
}
