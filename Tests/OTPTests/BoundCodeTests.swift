import Delivery
import InternalAPI
import Policies
import TestSupport
import Testing

@testable import OTPCore

/// Codes that a signed-in user requests are good for that user and that purpose alone.
@Suite(.timeLimit(.minutes(5))) struct BoundCodeTests {
    private static let policies =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        .joined(separator: "/") + "/deploy/policies"
    private static let bound = Purpose.allCases.filter(\.isBound)

    private func code(
        _ purpose: Purpose, _ userID: String?, _ fixture: CodeFixture, signedInAs phone: String? = nil
    ) async throws -> String {
        let request = OTPRequest(
            phone: CodeFixture.phone, region: nil, purpose: purpose, userID: userID, address: "198.51.100.7",
            signedInPhone: phone, callID: CodeFixture.newCall())
        let answer = try await fixture.phones.codes(of: nil).request(request)
        guard answer.result == .sent else { throw CodeFixture.Unexpected(answer: answer) }
        return try #require(fixture.sender.messages.last?.content.code)
    }

    private func verify(
        _ code: String, _ purpose: Purpose, _ userID: String?, _ fixture: CodeFixture
    ) async throws -> OTPVerifyAnswer {
        try await fixture.phones.codes(of: nil).verify(
            OTPVerify(
                phone: CodeFixture.phone, region: nil, code: code, purpose: purpose, userID: userID,
                address: "198.51.100.7", callID: CodeFixture.newCall()))
    }

    /// The purposes of codes, and the users that they are bound to.
    private static let uses: [(Purpose, String?)] =
        [(.signIn, nil), (.deletion, nil)] + bound.flatMap { [($0, "usr_a"), ($0, "usr_b")] }

    @Test(arguments: uses.indices)
    func `a code serves its own purpose and user, and no other`(index: Int) async throws {
        let (purpose, userID) = Self.uses[index]
        let many = [RateLimit(max: 100, windowSeconds: 3_600)]
        var policy = OTPPolicy()
        (policy.attemptsPerRecipient, policy.sendsPerRecipient, policy.lockouts) = (many, many, [])
        try await withFixture(policy) { fixture async throws in
            // Each of the others has a code of its own, so that a wrong one is compared.
            for (other, user) in Self.uses.dropFirst(index + 1) + Self.uses.prefix(index) {
                _ = try await code(other, user, fixture)
            }
            let code = try await code(purpose, userID, fixture)
            for (position, (other, user)) in Self.uses.enumerated() where position != index {
                #expect(try await verify(code, other, user, fixture).result == .wrongCode, "\(other) \(user ?? "")")
            }
            #expect(try await verify(code, purpose, "usr_c", fixture, orThrows: !purpose.isBound) == .unknown)
            let answer = try await verify(code, purpose, userID, fixture)
            #expect(answer.result == .approved)
            let attestation = try fixture.attestation(answer)
            #expect(attestation.purpose == purpose && attestation.userID == userID)
        }
    }

    /// - Parameter orThrows: whether the call is refused as invalid, which counts as unknown.
    private func verify(
        _ code: String, _ purpose: Purpose, _ userID: String?, _ fixture: CodeFixture, orThrows: Bool
    ) async throws -> OTPVerifyResult {
        guard orThrows else { return try await verify(code, purpose, userID, fixture).result }
        await #expect(throws: InvalidInput.self) { try await verify(code, purpose, userID, fixture) }
        return .unknown
    }

    @Test func `a user is stated exactly where the purpose is bound to one`() async throws {
        try await withFixture { fixture async throws in
            for (purpose, userID) in [
                (Purpose.signIn, "usr_a"), (.identity, nil), (.reauthentication, nil), (.identity, ""),
                (.identity, String(repeating: "u", count: 129)),
            ] {
                await #expect(throws: InvalidInput.self) { try await code(purpose, userID, fixture) }
                await #expect(throws: InvalidInput.self) { try await verify("123456", purpose, userID, fixture) }
            }
            #expect(fixture.sender.messages.isEmpty)
        }
    }

    @Test func `such a code counts in the limits and lockouts of its number`() async throws {
        var policy = OTPPolicy()
        policy.sendsPerRecipient = [RateLimit(max: 2, windowSeconds: 3_600)]
        policy.lockouts = [Lockout(failures: 3, withinSeconds: 600, lockSeconds: 600)]
        try await withFixture(policy) { fixture async throws in
            let code = try await code(.identity, "usr_a", fixture)
            for number in 0..<3 {
                let wrong = CodeFixture.wrong(code, number)
                #expect(try await verify(wrong, .identity, "usr_a", fixture).result == .wrongCode)
            }
            #expect(try await verify(code, .identity, "usr_a", fixture).result == .tooManyAttempts)
            #expect(try await fixture.verify("123456").result == .tooManyAttempts)
            fixture.clock.advance(601)
            _ = try await self.code(.reauthentication, "usr_b", fixture)
            #expect(try await fixture.request().result == .rateLimited)
        }
    }

    /// Three wrong codes lock for ten minutes.
    private static var strict: OTPPolicy {
        var policy = OTPPolicy()
        policy.lockouts = [Lockout(failures: 3, withinSeconds: 600, lockSeconds: 600)]
        policy.sendsPerRecipient = [RateLimit(max: 9, windowSeconds: 3_600)]
        return policy
    }

    private func lock(_ purpose: Purpose, _ userID: String, _ fixture: CodeFixture) async throws -> String {
        let code = try await code(purpose, userID, fixture)
        for number in 0..<3 {
            #expect(try await verify(CodeFixture.wrong(code, number), purpose, userID, fixture).result == .wrongCode)
        }
        return code
    }

    @Test(arguments: [Purpose.reauthentication, .merge])
    func `wrong codes to an account's own number lock this purpose, and no sign-in`(purpose: Purpose) async throws {
        try await withFixture(Self.strict) { fixture async throws in
            let locked = try await lock(purpose, "usr_a", fixture)
            let refused = try await verify(locked, purpose, "usr_a", fixture)
            #expect(refused.result == .tooManyAttempts && refused.retryAfterSeconds == 600)
            // Another user gets no more guesses, nor another code.
            #expect(try await verify(locked, purpose, "usr_b", fixture).result == .tooManyAttempts)
            await #expect(throws: CodeFixture.Unexpected.self) { try await code(purpose, "usr_b", fixture) }
            for other in [Purpose.reauthentication, .merge, .identity] where other != purpose {
                let free = try await code(other, "usr_a", fixture)
                #expect(try await verify(free, other, "usr_a", fixture).result == .approved)
            }
            #expect(try await fixture.verify(try await fixture.sentCode()).result == .approved)
            fixture.clock.advance(600)
            let next = try await code(purpose, "usr_a", fixture)
            #expect(try await verify(next, purpose, "usr_a", fixture).result == .approved)
        }
    }

    @Test func `such a lockout lasts as long as the sign-in's, although its first failures are old`() async throws {
        var policy = Self.strict
        policy.lockouts = [Lockout(failures: 3, withinSeconds: 600, lockSeconds: 900)]
        policy.attemptsPerRecipient = [RateLimit(max: 9, windowSeconds: 600)]
        try await withFixture(policy) { fixture async throws in
            for wait in [0, 590, 9] as [Int64] {
                fixture.clock.advance(wait)
                let code = try await code(.reauthentication, "usr_a", fixture)
                let wrong = CodeFixture.wrong(code, 0)
                #expect(try await verify(wrong, .reauthentication, "usr_a", fixture).result == .wrongCode)
            }
            // The first failure is 900 seconds ago.
            fixture.clock.advance(301)
            for (wait, isLocked) in [(0, true), (598, true), (1, false)] as [(Int64, Bool)] {
                fixture.clock.advance(wait)
                let answer = try await verify("000000", .reauthentication, "usr_a", fixture)
                #expect((answer.result == .tooManyAttempts) == isLocked)
            }
        }
    }

    @Test func `a lockout of the sign-in leaves such codes alone, and an unlock lifts both`() async throws {
        try await withFixture(Self.strict) { fixture async throws in
            let code = try await code(.reauthentication, "usr_a", fixture)
            let signIn = try await fixture.sentCode()
            for number in 0..<3 { _ = try await fixture.verify(CodeFixture.wrong(signIn, number)) }
            #expect(try await fixture.verify(signIn).result == .tooManyAttempts)
            #expect(try await verify(code, .reauthentication, "usr_a", fixture).result == .approved)
            let merge = try await lock(.merge, "usr_a", fixture)
            #expect(try await verify(merge, .merge, "usr_a", fixture).result == .tooManyAttempts)
            #expect(try await fixture.phones.unlockNumber(NumberRequest(phone: CodeFixture.phone)).wasLocked)
            let free = try await self.code(.merge, "usr_a", fixture)
            #expect(try await verify(free, .merge, "usr_a", fixture).result == .approved)
        }
    }

    @Test func `a right code is right again for a minute, and counts as no guess`() async throws {
        try await withFixture(Self.strict) { fixture async throws in
            let code = try await code(.reauthentication, "usr_a", fixture)
            for _ in 0..<8 {
                #expect(try await verify(code, .reauthentication, "usr_a", fixture).result == .approved)
            }
            fixture.clock.advance(60)
            #expect(try await verify(code, .reauthentication, "usr_a", fixture).result == .used)
        }
    }

    @Test func `the messages say what the code is for`() async throws {
        let policy = try Policy.load(named: "starter", directory: Self.policies)
        let native = try #require(policy.dialects.first { $0.name == Dialect.native })
        let rules = CodeRules(
            of: native, in: policy, catalog: .english, environment: .uat, localExemption: .none)
        #expect(
            rules.ownTexts[.identity]?.plainMessage(code: "123456", wanted: nil).contains("adds this number") == true)
        #expect(rules.ownTexts[.reauthentication]?.plainMessage(code: "1", wanted: nil).contains("it is you") == true)
        #expect(rules.ownTexts[.deletion] == nil)
        try await withFixture { fixture async throws in
            let request = MailRequest(
                email: "ann@example.com", challenge: nil, purpose: .identity, userID: "usr_a", locales: [],
                address: "198.51.100.7", callID: CodeFixture.newCall())
            #expect(try await fixture.wiring.mailCodes?.codes(of: nil).request(request).result == .sent)
            let mail = try #require(fixture.mailSender.messages.last?.content)
            #expect(mail.subject?.contains("adds this address to an account at Test") == true)
            let verify = MailVerify(
                email: "ann@example.com", code: mail.code, purpose: .identity, userID: "usr_b",
                address: "198.51.100.7", callID: CodeFixture.newCall())
            #expect(try await fixture.wiring.mailCodes?.codes(of: nil).verify(verify).result == .unknown)
        }
    }
}
