import Delivery
import InternalAPI
import Policies
import RedisClient
import Testing

@testable import OTPCore

/// Why did the code not arrive? What an operator is told of one number.
@Suite(.timeLimit(.minutes(5))) struct TraceTests {
    @Test func `a refusal by limit, a failure of the provider and a wrong guess are each one entry`() async throws {
        try await withFixture(.howru) { fixture async throws in
            let code = try await TracedRequest.$id.withValue("r-1") { try await fixture.sentCode() }
            fixture.sender.fail(with: .refused)
            _ = try await fixture.request()
            fixture.sender.fail(with: nil)
            _ = try await fixture.request()
            for _ in 0..<37 { _ = try await fixture.request() }
            fixture.clock.advance(1)
            _ = try await fixture.verify(CodeFixture.wrong(code))
            _ = try await fixture.verify(code)
            let entries = try await read(fixture)
            #expect(entries.map(\.kind) == ["tried", "tried", "tried", "refused", "guessed", "guessed"])
            #expect(
                entries[0].requestID == "r-1" && entries[0].details.first == "sms" && entries[0].details.last == "sent")
            #expect(entries[1].details.last == "refused" && entries[1].requestID == nil)
            #expect(entries[3].count == 37 && entries[3].details == ["phone", "\(CodeFixture.start + 3_600)"])
            #expect(entries[4].details == ["wrong_code"] && entries[5].details == ["approved"])
            #expect(entries[5].at == CodeFixture.start + 1)
            #expect(try await read(fixture, "+15551230000").isEmpty)
        }
    }

    @Test func `it goes back 48 hours, over midnight, and by address too`() async throws {
        try await withFixture(.howru) { fixture async throws in
            _ = try await fixture.request()
            await fixture.trace.flush()
            fixture.clock.advance(47 * 3_600)
            #expect(try await read(fixture).count == 1)
            #expect(try await read(fixture, hours: 46).isEmpty)
            fixture.clock.advance(2 * 3_600)
            #expect(try await read(fixture).isEmpty)
            _ = try await fixture.wiring.mailCodes?.codes(of: nil).request(
                MailRequest(
                    email: "ann@example.com", challenge: nil, purpose: .signIn, locales: [], address: "198.51.100.7",
                    callID: "c-1"))
            #expect(try await read(fixture, "ann@example.com").map(\.kind) == ["tried"])
            await #expect(throws: InvalidInput.self) { try await read(fixture, "5551234567") }
            await #expect(throws: InvalidInput.self) { try await read(fixture, hours: 49) }
        }
    }

    @Test func `the newest are kept, and the queue has a bound`() async throws {
        try await withFixture(.howru) { fixture async throws in
            let tag = fixture.tag(ofPhone: CodeFixture.phone)
            for number in 0..<50 {
                fixture.trace.note(
                    .tried(channel: "sms", sender: "test", messageID: "\(number)", outcome: TraceEvent.sent), of: tag)
            }
            let entries = try await read(fixture)
            #expect(entries.count == TraceBook.entriesMax && entries.last?.details[2] == "49")
            for _ in 0..<2 * TraceBook.queueMax { fixture.trace.note(.guessed(.unknown), of: tag) }
            await fixture.trace.flush()
        }
    }

    @Test func `what a provider tells is kept once, and only of a message that is known`() async throws {
        try await withFixture(.howru) { fixture async throws in
            let tag = fixture.tag(ofPhone: CodeFixture.phone)
            func tell(_ id: String, _ status: String) {
                fixture.trace.note(.callback(messageID: id, status: status, code: "30003"), of: tag)
            }
            // Told before its try is written, as from another replica.
            tell("SM1", "undelivered")
            #expect(try await read(fixture).isEmpty)
            fixture.trace.note(.tried(channel: "sms", sender: "test", messageID: "SM1", outcome: "sent"), of: tag)
            #expect(try await read(fixture).map(\.kind) == ["tried"])
            #expect(try await read(fixture).map(\.kind) == ["tried", "callback"])
            fixture.clock.advance(86_400)
            tell("SM1", "undelivered")
            tell("SM2", "delivered")
            tell("SM1", "delivered")
            let entries = try await read(fixture)
            #expect(entries.map(\.kind) == ["tried", "callback", "callback"])
            #expect(entries[1].details == ["SM1", "undelivered", "30003"] && entries[2].details[1] == "delivered")
        }
    }

    @Test func `a flood of requests that reach nobody hides nothing`() async throws {
        try await withFixture(.howru) { fixture async throws in
            let code = try await fixture.sentCode()
            for _ in 0..<7 { _ = try await fixture.verify(CodeFixture.wrong(code)) }
            let tag = fixture.tag(ofPhone: CodeFixture.phone)
            for number in 0..<100 {
                fixture.trace.note(.refused(rule: number % 2 == 0 ? .phone : .lockout, until: 0), of: tag)
                fixture.trace.note(.guessed(.tooManyAttempts), of: tag)
            }
            let entries = try await read(fixture)
            #expect(entries.first?.kind == "tried" && entries.count < 12)
            #expect(entries.reduce(0) { $0 + $1.count } == 208)
        }
    }

    @Test func `it is the first that goes when memory runs short`() async throws {
        try await withFixture(.howru) { fixture async throws in
            let code = try await fixture.sentCode()
            #expect(try await read(fixture).count == 1)
            let info = try #require(try await fixture.redis.send(["INFO", "memory"]).text)
            let used = try #require(info.firstMatch(of: /used_memory:([0-9]+)/).flatMap { Int64($0.output.1) })
            _ = try await fixture.redis.send(["CONFIG", "SET", "maxmemory", .integer(used * 100 / 75)])
            await fixture.memory.look()
            #expect(fixture.memory.isShort && !fixture.memory.isNearlyFull)
            await fixture.trace.dropAll()
            _ = try await fixture.request("+15551234568")
            #expect(try await read(fixture).isEmpty)
            #expect(try await read(fixture, "+15551234568").isEmpty)
            #expect(try await fixture.verify(code).result == .approved)
        }
    }

    @Test func `each reading is in the audit, under the number's tag`() async throws {
        try await withFixture(.howru) { fixture async throws in
            _ = try await read(fixture)
            let last = try await fixture.redis.send(["XRANGE", .text(OTPAuditStream.key), "-", "+"]).arrayValue?.last
            let fields = last?.arrayValue?.last?.arrayValue ?? []
            #expect(fields.contains { $0.text == "otp.traced" })
            #expect(fields.contains { $0.bytes == fixture.tag(ofPhone: CodeFixture.phone).bytes })
        }
    }

    @Test(arguments: [("administrator:0a1b", true), ("operator:alice", false), ("administrator:a b", false)])
    func `the record of a reading names the administrator of the request`(who: String, isNamed: Bool) async throws {
        try await withFixture(.howru) { fixture async throws in
            let request = TraceRequest(to: CodeFixture.phone, hours: 1, administrator: who)
            _ = try await fixture.wiring.readTrace(request)
            let last = try await fixture.redis.send(["XRANGE", .text(OTPAuditStream.key), "-", "+"]).arrayValue?.last
            let fields = last?.arrayValue?.last?.arrayValue ?? []
            #expect(fields.contains { $0.text == "otp.traced" })
            #expect(fields.contains { $0.text == who } == isNamed)
        }
    }

    private func read(
        _ fixture: CodeFixture, _ recipient: String = CodeFixture.phone, hours: Int64 = 48
    ) async throws -> [TraceAnswer.Entry] {
        await fixture.trace.flush()
        let read = fixture.wiring.readTrace
        let answer = try await read(TraceRequest(to: recipient, hours: hours))
        return answer.entries
    }
}
