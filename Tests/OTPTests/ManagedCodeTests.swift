import Delivery
import InternalAPI
import OutgoingConnections
import Policies
import Synchronization
import TestSupport
import Testing

@testable import OTPCore

/// Codes that a provider makes and checks: our limits, attempts and lockouts come first, and hold whatever it says.
@Suite(.timeLimit(.minutes(5))) struct ManagedCodeTests {
    private static let phone = CodeFixture.phone

    @Test func `a right code proves the number, once, and again for as long as ours would`() async throws {
        try await withManaged { fixture, provider async throws in
            #expect(try await fixture.request().result == .sent)
            let code = provider.code(of: Self.phone)
            let answer = try await fixture.verify(code, call: "c-1")
            #expect(answer.result == .approved)
            let proof = try fixture.attestation(answer)
            // Its repeat, and another call with the same code.
            #expect(try fixture.attestation(try await fixture.verify(code, call: "c-1")).proofID == proof.proofID)
            #expect(try fixture.attestation(try await fixture.verify(code)).proofID == proof.proofID)
            #expect(provider.asked == [code])
            #expect(try await fixture.verify(CodeFixture.wrong(code)).result == .wrongCode)
            #expect(provider.asked.count == 1)
            fixture.clock.advance(61)
            #expect(try await fixture.verify(code).result == .used)
        }
    }

    @Test func `wrong guesses are as few as the policy says, and the provider is asked no more often`() async throws {
        try await withManaged { fixture, provider async throws in
            try await fixture.request()
            let code = provider.code(of: Self.phone)
            for number in 0..<5 {
                #expect(try await fixture.verify(CodeFixture.wrong(code, number)).result == .wrongCode)
            }
            for _ in 0..<5 { #expect(try await fixture.verify(code).result == .tooManyAttempts) }
            #expect(provider.asked.count == 5)
        }
    }

    @Test func `of a hundred guesses at once five reach the provider`() async throws {
        let gate = ManagedProvider(whileAsked: {
            do { try await Task.sleep(for: .milliseconds(50)) } catch {}
        })
        try await withManaged(provider: gate) { fixture, provider async throws in
            try await fixture.request()
            let results = try await withThrowingTaskGroup(of: OTPVerifyResult.self) { group in
                for number in 0..<100 {
                    group.addTask { try await fixture.verify(CodeFixture.wrong("", number)).result }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(results.count { $0 == .wrongCode } == 5 && results.count { $0 == .tooManyAttempts } == 95)
            #expect(provider.asked.count == 5)
        }
    }

    @Test func `what the provider does not decide stays wrong, for its repeat too`() async throws {
        try await withManaged { fixture, provider async throws in
            try await fixture.request()
            let code = provider.code(of: Self.phone)
            provider.loseAnswers(true)
            await #expect(throws: ProviderUndecided.self) { try await fixture.verify(code, call: "c-1") }
            provider.loseAnswers(false)
            await #expect(throws: ProviderUndecided.self) { try await fixture.verify(code, call: "c-1") }
            #expect(provider.asked == [code])
            // The provider has closed its verification, so that only a new code opens anything.
            #expect(try await fixture.verify(code).result == .expired)
            #expect(try await fixture.request().result == .sent)
            let next = provider.code(of: Self.phone)
            #expect(next != code && provider.messages.last?.replacesEarlier == true)
            #expect(try await fixture.verify(next).result == .approved)
        }
    }

    @Test func `a process that ends between the two steps leaves the guess counted, and nobody signed in`() async throws
    {
        try await withManaged { fixture, provider async throws in
            try await fixture.request()
            let code = provider.code(of: Self.phone)
            for number in 0..<5 {
                // Killed before the provider was asked, and after.
                let verdict = try await fixture.store.judge(try Self.guess(code, fixture, call: "k-\(number)"))
                guard case .ask = verdict else {
                    Issue.record("\(number): \(verdict)")
                    return
                }
                if number > 2 { _ = await provider.check("000000", of: Self.phone, within: .seconds(1)) }
                let repeated = try await fixture.store.judge(try Self.guess(code, fixture, call: "k-\(number)"))
                #expect(repeated == .undecided)
            }
            #expect(try await fixture.verify(code).result == .tooManyAttempts)
            #expect(provider.asked == ["000000", "000000"])
        }
    }

    @Test func `a lock that the right guess alone would have set is lifted, and no other`() async throws {
        let locked = Mutex<OTPVerifyResult?>(nil)
        let fixtureBox = Mutex<CodeFixture?>(nil)
        let provider = ManagedProvider(whileAsked: {
            guard let fixture = fixtureBox.withLock({ $0 }) else { return }
            do {
                let result = try await fixture.verify("111111").result
                locked.withLock { $0 = result }
            } catch {}
        })
        var policy = OTPPolicy.generous
        policy.attemptsPerChallenge = 50
        policy.lockouts = [.init(failures: 5, withinSeconds: 3_600, lockSeconds: 3_600)]
        try await withManaged(policy, provider: provider) { fixture, provider async throws in
            try await fixture.request()
            let code = provider.code(of: Self.phone)
            for number in 0..<4 {
                #expect(try await fixture.verify(CodeFixture.wrong(code, number)).result == .wrongCode)
            }
            // While the fifth is undecided it counts as wrong.
            fixtureBox.withLock { $0 = fixture }
            #expect(try await fixture.verify(code).result == .approved)
            fixtureBox.withLock { $0 = nil }
            #expect(locked.withLock { $0 } == .tooManyAttempts)
            #expect(try await fixture.request().result == .sent)
            // Four failures stand: the next is the fifth, and locks.
            let next = provider.code(of: Self.phone)
            #expect(try await fixture.verify(CodeFixture.wrong(next), from: "203.0.113.9").result == .wrongCode)
            #expect(try await fixture.verify(next, from: "203.0.113.9").result == .tooManyAttempts)
        }
    }

    /// Five wrong codes lock the number for a day.
    private static var dayLockout: OTPPolicy {
        var policy = OTPPolicy.generous
        policy.attemptsPerChallenge = 50
        policy.lockouts = [.init(failures: 5, withinSeconds: 3_600, lockSeconds: 86_400)]
        return policy
    }

    @Test func `a day's lockout has the number in its record once the guess is known to be wrong`() async throws {
        try await withManaged(Self.dayLockout) { fixture, provider async throws in
            try await fixture.request()
            let code = provider.code(of: Self.phone)
            for number in 0..<4 { _ = try await fixture.verify(CodeFixture.wrong(code, number)) }
            // Until the provider has replied, the fifth locks the number too.
            #expect(try await fixture.verify(code).result == .approved)
            #expect(try await fixture.lockedIdentities == [nil])
            try await fixture.request()
            let next = provider.code(of: Self.phone)
            #expect(try await fixture.verify(CodeFixture.wrong(next), from: "203.0.113.9").result == .wrongCode)
            #expect(try await fixture.lockedIdentities == [nil, nil, .phone(Self.phone)])
        }
    }

    @Test func `a day's lockout has no number in its record while a guess that caused it may be right`() async throws {
        for isRight in [false, true] {
            try await withManaged(Self.dayLockout) { fixture, provider async throws in
                try await fixture.request()
                let code = provider.code(of: Self.phone)
                for number in 0..<3 { _ = try await fixture.verify(CodeFixture.wrong(code, number)) }
                let fourth = try Self.guess(CodeFixture.wrong(code), fixture, call: "k-4")
                let fifth = try Self.guess(code, fixture, call: "k-5")
                guard case .ask(let challenge, _) = try await fixture.store.judge(fourth),
                    case .ask = try await fixture.store.judge(fifth)
                else {
                    Issue.record("not asked")
                    return
                }
                _ = try await fixture.store.settle(fourth, of: challenge, as: .wrong)
                #expect(try await fixture.lockedIdentities == [nil])
                _ = try await fixture.store.settle(fifth, of: challenge, as: isRight ? .right : .wrong)
                #expect(try await fixture.lockedIdentities == (isRight ? [nil] : [nil, .phone(Self.phone)]))
            }
        }
    }

    @Test func `a stranger who uses up the provider's checks costs the owner a message, not the sign-in`() async throws
    {
        try await withManaged { fixture, provider async throws in
            // The owner is recognised in the home network.
            try await fixture.request()
            #expect(try await fixture.verify(provider.code(of: Self.phone)).result == .approved)
            fixture.clock.advance(3_600)
            try await fixture.request()
            let code = provider.code(of: Self.phone)
            for number in 0..<7 {
                _ = try await fixture.verify(CodeFixture.wrong(code, number), from: "203.0.113.9")
            }
            let answer = try await fixture.verify(code)
            #expect(answer.result == .tooManyAttempts && answer.retryAfterSeconds == 1)
            #expect(try await fixture.request().result == .sent)
            #expect(provider.messages.last?.replacesEarlier == true)
            let next = provider.code(of: Self.phone)
            #expect(next != code)
            #expect(try await fixture.verify(next).result == .approved)
        }
    }

    @Test func `a verification that is gone is an expired code, and the next request begins anew`() async throws {
        try await withManaged { fixture, provider async throws in
            try await fixture.request()
            provider.useUp(Self.phone)
            #expect(try await fixture.verify("123456").result == .tooManyAttempts)
            #expect(try await fixture.verify("123456").result == .tooManyAttempts)
            #expect(provider.asked.count == 1)
            try await fixture.request()
            #expect(try await fixture.verify(provider.code(of: Self.phone)).result == .approved)
        }
    }

    @Test func `a code for one dialect does not hold in another, whose request takes its place`() async throws {
        try await withManaged(aarokya: .generous) { fixture, provider async throws in
            try await fixture.request()
            try await fixture.request(in: Dialect.aarokya)
            #expect(provider.messages.last?.replacesEarlier == true)
            let code = provider.code(of: Self.phone)
            #expect(try await fixture.verify(code).result == .unknown)
            #expect(try await fixture.verify(code, in: Dialect.aarokya).result == .approved)
        }
    }

    @Test func `a stranger does not replace the owner's code by asking in another dialect`() async throws {
        try await withManaged(aarokya: .generous) { fixture, provider async throws in
            try await fixture.request(signedInAs: Self.phone)
            let code = provider.code(of: Self.phone)
            let answer = try await fixture.request(from: "203.0.113.9", in: Dialect.aarokya)
            #expect(answer.result == .rateLimited && provider.messages.count == 1)
            #expect(try await fixture.verify(code, signedInAs: Self.phone).result == .approved)
        }
    }

    @Test func `where the earlier code could not be closed it does not pass for the next one's`() async throws {
        try await withManaged { fixture, provider async throws in
            try await fixture.request()
            let code = provider.code(of: Self.phone)
            fixture.clock.advance(OTPPolicy.generous.lifetimeSeconds)
            var failure = DeliveryFailure.timedOut
            failure.leavesEarlierCode = true
            provider.refuseSends(with: failure)
            #expect(try await fixture.request().result == .providerError)
            provider.refuseSends(with: nil)
            #expect(try await fixture.verify(code).result == .tooManyAttempts && provider.asked.isEmpty)
            #expect(try await fixture.request().result == .sent)
            #expect(provider.messages.last?.replacesEarlier == true && provider.code(of: Self.phone) != code)
            #expect(try await fixture.verify(provider.code(of: Self.phone)).result == .approved)
        }
    }

    @Test func `a message whose answer alone was lost leaves its code, a first one and a resend`() async throws {
        try await withManaged { fixture, provider async throws in
            provider.refuseSends(with: .timedOut, afterAll: true)
            for _ in 0..<2 { #expect(try await fixture.request().result == .providerError) }
            #expect(provider.messages.map(\.replacesEarlier) == [true, false])
            #expect(try await fixture.verify(provider.code(of: Self.phone)).result == .approved)
        }
    }

    @Test func `a resend and another channel bring the same code`() async throws {
        try await withManaged { fixture, provider async throws in
            try await fixture.request()
            let code = provider.code(of: Self.phone)
            let answer = try await fixture.phones.codes(of: nil).request(
                OTPRequest(
                    phone: Self.phone, region: nil, purpose: .signIn, channel: "call", address: "198.51.100.7",
                    callID: CodeFixture.newCall()))
            #expect(answer.result == .sent && provider.code(of: Self.phone) == code)
            #expect(provider.messages.map(\.channel) == ["sms", "call"])
            #expect(!provider.messages[1].replacesEarlier)
            #expect(try await fixture.verify(code).result == .approved)
        }
    }

    @Test func `while the provider is away nothing is counted`() async throws {
        try await withManaged { fixture, provider async throws in
            try await fixture.request()
            let code = provider.code(of: Self.phone)
            provider.fail(with: DeliveryFailure(connection: .connectTimedOut))
            var other = 0
            // Other people's guesses open the circuit.
            while provider.asked.count < Circuit.failuresMax, other < 10 {
                other += 1
                let phone = "+1555123400\(other)"
                try await fixture.request(phone)
                await #expect(throws: ProviderUndecided.self) { try await fixture.verify("123456", phone: phone) }
            }
            provider.fail(with: nil)
            for _ in 0..<20 {
                await #expect(throws: ProviderUndecided.self) { try await fixture.verify(code) }
            }
            #expect(provider.asked.count == Circuit.failuresMax)
            // Asked again once it may be: all five attempts are there.
            for number in 0..<5 {
                let verdict = try await fixture.store.judge(try Self.guess(code, fixture, call: "k-\(number)"))
                guard case .ask = verdict else {
                    Issue.record("\(number): \(verdict)")
                    return
                }
            }
        }
    }

    @Test func `a code of ours does not survive a change to the provider's, nor the reverse`() async throws {
        try await withManaged { fixture, provider async throws in
            try await fixture.request()
            let managed = provider.code(of: Self.phone)
            // As a process whose sender makes no codes would do it.
            let send = try fixture.phones.codes(of: nil).request.send
            let ours = RecordingSender()
            let own = RequestCode(
                send: SendCode(
                    subjects: send.subjects, store: send.store, hasRoom: { true }, line: SenderLine([ours]),
                    logger: send.logger, now: send.now, random: send.random))
            let wish = OTPRequest(
                phone: Self.phone, region: nil, purpose: .signIn, address: "198.51.100.7", callID: CodeFixture.newCall()
            )
            #expect(try await own(wish).result == .sent)
            let code = try #require(ours.messages.last?.content.code)
            #expect(try await fixture.verify(managed).result == .wrongCode)
            #expect(try await fixture.verify(code).result == .approved)
            #expect(provider.asked.isEmpty)
        }
    }

    @Test func `a guess about a challenge that was replaced meanwhile opens nothing`() async throws {
        try await withManaged(aarokya: .generous) { fixture, provider async throws in
            try await fixture.request()
            let guess = try Self.guess("123456", fixture, call: "k-1")
            guard case .ask(let challenge, _) = try await fixture.store.judge(guess) else {
                Issue.record("not asked")
                return
            }
            try await fixture.request(in: Dialect.aarokya)
            #expect(try await fixture.store.settle(guess, of: challenge, as: .right) == .expired)
            #expect(try await fixture.store.settle(guess, of: challenge, as: .right) == .undecided)
        }
    }

    @Test func `a number that nobody invited is judged here, as if the provider had been asked`() async throws {
        try await withManaged { fixture, provider async throws in
            let answer = try await fixture.phones.codes(of: nil).request(
                OTPRequest(
                    phone: Self.phone, region: nil, purpose: .signIn, address: "198.51.100.7",
                    callID: CodeFixture.newCall(), isUnwelcome: true))
            #expect(answer.result == .sent && provider.messages.isEmpty)
            #expect(try await fixture.verify("123456").result == .wrongCode)
            #expect(provider.asked.isEmpty)
        }
    }

    @Test func `what cannot be the provider's code is refused without being asked about, and is no attempt`()
        async throws
    {
        try await withManaged { fixture, provider async throws in
            try await fixture.request()
            for code in ["abc", "12", "12345678901", "12345x", ""] {
                await #expect(throws: InvalidInput.self) { try await fixture.verify(code) }
            }
            #expect(provider.asked.isEmpty)
            #expect(try await fixture.verify(provider.code(of: Self.phone)).result == .approved)
        }
    }

    @Test func `in a closed app a guess at what nobody was sent fails as the last check did`() async throws {
        try await withManaged(isClosed: true) { fixture, provider async throws in
            try await fixture.request()
            provider.fail(with: DeliveryFailure(connection: .connectTimedOut))
            await #expect(throws: ProviderUndecided.self) { try await fixture.verify("111111") }
            let uninvited = "+15551230001"
            #expect(try await fixture.request(uninvited, isUnwelcome: true).result == .sent)
            await #expect(throws: ProviderUndecided.self) { try await fixture.verify("111111", phone: uninvited) }
        }
    }

    /// A guess as the use case makes it.
    private static func guess(_ code: String, _ fixture: CodeFixture, call: String) throws -> Guess {
        let judge = try fixture.phones.codes(of: nil).verify.judge
        let phone = try #require(judge.subjects.rules.phone(phone, region: nil))
        return try judge.guess(
            CodeGuess(
                recipient: .phone(phone), purpose: .signIn, code: code, address: "198.51.100.7", isVouchedFor: false,
                callID: call))
    }
}
