import InternalAPI
import Policies
import TestSupport
import Testing

@testable import UserCore

/// `DELETE /users/me` without a password, and the proof that it needs.
@Suite(.timeLimit(.minutes(5)), .accounts) struct DeletionWithoutPasswordTests {
    private let accounts: AccountFixture

    init() throws { accounts = try AccountFixture.ofTest }

    private func delete(
        _ user: SignedInUser, hasPasswords: Bool = true, ofAll: Bool = false
    ) async throws -> DeleteOwnAccount.Outcome {
        var policy = ReauthenticationPolicy()
        policy.deletion = ofAll
        let recent = RecentAuthentication(
            tokenService: ServiceClient(service: "token", transport: accounts.users.tokenService),
            now: accounts.parts.act.now)
        let delete = DeleteOwnAccount(
            act: accounts.parts.act, hasPasswords: hasPasswords, policy: policy, recentAuthentication: recent,
            delete: accounts.users.deletion())
        return try await delete(user, accessToken: "token", requestID: nil)
    }

    @Test(arguments: [(Int64(0), true), (299, true), (300, false), (86_400, false)])
    func `a user with a password must have signed in within five minutes`(age: Int64, isDeleted: Bool) async throws {
        let user = try await accounts.user()
        accounts.users.tokenService.setSignedIn(at: accounts.users.clock.seconds - age)
        #expect(try await delete(user) == (isDeleted ? .answer(Done()) : .refused(.reauthenticationRequired)))
        let scheduled = try await accounts.users.store.user(user.id)?.deletion != nil
        #expect(scheduled == isDeleted)
    }

    @Test func `a repeat is answered alike, though its session has ended`() async throws {
        let user = try await accounts.user()
        accounts.users.tokenService.setSignedIn(at: accounts.users.clock.seconds)
        #expect(try await delete(user) == .answer(Done()))
        accounts.users.tokenService.setSignedIn(at: nil)
        #expect(try await delete(user) == .answer(Done()))
    }

    @Test func `without token-service nothing is deleted`() async throws {
        let user = try await accounts.user()
        accounts.users.tokenService.setAway(true)
        await #expect(throws: ServiceUnavailable.self) { try await delete(user) }
        #expect(try await accounts.users.store.user(user.id)?.deletion == nil)
        accounts.users.tokenService.setAway(false)
        accounts.users.tokenService.setSignedIn(at: nil)
        #expect(try await delete(user) == .refused(.invalidToken))
    }

    @Test func `where the policy says so, a user without a password must have shown who they are too`() async throws {
        let phone = try await accounts.users.signedIn("+15551234567")
        accounts.users.tokenService.setSignedIn(at: accounts.users.clock.seconds - 300)
        #expect(try await delete(phone, ofAll: true) == .refused(.reauthenticationRequired))
        accounts.users.tokenService.setSignedIn(at: accounts.users.clock.seconds - 299)
        #expect(try await delete(phone, ofAll: true) == .answer(Done()))
    }

    @Test func `a user without a password needs neither, and a policy without passwords asks for none`() async throws {
        let phone = try await accounts.users.signedIn("+15551234567")
        #expect(try await delete(phone) == .answer(Done()))
        let user = try await accounts.user()
        #expect(try await delete(user, hasPasswords: false) == .answer(Done()))
    }
}
