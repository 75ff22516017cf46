import InternalAPI
import Logging
import Storage
import TestSupport
import Testing

@testable import UserCore

/// Sign-ins with phone numbers whose users were away for months.
@Suite(.timeLimit(.minutes(10))) struct RecycledNumberTests {
    private static let number = OwnIdentityFixture.number
    private static let email = VerifiedIdentity.email("ann@example.com")
    /// Four months of 30 days after the last sign-in, and a second.
    private static let late: Int64 = 1_010 + 4 * 30 * 86_400 + 1

    private func signIn(
        _ fixture: OwnIdentityFixture, at now: Int64 = Self.late, newAccount: Bool = false, months: Int64? = 4
    ) async throws -> ResolveAttestation.Outcome {
        let attestation = try fixture.code(Self.number, at: now)
        return try await fixture.resolver(at: now, idleMonths: months)(
            ResolveRequest(attestation: attestation, name: nil, newAccount: newAccount), requestID: "r-1",
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private func methods(_ fixture: OwnIdentityFixture) async throws -> [String]? {
        let request = HeldSignInRequest(attestation: try fixture.code(Self.number, at: Self.late))
        return try await fixture.resolver(at: Self.late, idleMonths: 4).held(request).methods
    }

    @Test(arguments: DatabaseKind.allCases)
    func `the number alone signs in no more, however often it is tried`(_ engine: DatabaseKind) async throws {
        let fixture = try await OwnIdentityFixture(engine)
        let user = try await fixture.storage.user()
        #expect(try await fixture.add(Self.email, to: user).result == .done)
        let before = try await fixture.user(user.id)
        for _ in 0..<3 { #expect(try await signIn(fixture).isRefused(.secondIdentityRequired)) }
        #expect(try await methods(fixture) == ["email"])
        #expect(try await fixture.user(user.id) == before)
        // After a sign-in with the other identity the number is the user's again.
        _ = try await fixture.storage.signIn(Self.email, now: Self.late)
        #expect(try await signIn(fixture).answered.user.id == user.id.text(prefix: UserFixture.prefix))
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a new account gets the number, and the old one keeps its other identities`(
        _ engine: DatabaseKind
    ) async throws {
        let fixture = try await OwnIdentityFixture(engine)
        let user = try await fixture.storage.user()
        #expect(try await fixture.add(Self.email, to: user).result == .done)
        let before = try await fixture.user(user.id)
        let answer = try await signIn(fixture, newAccount: true).answered
        #expect(answer.isNewUser && answer.user.phoneNumber == Self.number.value)
        let after = try await fixture.user(user.id)
        #expect(after.phone == nil && after.email == Self.email.value && after.deletion == nil)
        #expect(after.version == before.version + 1 && after.epoch == before.epoch)
        #expect(try await fixture.holder(of: Self.email) == user.id)
        #expect(try await fixture.records(.identityMoved).map(\.subject) == [user.pseudonym])
        #expect(try await fixture.storage.outbox.pending(.mail, about: user.id, limit: 9).count == 1)
        // The number's new owner was there a moment ago.
        #expect(try await signIn(fixture).answered.user.id == answer.user.id)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `an account without another identity is scheduled for deletion, on request alone`(
        _ engine: DatabaseKind
    ) async throws {
        let fixture = try await OwnIdentityFixture(engine)
        let user = try await fixture.storage.user()
        #expect(try await signIn(fixture).isRefused(.secondIdentityRequired))
        #expect(try await methods(fixture) == [])
        #expect(try await fixture.user(user.id).deletion == nil)
        try await fixture.storage.raiseEpoch()
        let answer = try await signIn(fixture, newAccount: true).answered
        #expect(answer.isNewUser && answer.user.id != user.id.text(prefix: UserFixture.prefix))
        let after = try await fixture.user(user.id)
        #expect(after.deletion?.dueAt == Self.late + 30 * 86_400 && after.epoch == user.epoch + 1)
        #expect(fixture.tokenService.revocations.map(\.reason) == [.deleted])
        let text = try #require(UserID(text: answer.user.id, prefix: UserFixture.prefix))
        // A new user begins with the storage's epoch, as any other.
        #expect(try await fixture.user(text).epoch == max(1, fixture.storage.user("+15550000001").epoch))
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a user who was there signs in`(_ engine: DatabaseKind) async throws {
        let fixture = try await OwnIdentityFixture(engine)
        let user = try await fixture.storage.user("+15551234567", now: 1_010)
        #expect(try await signIn(fixture, months: nil).answered.isNewUser == false)
        #expect(fixture.tokenService.newestUseQueries == 0)
        // That sign-in was a moment ago, so token-service is not asked.
        #expect(try await signIn(fixture, newAccount: true).answered.isNewUser == false)
        #expect(fixture.tokenService.newestUseQueries == 0)
        let later = Self.late + 5 * 30 * 86_400
        fixture.tokenService.setNewestUse(later - 60)
        #expect(try await signIn(fixture, at: later, newAccount: true).answered.isNewUser == false)
        #expect(fixture.tokenService.newestUseQueries == 1)
        #expect(try await fixture.holder(of: Self.number) == user.id)
    }

    @Test func `without token-service nothing is decided`() async throws {
        let fixture = try await OwnIdentityFixture(.sqlite)
        let user = try await fixture.storage.user()
        fixture.tokenService.setAway(true)
        for newAccount in [false, true] {
            await #expect(throws: ServiceUnavailable.self) { try await signIn(fixture, newAccount: newAccount) }
        }
        #expect(try await fixture.user(user.id) == user)
    }
}
