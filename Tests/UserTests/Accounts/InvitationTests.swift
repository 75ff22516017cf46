import InternalAPI
import Policies
import TestSupport
import Testing

@testable import UserCore

/// The rules for new users, and the operator's invitations.
@Suite(.timeLimit(.minutes(5))) struct InvitationTests {
    private static let phone = "+15551234567"
    private static let identities = [
        ProvedIdentity.phone(phone), ProvedIdentity(kind: .email, value: AccountFixture.address),
    ]

    private func invite(
        _ accounts: AccountFixture, _ to: String, role: String? = nil, byMail: Bool = true
    ) async throws -> Invite.Result {
        let invite = Invite(
            act: accounts.parts.act, notices: byMail ? accounts.parts.notices : nil, tags: accounts.parts.tags,
            defaultRegion: nil)
        return try await invite(InviteRequest(to: to, role: role), requestID: "r-1")
    }

    private func createAdmin(
        _ accounts: AccountFixture, _ password: String = AccountFixture.password,
        _ email: String = AccountFixture.address
    ) async throws -> CreateAdmin.Result {
        try await CreateAdmin(accounts: accounts.parts)(
            CreateAdminRequest(email: email, password: password), requestID: "r-1")
    }

    /// Returns the outcome of a proof in an app that is closed to uninvited users.
    private func resolve(
        _ accounts: AccountFixture, _ identity: ProvedIdentity
    ) async throws
        -> ResolveAttestation.Result
    {
        var closed = NewUsersPolicy()
        (closed.phone, closed.email, closed.apple, closed.oidc) = (.invited, .invited, .invited, .invited)
        let users = accounts.users
        let attestation = try Attestation(
            proofID: AccountFixture.newCall(), method: "sms", identity: identity, purpose: .signIn,
            expiresAt: users.clock.seconds + 60
        ).sealed(with: users.attestationKeys)
        let resolver = ResolveAttestation(
            store: users.store, rule: SignInRule(onScheduledDeletion: .restore, newUsers: closed),
            grants: users.grants, attestationKeys: users.attestationKeys, proofKeys: accounts.parts.proofKeys,
            now: users.clock.unix)
        return try await resolver(ResolveRequest(attestation: attestation, name: nil), requestID: nil)
    }

    @Test(arguments: identities)
    func `in a closed app who was not invited becomes nobody, and nothing is stored`(
        _ identity: ProvedIdentity
    ) async throws {
        try await withAccounts { accounts async throws in
            #expect(try await resolve(accounts, identity) == .notInvited)
            for table in ["users", "identities", "resolutions", "audit"] {
                #expect(try await accounts.users.count(table) == 0, "\(table)")
            }
        }
    }

    @Test(arguments: identities)
    func `who was invited becomes a user with the role, once, and comes again as one`(
        _ identity: ProvedIdentity
    ) async throws {
        try await withAccounts { accounts async throws in
            guard case .invited = try await invite(accounts, identity.value, role: "editor") else {
                Issue.record("not invited")
                return
            }
            guard case .granted(let first) = try await resolve(accounts, identity) else {
                Issue.record("not let in")
                return
            }
            #expect(first.isNewUser && first.user.role == "editor")
            #expect(try await accounts.rows() == ["users": 1, "identities": 1])
            guard case .granted(let again) = try await resolve(accounts, identity) else {
                Issue.record("not let in again")
                return
            }
            #expect(!again.isNewUser && again.user.id == first.user.id)
            #expect(try await invite(accounts, identity.value) == .alreadyUser)
            #expect(try await accounts.users.auditEvents() == ["user.invited", "user.created"])
        }
    }

    @Test func `an invitation ends after seven days, and the next one replaces it`() async throws {
        try await withAccounts { accounts async throws in
            let identity = ProvedIdentity(kind: .email, value: AccountFixture.address)
            _ = try await invite(accounts, AccountFixture.address, role: "editor")
            let first = try await accounts.token(.invitation)
            _ = try await invite(accounts, AccountFixture.address, role: "admin")
            let second = try await accounts.token(.invitation)
            #expect(try await accounts.rows() == ["invitations": 1, "account_links": 1])
            #expect(try await accounts.reset(first, AccountFixture.password).result == .invalidLink)
            accounts.users.clock.advance(seconds: 7 * 86_400)
            #expect(try await accounts.reset(second, AccountFixture.password).result == .invalidLink)
            #expect(try await resolve(accounts, identity) == .notInvited)
        }
    }

    @Test func `its link sets the password of a user with that role`() async throws {
        try await withAccounts { accounts async throws in
            let invited = try await invite(accounts, " Ann@Example.com", role: "admin")
            let expiresAt = accounts.users.clock.seconds + 7 * 86_400
            #expect(invited == .invited(InviteAnswer(expiresAt: expiresAt, isMailed: true)))
            let token = try await accounts.token(.invitation)
            #expect(try await accounts.confirm(token).result == .invalidLink)
            #expect(try await accounts.reset(token, "password1").result == .weakPassword)
            #expect(try await accounts.reset(token, AccountFixture.password).result == .done)
            #expect(try await accounts.rows() == ["users": 1, "identities": 1, "passwords": 1])
            #expect(try await accounts.signIn()?.user.role == "admin")
            #expect(try await accounts.reset(token, AccountFixture.other).result == .invalidLink)
        }
    }

    @Test func `who was invited and registers by himself has the role all the same`() async throws {
        try await withAccounts { accounts async throws in
            _ = try await invite(accounts, AccountFixture.address, role: "editor")
            let token = try await accounts.token(.invitation)
            _ = try await accounts.user()
            #expect(try await accounts.signIn()?.user.role == "editor")
            #expect(try await accounts.reset(token, AccountFixture.other).result == .invalidLink)
            #expect(try await accounts.rows() == ["users": 1, "identities": 1, "passwords": 1])
        }
    }

    @Test func `an invitation gives its role to an account that only claimed the address`() async throws {
        try await withAccounts { accounts async throws in
            let claimant = try await accounts.users.signedIn(Self.phone)
            try await accounts.users.store.claim(AccountFixture.address, for: claimant.id)
            try await accounts.users.execute("DELETE FROM identities")
            _ = try await invite(accounts, AccountFixture.address, role: "editor")
            let token = try await accounts.token(.invitation)
            #expect(try await accounts.reset(token, AccountFixture.password).result == .done)
            let answer = try #require(try await accounts.signIn())
            #expect(answer.user.role == "editor")
            #expect(answer.user.id == claimant.id.text(prefix: UserFixture.prefix))
        }
    }

    @Test func `a number gets no mail, and an address none where nobody has a password`() async throws {
        try await withAccounts { accounts async throws in
            for (to, byMail) in [(Self.phone, true), (AccountFixture.address, false)] {
                guard case .invited(let answer) = try await invite(accounts, to, byMail: byMail) else {
                    Issue.record("not invited")
                    return
                }
                #expect(!answer.isMailed)
            }
            #expect(try await accounts.mails().isEmpty)
        }
    }

    @Test func `what names nobody, and a role that cannot be, invite nobody`() async throws {
        try await withAccounts { accounts async throws in
            for to in ["", "ann", "555", "@example.com", "+1", "ann@example.com, bob@example.com"] {
                #expect(try await invite(accounts, to) == .invalid, "\(to)")
            }
            for role in ["", "a b", String(repeating: "r", count: 65), "r\u{E4}t"] {
                #expect(try await invite(accounts, AccountFixture.address, role: role) == .invalid, "\(role)")
            }
            #expect(try await accounts.rows().isEmpty)
        }
    }

    @Test func `a code goes to users and to the invited alone, where phones are for the invited`() async throws {
        try await withAccounts { accounts async throws in
            _ = try await accounts.users.signedIn("+15550000001")
            _ = try await invite(accounts, "+15550000002")
            func isWelcome(_ phone: String, _ setting: String = "invited") async throws -> Bool {
                let policy = try UserFixture.policy("accounts: { newUsers: { phone: \(setting) } }")
                let welcome = WelcomePhone(
                    queries: accounts.users.store, policy: policy, now: accounts.users.clock.unix)
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
    }

    @Test func `the first administrator has his address, password and role; a repeat is the same, another is not`()
        async throws
    {
        try await withAccounts { accounts async throws in
            #expect(try await createAdmin(accounts, "password1") == .weakPassword)
            #expect(try await createAdmin(accounts, AccountFixture.password, "none") == .invalid)
            guard case .created(let admin) = try await createAdmin(accounts) else {
                Issue.record("not created")
                return
            }
            #expect(try await createAdmin(accounts) == .created(admin))
            #expect(try await createAdmin(accounts, AccountFixture.other) == .addressTaken)
            #expect(try await accounts.rows() == ["users": 1, "identities": 1, "passwords": 1])
            #expect(try await accounts.signIn()?.user.role == "admin")
            #expect(try await accounts.users.auditEvents() == ["user.created"])
        }
    }

    @Test func `nobody else's account becomes an administrator's`() async throws {
        try await withAccounts { accounts async throws in
            _ = try await accounts.user()
            #expect(try await createAdmin(accounts) == .addressTaken)
            #expect(try await accounts.signIn()?.user.role == "user")
        }
    }

    @Test func `an address that a stranger registered or claims is the administrator's alone`() async throws {
        try await withAccounts { accounts async throws in
            let claimant = try await accounts.users.signedIn(Self.phone)
            try await accounts.users.store.claim(AccountFixture.address, for: claimant.id)
            try await accounts.users.execute("DELETE FROM identities")
            _ = try await accounts.register(AccountFixture.address, "the stranger's own")
            let token = try await accounts.token(.confirmRegistration)
            guard case .created = try await createAdmin(accounts) else {
                Issue.record("not created")
                return
            }
            #expect(try await accounts.confirm(token, "the stranger's own").result == .invalidLink)
            #expect(try await accounts.signIn()?.user.role == "admin")
        }
    }
}
