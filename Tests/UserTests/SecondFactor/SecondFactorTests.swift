import CryptoPrimitives
import InternalAPI
import Storage
import TestSupport
import Testing

@testable import UserCore

/// Turning a second factor on and off, on every engine.
@Suite(.timeLimit(.minutes(10))) struct SecondFactorTests {
    @Test(arguments: DatabaseKind.allCases)
    func `TOTP is on by its first code, once, with ten recovery codes`(_ engine: DatabaseKind) async throws {
        var fixture = try await SecondFactorFixture(engine)
        let user = try await fixture.base.storage.user()
        fixture.set(1_010, .sms)
        #expect(
            try await fixture.change.activate(.init(code: "000000"), fixture.caller(user)).answered.result == .notFound)
        let first = try #require(try await fixture.change.enrol(fixture.caller(user)).answered.enrolment)
        #expect(first.uri.hasPrefix("otpauth://totp/App:") && first.uri.contains(first.secret))
        #expect(
            try await fixture.change.activate(.init(code: "12345"), fixture.caller(user)).answered.result == .refused)
        let state = try await fixture.change.state(fixture.caller(user).user).answered
        #expect(!state.totp && state.recoveryCodesLeft == 0)
        let (totp, codes) = try await fixture.enrol(user)
        #expect(totp.text != first.secret && Set(codes).count == 10)
        let on = try await fixture.change.state(fixture.caller(user).user).answered
        #expect(on.totp && !on.required && on.recoveryCodesLeft == 10 && on.activeFrom == nil)
        #expect(try await fixture.change.enrol(fixture.caller(user)).answered.result == .exists)
        #expect(try await fixture.base.notices(to: user).count == 1)
        let stored = try await fixture.factor(user)
        #expect(stored.sealedSecret?.count ?? 0 > 20 && stored.sealedSecret != totp.secret)
        #expect(stored.codes.allSatisfy { $0.tag.count == 32 })
    }

    @Test(arguments: DatabaseKind.allCases)
    func `of twenty activations by one code at once, one shows recovery codes`(_ engine: DatabaseKind) async throws {
        var fixture = try await SecondFactorFixture(engine)
        let user = try await fixture.base.storage.user()
        fixture.set(1_010, .sms)
        let begun = fixture
        _ = try await begun.change.enrol(begun.caller(user)).answered
        let totp = try #require(begun.seal.totp(try await begun.factor(user), of: user.id))
        let request = SecondFactorChange(code: try begun.code(totp))
        let results = try await concurrently(20) { _ in
            try await begun.change.activate(request, begun.caller(user)).answered.result
        }
        #expect(results.count { $0 == .done } == 1 && results.count { $0 == .exists } == 19)
        #expect(try await begun.factor(user).codesLeft == 10)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `after a code alone, TOTP of an older account waits, and its removal needs nothing`(
        _ engine: DatabaseKind
    ) async throws {
        var fixture = try await SecondFactorFixture(engine)
        let user = try await fixture.base.storage.user()
        fixture.set(1_000 + 86_400, .sms)
        let codes = try await fixture.enrol(user).codes
        // Recovery codes wait with it.
        let facts = try await fixture.base.users.facts(
            UserQuestion(.account(user.id), askedAt: fixture.time, readsSecondFactor: true))
        let guess = SecondFactorGuess.recoveryCode(try #require(codes.first))
        #expect(guess.judge(user, facts, fixture.seal, RequestOrigin(), fixture.time).outcome == .wrong)
        #expect(guess.judge(user, facts, fixture.seal, RequestOrigin(), fixture.time + 86_400).outcome == .right)
        let state = try await fixture.change.state(fixture.caller(user).user).answered
        #expect(!state.totp && state.activeFrom == fixture.time + 86_400)
        fixture.base.tokenService.setSignedIn(at: 0)
        #expect(try await fixture.change.newRecoveryCodes(fixture.caller(user)).isRefused(.reauthenticationRequired))
        #expect(try await fixture.change.remove(fixture.caller(user)).answered.result == .done)
        #expect(try await fixture.change.state(fixture.caller(user).user).answered.activeFrom == nil)
        // A password that was set just now is no more than the code.
        let password = StoredPassword(hash: "$argon2id$", version: 1, changedAt: fixture.time)
        try await fixture.base.users.put([.setPassword(password, of: user.id)], now: fixture.time)
        for factors in [[.sms, .pwd], .fed, .restore] as [AuthenticationFactors] {
            fixture.set(fixture.time, factors)
            _ = try await fixture.enrol(user)
            #expect(try await fixture.change.state(fixture.caller(user).user).answered.activeFrom != nil)
            #expect(try await fixture.change.remove(fixture.caller(user)).answered.result == .done)
        }
        fixture.set(fixture.time + 86_401, [.sms, .pwd])
        _ = try await fixture.enrol(user)
        #expect(try await fixture.change.state(fixture.caller(user).user).answered.totp)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `recovery codes that a code alone got wait with TOTP, and replace no others`(
        _ engine: DatabaseKind
    ) async throws {
        var fixture = try await SecondFactorFixture(engine)
        let (user, other) = (
            try await fixture.base.storage.user(), try await fixture.base.storage.user("+15559990000")
        )
        fixture.set(1_000 + 86_400, .sms)
        let (_, codes) = try await fixture.enrol(user)
        #expect(try await fixture.check(codes[0], of: user) == .wrong)
        fixture.set(fixture.time + 86_400, .sms)
        #expect(try await fixture.check(codes[0], of: user) == .right)
        // Users with passkeys alone can have recovery codes too.
        let tag = [UInt8](repeating: 7, count: 32)
        try await fixture.base.users.put([.setRecoveryCodes([tag], of: other.id)], now: fixture.time)
        #expect(try await fixture.change.enrol(fixture.caller(other)).isRefused(.insufficientAuthentication))
        let waiting = SecondFactor(activatedAt: fixture.time + 100, isRequired: true)
        try await fixture.base.users.put([.setSecondFactor(waiting, of: other.id)], now: fixture.time)
        fixture.base.tokenService.setSignedIn(at: 0)
        #expect(try await fixture.change.remove(fixture.caller(other)).isRefused(.reauthenticationRequired))
        #expect(try await fixture.factor(other).codesLeft == 1)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a takeover leaves nothing that asks the next owner for a second factor`(_ engine: DatabaseKind) async throws {
        let fixture = try await SecondFactorFixture(engine)
        let user = try await fixture.base.storage.user()
        let tag = [UInt8](repeating: 7, count: 32)
        // This user had only passkeys.
        try await fixture.base.users.put(
            [.setSecondFactor(SecondFactor(isRequired: true), of: user.id), .setRecoveryCodes([tag], of: user.id)],
            now: 1_010)
        try await fixture.base.users.put([.endSecondFactor(of: user.id, since: 1_000)], now: 1_010)
        let kept = try await fixture.factor(user)
        #expect(kept.isRequired && kept.codesLeft == 1)
        try await fixture.base.users.put([.endSecondFactor(of: user.id, since: 0)], now: 1_010)
        #expect(try await fixture.factor(user) == SecondFactor())
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a change needs a recent proof and, once TOTP is on, two factors`(_ engine: DatabaseKind) async throws {
        var fixture = try await SecondFactorFixture(engine)
        let user = try await fixture.base.storage.user()
        fixture.set(1_010, .sms)
        fixture.base.tokenService.setSignedIn(at: 1_010 - 300)
        #expect(try await fixture.change.enrol(fixture.caller(user)).isRefused(.reauthenticationRequired))
        fixture.set(1_010, .sms)
        _ = try await fixture.enrol(user)
        for outcome in [
            try await fixture.change.remove(fixture.caller(user)),
            try await fixture.change.newRecoveryCodes(fixture.caller(user)),
            try await fixture.change.require(.init(required: true), fixture.caller(user)),
        ] { #expect(outcome.isRefused(.insufficientAuthentication)) }
        fixture.set(1_010)
        let codes = try await fixture.change.newRecoveryCodes(fixture.caller(user)).answered.recoveryCodes
        #expect(codes?.count == 10)
        #expect(fixture.base.tokenService.rights.last?.lowersFactors == true)
        #expect(try await fixture.change.remove(fixture.caller(user)).answered.result == .done)
        #expect(fixture.base.tokenService.rights.count == 2 && fixture.base.tokenService.revocations.isEmpty)
        #expect(try await fixture.base.user(user.id).version == user.version + 2)
        #expect(try await fixture.base.decisions(about: user).filter { $0 == .secondFactorLost }.count == 4)
        #expect(try await fixture.factor(user) == SecondFactor())
    }

    @Test(arguments: DatabaseKind.allCases)
    func `one that each sign-in asks for needs a factor and recovery codes, and ends other sessions`(
        _ engine: DatabaseKind
    ) async throws {
        var fixture = try await SecondFactorFixture(engine)
        let user = try await fixture.base.storage.user()
        fixture.set(1_010)
        #expect(try await fixture.require(user) == .notFound)
        _ = try await fixture.enrol(user)
        try await fixture.base.users.put([.setRecoveryCodes([], of: user.id)], now: 1_010)
        #expect(try await fixture.require(user) == .noRecoveryCodes)
        _ = try await fixture.change.newRecoveryCodes(fixture.caller(user))
        #expect(try await fixture.mfaToken() == nil)
        #expect(try await fixture.require(user) == .done)
        #expect(fixture.base.tokenService.revocations.map(\.sparedSession) == ["s-1"])
        #expect(try await fixture.mfaToken()?.factors == [.totp, .recovery])
        #expect(try await fixture.require(user, false) == .done)
        #expect(try await fixture.mfaToken() == nil)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `support's reset waits, ends by an objection, and else removes all and ends the sessions`(
        _ engine: DatabaseKind
    ) async throws {
        var fixture = try await SecondFactorFixture(engine)
        let user = try await fixture.base.storage.user()
        fixture.set(1_010)
        let request = ResetSecondFactorRequest(userID: user.id.text(prefix: UserFixture.prefix), cancels: false)
        #expect(try await fixture.resets(request, requestID: nil).isRefused(.notFound))
        _ = try await fixture.enrol(user)
        #expect(try await fixture.require(user) == .done)
        #expect(try await fixture.resets(request, requestID: nil) == .answer(Done()))
        #expect(try await fixture.base.object(to: .secondFactor, user) == Done())
        await fixture.base.job(at: .max).round()
        #expect(try await fixture.factor(user).isRequired)
        #expect(try await fixture.resets(request, requestID: nil) == .answer(Done()))
        let resetAt = try await fixture.change.state(fixture.caller(user).user).answered.resetAt
        #expect(resetAt == Int64(1_010 + 86_400))
        await fixture.base.job(at: 1_010 + 86_399).round()
        #expect(try await fixture.factor(user).isRequired)
        let before = try await fixture.base.user(user.id)
        await fixture.base.job(at: 1_010 + 86_400).round()
        #expect(try await fixture.factor(user) == SecondFactor())
        #expect(try await fixture.base.user(user.id).epoch == before.epoch + 1)
        #expect(try await fixture.base.records(.resetEnded).map(\.detail) == ["objection"])
    }

    @Test(arguments: DatabaseKind.allCases)
    func `an account with a second factor is not merged away, and a report removes what was added since`(
        _ engine: DatabaseKind
    ) async throws {
        var fixture = try await SecondFactorFixture(engine)
        let (user, other) = (
            try await fixture.base.storage.user(), try await fixture.base.storage.user("+15559990000")
        )
        fixture.set(1_010)
        _ = try await fixture.enrol(user)
        let facts = try await fixture.base.users.facts(
            [other, user].map { UserQuestion(.identities($0.id), askedAt: 1_010) })
        let offer = MergeOffer(
            other: user.id, epoch: user.epoch, identity: OwnIdentityFixture.number, verifiedAt: 1_010)
        #expect(!AccountMerge.permits(offer, facts[1], into: facts[0]))
        var without = facts[1]
        without.secondFactor = SecondFactor()
        #expect(AccountMerge.permits(offer, without, into: facts[0]))
        try await fixture.base.users.put([.endSecondFactor(of: user.id, since: 1_011)], now: 1_020)
        #expect(try await fixture.factor(user).isOn(at: 1_010))
        try await fixture.base.users.put([.endSecondFactor(of: user.id, since: 1_010)], now: 1_020)
        #expect(try await fixture.factor(user) == SecondFactor())
    }
}
