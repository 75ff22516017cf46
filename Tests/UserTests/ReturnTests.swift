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

    private init(fixture: UserFixture) { self.fixture = fixture }
}
