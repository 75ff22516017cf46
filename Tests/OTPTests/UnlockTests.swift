import InternalAPI
import Policies
import RedisClient
import TestSupport
import Testing

@testable import OTPCore

/// An operator lifts what counts against one number.
@Suite(.timeLimit(.minutes(1))) struct UnlockTests {
    private func unlock(_ fixture: CodeFixture, _ phone: String = CodeFixture.phone) async throws -> Bool {
        try await fixture.phones.unlockNumber(NumberRequest(phone: phone)).wasLocked
    }

    @Test func `a locked number signs in at once, with a new code and its own guesses`() async throws {
        try await withFixture(.howru) { fixture async throws in
            #expect(try await unlock(fixture) == false)
            let code = try await fixture.sentCode()
            for number in 0..<5 { _ = try await fixture.verify(CodeFixture.wrong(code, number)) }
            #expect(try await fixture.verify(code).result == .tooManyAttempts)
            #expect(try await unlock(fixture))
            // The code that was guessed at gets no more guesses.
            #expect(try await fixture.verify(code).result == .unknown)
            let fresh = try await fixture.sentCode()
            #expect(fresh != code)
            for number in 0..<4 {
                #expect(try await fixture.verify(CodeFixture.wrong(fresh, number)).result == .wrongCode)
            }
            #expect(try await fixture.verify(fresh).result == .approved)
        }
    }

    @Test func `the number's limit of messages begins again, and one call locks it again as before`() async throws {
        var policy = OTPPolicy.howru
        policy.sendsPerRecipient = [RateLimit(max: 2, windowSeconds: 3_600)]
        try await withFixture(policy) { fixture async throws in
            for _ in 0..<2 {
                for _ in 0..<2 { #expect(try await fixture.request().result == .sent) }
                #expect(try await fixture.request().result == .rateLimited)
                #expect(try await unlock(fixture))
                #expect(try await unlock(fixture) == false)
            }
            let code = try await fixture.sentCode()
            for number in 0..<5 { _ = try await fixture.verify(CodeFixture.wrong(code, number)) }
            #expect(try await fixture.verify(code).result == .tooManyAttempts)
        }
    }

    @Test func `limits that are not the number's own stay, and other numbers too`() async throws {
        var policy = OTPPolicy.howru
        policy.sendsPerPrefix = [RateLimit(max: 2, windowSeconds: 3_600)]
        try await withFixture(policy) { fixture async throws in
            for _ in 0..<2 { #expect(try await fixture.request().result == .sent) }
            #expect(try await unlock(fixture))
            #expect(try await fixture.request().result == .rateLimited)
        }
        try await withFixture(.howru) { fixture async throws in
            let other = "+15551234568"
            let code = try await fixture.sentCode(other)
            for number in 0..<5 { _ = try await fixture.verify(CodeFixture.wrong(code, number), phone: other) }
            #expect(try await unlock(fixture) == false)
            #expect(try await fixture.verify(code, phone: other).result == .tooManyAttempts)
        }
    }

    @Test func `an open review access stays, a repeat of a guess learns nothing, and the audit has it`() async throws {
        try await withFixture(.howru) { fixture async throws in
            let end = fixture.clock.now + 86_400
            let request = ReviewAccessRequest(phone: CodeFixture.phone, until: end)
            guard case .answer(let access) = try await fixture.wiring.manageReviews.open(request),
                let code = access.codes[Dialect.native]
            else { return #expect(Bool(false)) }
            _ = try await fixture.request()
            let call = CodeFixture.newCall()
            #expect(try await fixture.verify(code, call: call).result == .approved)
            let administrator = "administrator:0a1b2c3d"
            let unlocking = NumberRequest(phone: CodeFixture.phone, administrator: administrator)
            #expect(try await fixture.phones.unlockNumber(unlocking).wasLocked)
            #expect(try await fixture.verify(code, call: call).result == .used)
            _ = try await fixture.request()
            #expect(try await fixture.verify(code).result == .approved)
            let entries =
                try await fixture.redis.send(["XRANGE", .text(OTPAuditStream.key), "-", "+"]).arrayValue ?? []
            let events = entries.flatMap { $0.arrayValue?.last?.arrayValue?.compactMap(\.text) ?? [] }
            #expect(events.contains(OTPAuditEvent.unlocked.rawValue) && events.contains(administrator))
        }
    }

    @Test(arguments: ["", "5551234567", "+1555", "ann@example.com"])
    func `anything but a whole number is refused`(_ text: String) async throws {
        try await withFixture(.howru) { fixture async throws in
            _ = await #expect(throws: InvalidInput.self) { _ = try await unlock(fixture, text) }
        }
    }
}
