import AuthAPI
import CryptoPrimitives
import InternalAPI
import Policies
import SQLiteStore
import Testing

@testable import UserCore

@Suite struct ReturnTests {
    private let fixture: UserFixture
    private let phone = "+15551234567"

    init() throws { fixture = try UserFixture() }

    /// Signs in, gives the account up, and signs in again after `seconds`.
    private func comeBack(
        _ onSignIn: DeletionPolicy.SignIn, graceDays: Int = 30, after seconds: Int64, attestation id: String = "second"
    ) async throws -> (before: SignedInUser, result: ResolveAttestation.Outcome) {
        let user = try fixture.signedIn(try await fixture.signIn(phone, id: "first", name: "Betty").answered)
        _ = try await fixture.deletion(graceDays: graceDays)(user, requestID: nil)
        fixture.clock.advance(seconds: seconds)
        return (user, try await fixture.resolver(onSignIn)(try fixture.attestation(.phone(phone), id: id)))
    }

    @Test func `a sign-in within the grace restores the account under its raised epoch`() async throws {
        let (user, result) = try await comeBack(.restore, after: 29 * 86_400)
        let answer = try result.answered
        #expect(answer.restored && !answer.isNewUser)
        #expect(answer.user.id == user.id.text(prefix: UserFixture.prefix) && answer.user.name == "Betty")
        let grant = try fixture.grant(answer)
        #expect(grant.epoch == 2)
        #expect(try await fixture.auditEvents().last == "user.restored")
        let repeated = try await fixture.signIn(phone, id: "second").answered
        #expect(repeated.restored)
        #expect(try await fixture.auditEvents().filter { $0 == "user.restored" }.count == 1)
    }

    @Test func `an attestation that served before the deletion does not restore`() async throws {
        let (user, result) = try await comeBack(.restore, after: 10, attestation: "first")
        #expect(result == .refused(.attestationRefused))
        #expect(try await fixture.read(user) == .refused(.invalidToken))
    }

    @Test(arguments: [(30, 30 * 86_400), (0, 0)] as [(Int, Int64)])
    func `after the grace the number begins a new account`(graceDays: Int, seconds: Int64) async throws {
        let (user, result) = try await comeBack(.restore, graceDays: graceDays, after: seconds)
        let answer = try result.answered
        #expect(answer.isNewUser && !answer.restored && answer.user.name == nil)
        #expect(answer.user.id != user.id.text(prefix: UserFixture.prefix))
        #expect(answer.user.phoneNumber == phone)
        #expect(try await fixture.store.user(user.id)?.phone == nil)
        #expect(try await fixture.database.integrityProblems() == [])
    }

    @Test func `newAccount begins a new account at once, ask refuses`() async throws {
        let (user, result) = try await comeBack(.newAccount, after: 1)
        let answer = try result.answered
        #expect(answer.isNewUser && answer.user.id != user.id.text(prefix: UserFixture.prefix))
        let other = try UserFixture()
        let asked = ReturnTests(fixture: other)
        #expect(try await asked.comeBack(.ask, after: 1).result == .refused(.deletionScheduled))
    }

    /// The restore token that a refused sign-in with an attestation gets; `nil` if it gets none.
    private func restoreToken(_ onSignIn: DeletionPolicy.SignIn = .ask, attestation id: String) async throws -> String?
    {
        let attestation = try fixture.attestation(.phone(phone), id: id)
        return try await fixture.resolver(onSignIn).held(HeldSignInRequest(attestation: attestation)).restoreToken
    }

    @Test func `a restore token cancels the deletion once and signs in, ten minutes long`() async throws {
        let (user, result) = try await comeBack(.ask, after: 1)
        #expect(result == .refused(.deletionScheduled))
        let token = try #require(try await restoreToken(attestation: "second"))
        #expect(!token.contains(phone) && token.utf8.count < 1_000)
        #expect(try await fixture.store.user(user.id)?.deletion != nil)
        fixture.clock.advance(seconds: 599)
        let first = try await fixture.resolver(.ask)(token).answered
        #expect(first.restored && !first.isNewUser && first.user.id == user.id.text(prefix: UserFixture.prefix))
        #expect(try await fixture.store.user(user.id)?.deletion == nil)
        let grant = try fixture.grant(first)
        // A lost response is repeated with the same grant.
        let again = try await fixture.resolver(.ask)(token).answered
        #expect(try fixture.grant(again).id == grant.id)
        #expect(try await fixture.auditEvents().filter { $0 == "user.restored" }.count == 1)
        fixture.clock.advance(seconds: 1)
        #expect(try await fixture.resolver(.ask)(token) == .refused(.attestationRefused))
    }

    @Test func `a restore token cancels no later request, and opens nothing else`() async throws {
        let (user, _) = try await comeBack(.ask, after: 1)
        let token = try #require(try await restoreToken(attestation: "second"))
        _ = try await fixture.restoration(
            RestoreUserRequest(userID: user.id.text(prefix: UserFixture.prefix)), requestID: nil)
        #expect(try await fixture.resolver(.ask)(token) == .refused(.attestationRefused))
        fixture.clock.advance(seconds: 1)
        _ = try await fixture.deletion()(user, requestID: nil)
        #expect(try await fixture.resolver(.ask)(token) == .refused(.attestationRefused))
        #expect(try await fixture.store.user(user.id)?.deletion != nil)
        // A token that has served cancels no deletion that is requested afterwards.
        let second = try #require(try await restoreToken(attestation: "second"))
        _ = try await fixture.resolver(.ask)(second).answered
        _ = try await fixture.deletion()(user, requestID: nil)
        #expect(try await fixture.resolver(.ask)(second) == .refused(.attestationRefused))
        #expect(try await fixture.store.user(user.id)?.deletion != nil)
    }

    @Test func `parallel restores are one`() async throws {
        _ = try await comeBack(.ask, after: 1)
        let token = try #require(try await restoreToken(attestation: "second"))
        let resolver = try fixture.resolver(.ask)
        let grants = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { try await resolver(token).answered.grant } }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        let ids = try grants.map { try Grant.open($0, with: fixture.grantKeys, now: fixture.clock.seconds).id }
        #expect(Set(ids).count == 1)
        #expect(try await fixture.auditEvents().filter { $0 == "user.restored" }.count == 1)
    }

    @Test func `there is a token only where the policy asks, and while the deletion can be cancelled`() async throws {
        _ = try await comeBack(.ask, after: 1)
        for other in [DeletionPolicy.SignIn.restore, .newAccount] {
            #expect(try await restoreToken(other, attestation: "second") == nil)
        }
        #expect(try await restoreToken(attestation: "first") == nil)
        let token = try #require(try await restoreToken(attestation: "second"))
        for wrong in ["restore.", "restore.AAEC", String(token.dropLast(2)), "proof." + token.dropFirst(8)] {
            #expect(try await fixture.resolver(.ask)(wrong) == .refused(.attestationRefused))
        }
        fixture.clock.advance(seconds: 30 * 86_400)
        #expect(try await restoreToken(attestation: "late") == nil)
        #expect(try await fixture.resolver(.ask)(token) == .refused(.attestationRefused))
    }

    private init(fixture: UserFixture) { self.fixture = fixture }
}
