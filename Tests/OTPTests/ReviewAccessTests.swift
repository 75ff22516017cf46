import InternalAPI
import Policies
import RedisClient
import TestSupport
import Testing

@testable import OTPCore

/// A number that a store's reviewers sign in with: its code opens it alone, for so long, and under the limits of all.
@Suite(.timeLimit(.minutes(5))) struct ReviewAccessTests {
    private static let day: Int64 = 86_400

    @Test func `the printed code lets in at that number alone, and nothing is sent`() async throws {
        try await withFixture(.howru) { fixture async throws in
            let code = try await open(fixture)
            #expect(try await fixture.request().result == .suppressed)
            #expect(fixture.sender.messages.isEmpty)
            let answer = try await fixture.verify(code)
            #expect(answer.result == .approved)
            let attestation = try fixture.attestation(answer)
            #expect(attestation.method == Attestation.reviewMethod)
            #expect(attestation.identity == .phone(CodeFixture.phone))
            #expect(attestation.accessEndsAt == fixture.clock.now + Self.day)
            let other = try await fixture.sentCode("+15551234568")
            #expect(try await fixture.verify(code, phone: "+15551234568").result == .wrongCode)
            #expect(try await fixture.attestation(fixture.verify(other, phone: "+15551234568")).method == "sms")
        }
    }

    @Test func `where no codes go to phones nothing is opened`() async throws {
        try await withFixture(.howru) { fixture async throws in
            let manage = fixture.wiring.manageReviews
            let without = ManageReviews(
                rules: [], store: manage.store, secrets: manage.secrets, now: manage.now, random: manage.random)
            let request = ReviewAccessRequest(phone: CodeFixture.phone, until: fixture.clock.now + Self.day)
            #expect(try await without.open(request) == .refused(.noCodes))
        }
    }

    @Test func `without a request the code is worth nothing`() async throws {
        try await withFixture(.howru) { fixture async throws in
            let code = try await open(fixture)
            #expect(try await fixture.verify(code).result == .unknown)
        }
    }

    @Test func `what was sent before the opening is void`() async throws {
        try await withFixture(.howru) { fixture async throws in
            let sent = try await fixture.sentCode()
            let code = try await open(fixture)
            #expect(try await fixture.verify(sent).result == .unknown)
            _ = try await fixture.request()
            #expect(try await fixture.verify(sent).result == .wrongCode)
            #expect(try await fixture.verify(code).result == .approved)
        }
    }

    @Test func `it ends to the second, for a code that was asked for before too`() async throws {
        try await withFixture(.howru) { fixture async throws in
            let code = try await open(fixture, for: 100)
            fixture.clock.advance(70)
            _ = try await fixture.request()
            fixture.clock.advance(29)
            let answer = try await fixture.verify(code)
            #expect(answer.result == .approved)
            #expect(try fixture.attestation(answer).expiresAt == CodeFixture.start + 100)
            fixture.clock.advance(1)
            #expect(try await fixture.verify(code).result == .unknown)
            #expect(try await fixture.request().result == .sent)
            #expect(try await fixture.verify(code).result == .wrongCode)
            #expect(
                try await fixture.wiring.manageReviews.list(.init(), noting: fixture.wiring.noteOperator).rows.isEmpty)
        }
    }

    @Test func `a proof holds while the access is open by whose code it came about`() async throws {
        try await withFixture(.howru) { fixture async throws in
            let manage = fixture.wiring.manageReviews
            func isOpen(_ attestation: Attestation) async throws -> Bool {
                let challengedAt = attestation.challengedAt
                return try await manage.confirm(
                    ReviewProof(phone: CodeFixture.phone, challengedAt: challengedAt)
                ).isOpen
            }
            func proof() async throws -> Attestation {
                let code = try await open(fixture)
                _ = try await fixture.request()
                return try fixture.attestation(try await fixture.verify(code))
            }
            let first = try await proof()
            #expect(try await isOpen(first))
            fixture.clock.advance(59)
            #expect(try await isOpen(first))
            #expect(try await manage.end(NumberRequest(phone: CodeFixture.phone)).wasOpen)
            #expect(try await !isOpen(first))
            // Another access, until the same time or another, does not make it valid again.
            let second = try await proof()
            #expect(try await !isOpen(first))
            #expect(try await isOpen(second))
            // Its end is checked, and so are codes that were only requested, and other numbers.
            fixture.clock.advance(100)
            _ = try await fixture.request()
            let now = fixture.clock.now
            #expect(try await !manage.confirm(ReviewProof(phone: CodeFixture.phone, challengedAt: now)).isOpen)
            #expect(try await !manage.confirm(ReviewProof(phone: "+15551234568", challengedAt: now)).isOpen)
            fixture.clock.advance(Self.day)
            #expect(try await !isOpen(second))
            await #expect(throws: InvalidInput.self) {
                _ = try await manage.confirm(ReviewProof(phone: "5551234567", challengedAt: now))
            }
        }
    }

    @Test func `the operator ends it at once`() async throws {
        try await withFixture(.howru) { fixture async throws in
            let code = try await open(fixture)
            _ = try await fixture.request()
            let number = NumberRequest(phone: CodeFixture.phone)
            #expect(try await fixture.wiring.manageReviews.end(number).wasOpen)
            #expect(try await fixture.verify(code).result == .unknown)
            #expect(try await fixture.wiring.manageReviews.end(number).wasOpen == false)
        }
    }

    @Test func `the list says when the access of one number ends, and of no other`() async throws {
        try await withFixture(.howru) { fixture async throws in
            func until(_ phone: String?) async throws -> Int64? {
                try await fixture.wiring.manageReviews.list(
                    ReviewListRequest(phone: phone), noting: fixture.wiring.noteOperator
                ).until
            }
            #expect(try await until(CodeFixture.phone) == nil)
            _ = try await open(fixture, for: 100)
            _ = try await open(fixture, "+15551234568", for: 50)
            let start = fixture.clock.now
            #expect(try await until(CodeFixture.phone) == start + 100)
            #expect(try await until("+15551234568") == start + 50)
            for other in [nil, "+15551234569"] { #expect(try await until(other) == nil) }
            await #expect(throws: InvalidInput.self) { _ = try await until("5551234567") }
            fixture.clock.advance(50)
            #expect(try await until("+15551234568") == nil)
            _ = try await fixture.wiring.manageReviews.end(NumberRequest(phone: CodeFixture.phone))
            #expect(try await until(CodeFixture.phone) == nil)
        }
    }

    @Test func `opened again, the number has another code`() async throws {
        try await withFixture(.howru) { fixture async throws in
            let first = try await open(fixture)
            _ = try await fixture.request()
            let second = try await open(fixture)
            _ = try await fixture.request()
            #expect(try await fixture.verify(first).result == .wrongCode)
            #expect(try await fixture.verify(second).result == .approved)
        }
    }

    @Test func `openings and requests at the same time end with one code that holds`() async throws {
        try await withFixture(.generous) { fixture async throws in
            _ = try await concurrently(60) { number in
                // No message is sent while the operator opens it again and again.
                do {
                    if number % 3 == 0 { _ = try await open(fixture) } else { _ = try await fixture.request() }
                } catch is ChallengeStoreFailure {}
            }
            let code = try await open(fixture)
            let sent = fixture.sender.messages.count
            _ = try await fixture.request()
            #expect(try await fixture.verify(code).result == .approved)
            #expect(fixture.sender.messages.count == sent)
        }
    }

    @Test func `10,000 guesses at it and its neighbours meet the policy's limits`() async throws {
        var policy = OTPPolicy.howru
        policy.sendsPerPrefix = []
        try await withFixture(policy) { fixture async throws in
            let code = try await open(fixture)
            let numbers = [CodeFixture.phone] + (1..<10).map { "+1555123456\($0 == 7 ? 0 : $0)" }
            for number in Set(numbers) { _ = try await fixture.request(number) }
            let asked = Array(Set(numbers))
            let results = try await concurrently(10_000) { number in
                let phone = asked[number % asked.count]
                let answer = try await fixture.verify(
                    CodeFixture.wrong(code, number), phone: phone, from: "203.0.\(number / 250).\(number % 250)")
                return "\(phone) \(answer.result.rawValue)"
            }
            for phone in asked {
                #expect(results.filter { $0 == "\(phone) wrong_code" }.count == 5)
                #expect(results.filter { $0 == "\(phone) approved" }.isEmpty)
            }
            #expect(try await fixture.verify(code).result == .tooManyAttempts)
        }
    }

    @Test func `a restart of Redis closes it, and so does a flush`() async throws {
        try await withFixture(.howru, configuration: ["appendonly yes", "appendfsync always"]) { fixture async throws in
            let code = try await open(fixture)
            _ = try await fixture.request()
            try await fixture.server.restart()
            try await awaitServing(fixture.redis)
            #expect(
                try await fixture.wiring.manageReviews.list(.init(), noting: fixture.wiring.noteOperator).rows.isEmpty)
            #expect(try await fixture.verify(code).result == .unknown)
            #expect(try await fixture.request().result == .sent)
            #expect(try await fixture.verify(code).result == .wrongCode)
        }
        try await withFixture(.howru) { fixture async throws in
            let code = try await open(fixture)
            _ = try await fixture.redis.send(["FLUSHALL"])
            #expect(try await fixture.verify(code).result == .unknown)
            #expect(try await fixture.request().result == .sent)
        }
    }

    @Test func `guesses at it that a crash forgets are not given back`() async throws {
        try await withFixture(.generous) { fixture async throws in
            let code = try await open(fixture)
            _ = try await fixture.request()
            let saved = try await RedisSnapshot.take(fixture.redis)
            for number in 0..<5 { _ = try await fixture.verify(CodeFixture.wrong(code, number)) }
            try await fixture.server.restart()
            try await saved.restore(to: fixture.redis)
            #expect(try await fixture.verify(code).result == .unknown)
            #expect(try await fixture.request().result == .sent)
        }
    }

    @Test func `five may be open at once, for 30 days at most, where the policy sends codes`() async throws {
        try await withFixture(.howru, countries: CountryRule(allowedPrefixes: ["+1"])) { fixture async throws in
            for number in 0..<5 { _ = try await open(fixture, "+1555123000\(number)", for: 100 + Int64(number)) }
            #expect(try await refusal(fixture, "+15551230009", for: 100) == .tooMany)
            _ = try await open(fixture, "+15551230001", for: 200)
            #expect(
                try await fixture.wiring.manageReviews.list(.init(), noting: fixture.wiring.noteOperator).rows.count
                    == 5)
            fixture.clock.advance(100)
            _ = try await open(fixture, "+15551230009", for: 30 * Self.day)
            #expect(try await refusal(fixture, "+15551230009", for: 30 * Self.day + 1) == .invalidEnd)
            #expect(try await refusal(fixture, "+15551230009", for: 0) == .invalidEnd)
            #expect(try await refusal(fixture, "+442079460958", for: 100) == .blockedCountry)
            await #expect(throws: InvalidInput.self) { try await refusal(fixture, "5551230009", for: 100) }
        }
    }

    @Test func `it is in the audit, and Redis holds neither the code nor the number`() async throws {
        let configuration = [
            "appendonly yes", "rdbcompression no", "slowlog-log-slower-than 0", "slowlog-max-len 10000",
        ]
        try await withFixture(.howru, configuration: configuration) { fixture async throws in
            let code = try await open(fixture)
            _ = try await fixture.request()
            _ = try await fixture.verify(code)
            _ = try await fixture.wiring.manageReviews.end(NumberRequest(phone: CodeFixture.phone))
            let entries = try await fixture.redis.send(["XRANGE", .text(OTPAuditStream.key), "-", "+"])
            let events = (entries.arrayValue ?? []).compactMap { entry in
                let fields = (entry.arrayValue?.last?.arrayValue ?? []).map { $0.text ?? "" }
                return fields.firstIndex(of: "event").map { fields[$0 + 1] }
            }
            #expect(events == ["otp.review_opened", "otp.sent", "otp.review_used", "otp.review_ended"])
            _ = try await fixture.redis.send(["SAVE"])
            let arguments = "\(try await fixture.redis.send(["SLOWLOG", "GET", "-1"]))"
            let traces = try Trace.files(in: fixture.server.directory) + [Trace("arguments", arguments)]
            for canary in [Canary(code)] + Canary.number(CodeFixture.phone) {
                for trace in traces { #expect(!canary.stands(in: trace.bytes), "\(canary) is in \(trace.name)") }
            }
        }
    }

    private func open(
        _ fixture: CodeFixture, _ phone: String = CodeFixture.phone, for seconds: Int64 = day
    ) async throws -> String {
        let result = try await fixture.wiring.manageReviews.open(
            ReviewAccessRequest(phone: phone, until: fixture.clock.now + seconds))
        guard case .answer(let access) = result else { throw NotOpened(result: result) }
        return try #require(access.codes[Dialect.native])
    }

    @discardableResult
    private func refusal(_ fixture: CodeFixture, _ phone: String, for seconds: Int64) async throws -> ReviewRefusal? {
        let result = try await fixture.wiring.manageReviews.open(
            ReviewAccessRequest(phone: phone, until: fixture.clock.now + seconds))
        if case .refused(let refusal, _) = result { return refusal }
        return nil
    }

    private struct NotOpened: Error { let result: any Sendable }
}
