import Testing

@testable import Delivery
@testable import FakesCore

/// Codes that Twilio makes and checks (integration guide 1.2.2).
@Suite(.timeLimit(.minutes(5))) struct TwilioCheckTests {
    private static let number = TwilioServer.number

    /// Asks for a code of Twilio's own, and gives it.
    private func sentCode(_ twilio: TwilioServer) async throws -> String {
        let sender = TwilioVerifySender(twilio.verifications, template: nil, makesCodes: true)
        #expect(sender.provider == "twilio-verify-managed" && sender.abilities.makesCodes)
        _ = try await sender.send(TwilioServer.message("999999"))
        let item = try #require(twilio.messages.all(to: Self.number).last)
        #expect(item.fields == ["To": "+14155552671", "Channel": "sms", "DeviceIp": "203.0.113.7"])
        return try #require(item.code)
    }

    private func check(_ code: String, _ twilio: TwilioServer, within limit: Duration = .seconds(4)) async -> CodeCheck
    {
        await twilio.verifications.check(code, of: Self.number, within: limit)
    }

    @Test func `right is approved once, wrong is pending, and after five there are no more`() async throws {
        try await withTwilio { twilio in
            let code = try await sentCode(twilio)
            #expect(await check("x" + code.dropFirst(), twilio) == .wrong)
            #expect(await check(code, twilio) == .right)
            #expect(await check(code, twilio) == .gone)
            let other = try await sentCode(twilio)
            for _ in 0..<5 { #expect(await check("000000" == other ? "1" : "000000", twilio) == .wrong) }
            #expect(await check(other, twilio) == .usedUp)
        }
    }

    @Test(arguments: [
        ("canceled", CodeCheck.gone), ("expired", .gone), ("deleted", .gone), ("failed", .gone),
        ("max_attempts_reached", .usedUp), ("", .unknown(.badAnswer)), ("APPROVED", .unknown(.badAnswer)),
    ])
    func `the status alone counts, whatever else the answer says`(status: String, expected: CodeCheck) async throws {
        try await withTwilio { twilio in
            _ = try await sentCode(twilio)
            twilio.answer(at: "check", status: 200, body: #"{"sid":"VE1","status":"\#(status)","valid":true}"#)
            #expect(await check("123456", twilio) == expected)
        }
    }

    @Test(arguments: ["<html>ok</html>", #"{"status":"approv"#, "[]", ""])
    func `what is no answer of Twilio's approves nothing`(body: String) async throws {
        try await withTwilio { twilio in
            _ = try await sentCode(twilio)
            twilio.answer(at: "check", status: 200, body: body)
            #expect(await check("123456", twilio) == .unknown(.badAnswer))
        }
    }

    @Test func `errors, redirects and silence leave it unknown`() async throws {
        try await withTwilio { twilio in
            for (code, status) in [(20_003, 401), (60_200, 400), (60_206, 400), (50_000, 500)] {
                twilio.answer(at: "check", code: code, status: status)
                guard case .unknown = await check("123456", twilio) else {
                    Issue.record("\(code)")
                    continue
                }
            }
            twilio.answer(at: "check", status: 302, headers: ["Location": "http://127.0.0.1:1/"], body: "")
            guard case .unknown(let failure) = await check("123456", twilio) else {
                Issue.record("a redirect was followed")
                return
            }
            #expect(failure.isAlarm)
            _ = try await sentCode(twilio)
            twilio.answer(at: "check", hang: 3)
            #expect(await check("123456", twilio, within: .milliseconds(300)) == .unknown(.timedOut))
        }
    }

    @Test func `what was not processed is asked once more`() async throws {
        try await withTwilio { twilio in
            let code = try await sentCode(twilio)
            twilio.answer(at: "check", code: 20_429, status: 429, headers: ["Retry-After": "0"])
            #expect(await check(code, twilio) == .right)
            twilio.answer(at: "check", code: 60_212, status: 429, headers: ["Retry-After": "30"])
            guard case .unknown(let failure) = await check(code, twilio) else {
                Issue.record("it waited")
                return
            }
            #expect(failure.label == "60212")
        }
    }

    @Test func `the Service is looked at before a test message`() async throws {
        try await withTwilio { twilio in
            func problem(_ digits: Int = 6, isManaged: Bool = false) async -> TwilioVerifications.Problem? {
                await twilio.verifications.problem(codeLength: digits, isManaged: isManaged, within: .seconds(4))
            }
            #expect(await problem() == nil)
            #expect(await problem(8) == .codeLength(6))
            let off = #"{"sid":"VA1","code_length":6,"custom_code_enabled":false}"#
            twilio.answer(at: "service", status: 200, body: off)
            #expect(await problem() == .customCodesOff)
            twilio.answer(at: "service", status: 200, body: off)
            #expect(await problem(isManaged: true) == nil)
            twilio.answer(at: "service", code: 20_404, status: 404)
            #expect(await problem()?.label == "20404")
        }
    }
}
