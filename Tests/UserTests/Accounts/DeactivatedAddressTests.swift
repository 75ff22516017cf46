import InternalAPI
import TestSupport
import Testing

@testable import UserCore
@testable import UserTables

/// An imported account that is deactivated and has an unverified address only: no proof of the address opens it.
@Suite(.timeLimit(.minutes(5)), .accounts) struct DeactivatedAddressTests {
    private let accounts: AccountFixture

    init() throws { accounts = try AccountFixture.ofTest }

    private func imported() async throws -> UserID {
        let users = accounts.users
        let importUsers = ImportUsers(
            store: users.store, ids: ImportedIDs(ring: users.storageKeys), userIDPrefix: UserFixture.prefix,
            defaultRegion: nil, now: users.clock.unix)
        let line = ImportedUser(
            legacyID: "banned", email: AccountFixture.address, emailVerified: false, isActive: false)
        let answer = try await importUsers(ImportUsersRequest(users: [line]), requestID: nil)
        let text = try #require(answer.results.first?.userID)
        return try #require(UserID(text: text, prefix: UserFixture.prefix))
    }

    private func expectDeactivated(_ id: UserID) async throws {
        let user = try #require(try await accounts.users.store.user(id))
        #expect(!user.isActive && user.email == nil)
        #expect(try await accounts.users.count("users") == 1)
        #expect(try await accounts.users.count("identities") == 0)
    }

    @Test func `a registration of the address is refused at its link`() async throws {
        let id = try await imported()
        #expect(try await accounts.register().result == .done)
        let token = try await accounts.token(.confirmRegistration)
        #expect(try await accounts.confirm(token).result == .accountInactive)
        try await expectDeactivated(id)
    }

    @Test func `no reset is mailed`() async throws {
        let id = try await imported()
        #expect(try await accounts.forgot().result == .done)
        #expect(try await accounts.mails().isEmpty)
        try await expectDeactivated(id)
    }

    @Test func `neither an invitation nor create-admin goes around the deactivation`() async throws {
        let id = try await imported()
        let invite = Invite(
            act: accounts.parts.act, notices: accounts.parts.notices, tags: accounts.parts.tags, defaultRegion: nil)
        let request = InviteRequest(to: AccountFixture.address, role: nil)
        #expect(try await invite(request, requestID: nil) == .refused(.alreadyUser))
        let admin = try await CreateAdmin(accounts: accounts.parts)(
            CreateAdminRequest(email: AccountFixture.address, password: AccountFixture.password), requestID: nil)
        #expect(admin == .refused(.addressTaken))
        try await expectDeactivated(id)
    }

    /// The account was active when it was invited.
    @Test func `an invitation that is open does not open it either`() async throws {
        let invite = Invite(
            act: accounts.parts.act, notices: accounts.parts.notices, tags: accounts.parts.tags, defaultRegion: nil)
        guard
            case .answer = try await invite(InviteRequest(to: AccountFixture.address, role: nil), requestID: nil)
        else {
            Issue.record("not invited")
            return
        }
        let token = try await accounts.token(.invitation)
        let id = try await imported()
        #expect(try await accounts.reset(token, "some new password").result == .invalidLink)
        try await expectDeactivated(id)
    }
}
