import CryptoPrimitives
import InternalAPI
import Storage
import TestSupport
import Testing

@testable import UserCore

/// Sign-ins that need a second factor, on every engine (rows 39 and 40 of the guide's hostile inputs).
@Suite(.timeLimit(.minutes(10))) struct SecondFactorSignInTests {
    /// A user whose sign-ins ask for a second factor, an hour later.
    private func required(
        _ engine: DatabaseKind
    ) async throws -> (fixture: SecondFactorFixture, user: User, totp: TOTP, codes: [String]) {
        var fixture = try await SecondFactorFixture(engine)
        let user = try await fixture.base.storage.user()
        fixture.set(1_010)
        let (totp, codes) = try await fixture.enrol(user)
        #expect(try await fixture.require(user) == .done)
        fixture.set(4_610)
        return (fixture, user, totp, codes)
    }

    private func token(_ fixture: SecondFactorFixture) async throws -> String {
        try #require(try await fixture.mfaToken()?.mfaToken)
    }

    private func resolve(
        _ answer: ProveSecondFactorAnswer, _ fixture: SecondFactorFixture
    ) async throws -> ResolveAttestation.Outcome {
        #expect(answer.result == .proved)
        return try await fixture.base.resolver(at: fixture.time)(try #require(answer.attestation))
    }

    @Test(arguments: DatabaseKind.allCases)
    func `both factors open one session, of the second level`(_ engine: DatabaseKind) async throws {
        let (fixture, user, totp, codes) = try await required(engine)
        let token = try await token(fixture)
        #expect(!token.contains("1555") && token.utf8.count < 1_000)
        let (code, call) = (try fixture.code(totp), UUIDText.random())
        let proved = try await fixture.prove(token, code: code, call: call)
        let grant = try Grant.open(
            try await resolve(proved, fixture).answered.grant, with: fixture.base.keys.grants, now: fixture.time)
        #expect(grant.userID == user.id.text(prefix: UserFixture.prefix) && grant.factors == [.sms, .otp])
        // The client repeats the call, because its response was lost.
        let repeated = try await fixture.prove(token, code: code, call: call)
        let again = try Grant.open(
            try await resolve(repeated, fixture).answered.grant, with: fixture.base.keys.grants, now: fixture.time)
        #expect(again.id == grant.id)
        // The token was used, also with another good code.
        let other = try await fixture.prove(token, recoveryCode: codes[0])
        #expect(try await resolve(other, fixture).isRefused(.attestationRefused))
    }

    @Test(arguments: DatabaseKind.allCases)
    func `of a hundred uses of one code at once, one is accepted`(_ engine: DatabaseKind) async throws {
        let (fixture, user, totp, codes) = try await required(engine)
        let (token, code) = (try await token(fixture), try fixture.code(totp))
        func accepted(_ code: String?, _ recoveryCode: String?) async throws -> Int {
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        try await fixture.prove(token, code: code, recoveryCode: recoveryCode).result == .proved
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
        }
        #expect(try await accepted(code, nil) == 1)
        var later = fixture
        later.set(fixture.time + 4_000)
        let fresh = try await self.token(later)
        let uses = try await withThrowingTaskGroup(of: Bool.self) { [later] group in
            for _ in 0..<20 {
                group.addTask { try await later.prove(fresh, recoveryCode: codes[3]).result == .proved }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(uses == 1)
        #expect(try await later.factor(user).codesLeft == 9)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `codes of step -2, codes used before and codes of others are wrong`(_ engine: DatabaseKind) async throws {
        let (fixture, _, totp, _) = try await required(engine)
        let token = try await token(fixture)
        #expect(try await fixture.prove(token, code: try fixture.code(totp, step: -2)).result == .refused)
        #expect(try await fixture.prove(token, code: try fixture.code(TOTP.random())).result == .refused)
        #expect(try await fixture.prove(token, code: try fixture.code(totp)).result == .proved)
        for step: Int64 in [0, -1] {
            #expect(try await fixture.prove(token, code: try fixture.code(totp, step: step)).result == .refused)
        }
        #expect(try await fixture.prove(token, code: try fixture.code(totp, step: 1)).result == .proved)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `wrong guesses wait, and after a hundred only a recovery code is accepted`(
        _ engine: DatabaseKind
    ) async throws {
        let (begun, user, totp, codes) = try await required(engine)
        var fixture = begun
        let token = try await token(fixture)
        for _ in 0..<5 { #expect(try await fixture.prove(token, code: "000").result == .refused) }
        let waiting = try await fixture.prove(token, code: try fixture.code(totp))
        #expect(waiting.result == .rateLimited && waiting.retryAfterSeconds == 30)
        #expect(try await fixture.prove(token, recoveryCode: codes[0]).result == .rateLimited)
        #expect(try await fixture.base.records(.secondFactorLocked).count == 1)
        var factor = try await fixture.factor(user)
        #expect(factor.wrongCount == 5)
        fixture.set(fixture.time + 30)
        #expect(try await fixture.prove(token, code: try fixture.code(totp)).result == .proved)
        #expect(try await fixture.factor(user).wrongCount == 0)
        factor.wrongCount = 100
        try await fixture.base.users.put([.setSecondFactor(factor, of: user.id)], now: fixture.time)
        fixture.set(fixture.time + 3_600)
        let held = try #require(try await fixture.mfaToken())
        #expect(held.factors == [.recovery])
        let last = try #require(held.mfaToken)
        #expect(try await fixture.prove(last, code: try fixture.code(totp)).result == .refused)
        fixture.set(fixture.time + 3_600)
        let next = try await self.token(fixture)
        #expect(try await fixture.prove(next, recoveryCode: codes[1].lowercased()).result == .proved)
        #expect(try await fixture.factor(user).codesLeft == 9)
        #expect(try await fixture.base.records(.recoveryCodeUsed).count == 1)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a token is void after five minutes, a revocation of all sessions or a deactivation`(
        _ engine: DatabaseKind
    ) async throws {
        let (begun, user, totp, _) = try await required(engine)
        var fixture = begun
        let (old, attestation) = (
            try await token(fixture), try fixture.base.code(OwnIdentityFixture.number, at: fixture.time)
        )
        fixture.set(fixture.time + 300)
        #expect(try await fixture.prove(old, code: try fixture.code(totp)).result == .refused)
        let token = try await token(fixture)
        let code = try fixture.code(totp)
        let before = try await fixture.base.user(user.id)
        var after = before
        after.isActive = false
        _ = try await fixture.base.users.change(before, to: after)
        #expect(try await fixture.prove(token, code: code).result == .refused)
        _ = try await fixture.base.users.change(after, to: before)
        // A change of the password also raises the epoch.
        let proved = try await fixture.prove(token, code: code)
        _ = try await fixture.base.users.change(before, to: before.endingSessions(at: fixture.time))
        #expect(try await resolve(proved, fixture).isRefused(.attestationRefused))
        #expect(try await fixture.prove(token, code: try fixture.code(totp, step: 1)).result == .refused)
        #expect(try await fixture.prove(attestation, code: code).result == .refused)
        #expect(try await fixture.prove("", code: code).result == .refused)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a role asks those who have a factor, and others sign in with one`(_ engine: DatabaseKind) async throws {
        var fixture = try await SecondFactorFixture(engine, roles: "[admin]")
        let user = try await fixture.base.storage.user()
        fixture.set(1_010)
        var admin = user
        admin.role = "admin"
        _ = try await fixture.base.users.change(user, to: admin)
        #expect(try await fixture.mfaToken() == nil)
        _ = try await fixture.enrol(admin)
        #expect(try await fixture.mfaToken()?.factors == [.totp, .recovery])
    }
}
