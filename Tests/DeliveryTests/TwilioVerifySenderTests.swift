import OutgoingConnections
import Testing

@testable import Delivery
@testable import FakesCore

// Cited by Tests/Compat/statements.md for H56.

@Suite(.timeLimit(.minutes(5))) struct TwilioVerifySenderTests {
    @Test func `a code goes out as Twilio wants it`() async throws {
        try await withTwilio { twilio in
            let sender = TwilioVerifySender(twilio.verifications, template: "HJ1")
            let id = try await sender.send(TwilioServer.message())
            #expect(id.hasPrefix("VE"))
            let item = try #require(twilio.messages.all(to: TwilioServer.number).first)
            #expect(
                item.fields == [
                    "To": "+14155552671", "Channel": "sms", "CustomCode": "123456", "TemplateSid": "HJ1",
                    "DeviceIp": "203.0.113.7",
                ])
        }
    }

    @Test func `language and app go along where the message has them, the app to text messages alone`() async throws {
        try await withTwilio { twilio in
            for channel in ["sms", "call"] {
                let message = Message(
                    id: "0f8fad5b-d9cb-469f-a165-70867728950e", channel: channel, recipient: TwilioServer.number,
                    content: Message.Content(text: "Dein Code ist 123456", code: "123456"), locale: "de-DE",
                    smsLocale: "de", appHash: "igzYMpcDSre", clientAddress: "")
                _ = try await twilio.verify.send(message)
            }
            let fields = twilio.messages.all(to: TwilioServer.number).map(\.fields)
            #expect(fields.allSatisfy { $0["Locale"] == "de" && $0["DeviceIp"] == nil })
            #expect(fields.compactMap { $0["AppHash"] } == ["igzYMpcDSre"])
        }
    }

    @Test(arguments: ["call", "whatsapp"]) func `calls and WhatsApp go the same way`(channel: String) async throws {
        try await withTwilio { twilio in
            _ = try await twilio.verify.send(TwilioServer.message(on: channel))
            #expect(twilio.messages.all(to: nil).map(\.channel) == [channel])
        }
    }

    /// Every row of integration guide 1.2.6: the answer, what is left to do, and the label of the metric.
    @Test(arguments: [
        (20_003, 401, DeliveryFailure.Reason.misconfigured, DeliveryFailure.Rest.otherSender),
        (20_404, 404, .misconfigured, .otherSender), (60_201, 400, .misconfigured, .otherSender),
        (60_204, 403, .misconfigured, .otherSender), (60_205, 400, .noTextMessages, .otherChannel),
        (60_206, 400, .misconfigured, .otherSender), (60_207, 400, .misconfigured, .otherSender),
        (60_208, 400, .misconfigured, .otherSender), (60_209, 400, .misconfigured, .otherSender),
        (60_210, 400, .misconfigured, .otherSender), (60_211, 400, .misconfigured, .otherSender),
        (60_214, 400, .channelMisconfigured, .anyWay), (60_217, 400, .channelMisconfigured, .anyWay),
        (60_220, 403, .blockedCountry, .nothing), (60_221, 400, .misconfigured, .otherSender),
        (60_223, 400, .channelMisconfigured, .anyWay), (60_238, 403, .blockedCountry, .nothing),
        (60_243, 400, .misconfigured, .otherSender), (60_308, 429, .misconfigured, .otherSender),
        (60_410, 403, .blockedPrefix, .anyWay), (60_413, 403, .barred, .nothing),
        (60_605, 403, .blockedCountry, .nothing),
    ])
    func `each code of the table has its outcome, and is tried once`(
        code: Int, status: Int, reason: DeliveryFailure.Reason, rest: DeliveryFailure.Rest
    ) async throws {
        try await withTwilio { twilio in
            twilio.answer(code: code, status: status)
            let failure = try #require(await failure(twilio.verify, TwilioServer.message()))
            #expect(failure.reason == reason && failure.rest == rest && failure.label == "\(code)")
            let isOurs = reason == .misconfigured || reason == .channelMisconfigured || code == 60_238
            #expect(failure.isAlarm == isOurs)
            #expect(twilio.script.used == 1 && twilio.messages.count == 0)
        }
    }

    @Test func `an invalid parameter is the number's fault only where it says so`() async throws {
        try await withTwilio { twilio in
            twilio.answer(code: 60_200, status: 400, message: "Invalid parameter `To`: +1")
            let number = try #require(await failure(twilio.verify, TwilioServer.message()))
            #expect(number.reason == .badNumber && number.isLasting && !number.isAlarm)
            twilio.answer(code: 60_200, status: 400, message: "Invalid parameter `Locale`: To")
            let locale = try #require(await failure(twilio.verify, TwilioServer.message()))
            #expect(locale.reason == .misconfigured && !locale.isLasting && locale.isAlarm)
        }
    }

    @Test func `the error form of RFC 9457 is read too`() async throws {
        try await withTwilio { twilio in
            twilio.answer(
                status: 400,
                body: #"{"type":"t","title":"t","status":400,"code":60200,"detail":"Invalid parameter `To`: x"}"#)
            #expect(await failure(twilio.verify, TwilioServer.message())?.reason == .badNumber)
        }
    }

    @Test func `too many at a time is repeated once, and then left to another`() async throws {
        try await withTwilio { twilio in
            twilio.answer(code: 20_429, status: 429, headers: ["Retry-After": "0"])
            _ = try await twilio.verify.send(TwilioServer.message())
            #expect(twilio.messages.count == 1)
            twilio.answer(code: 20_429, status: 429, headers: ["Retry-After": "0"], always: true)
            let failure = try #require(await failure(twilio.verify, TwilioServer.message()))
            #expect(failure.reason == .throttled && failure.rest == .anyWay && twilio.script.used == 3)
        }
    }

    @Test func `a wait beyond the time is not begun`() async throws {
        try await withTwilio { twilio in
            twilio.answer(code: 20_429, status: 429, headers: ["Retry-After": "30"])
            #expect(await failure(twilio.verify, TwilioServer.message())?.reason == .throttled)
            #expect(twilio.script.used == 1 && twilio.messages.count == 0)
        }
    }

    @Test func `a limit that the account set itself is final`() async throws {
        try await withTwilio { twilio in
            twilio.answer(
                code: 20_429, status: 429, headers: ["Retry-After": "7", "Twilio-Reached-Rate-Limit": "end_user_ip"])
            let failure = try #require(await failure(twilio.verify, TwilioServer.message()))
            #expect(failure.reason == .limited && failure.rest == .nothing && failure.retryAfterSeconds == 7)
            #expect(twilio.script.used == 1)
        }
    }

    @Test func `calls at once for one number are repeated once after a second`() async throws {
        try await withTwilio { twilio in
            twilio.answer(code: 60_212, status: 429)
            twilio.answer(code: 60_212, status: 429)
            let failure = try #require(await failure(twilio.verify, TwilioServer.message()))
            #expect(failure.reason == .limited && twilio.script.used == 2)
        }
    }

    @Test func `what is no answer of Twilio's has one outcome each`() async throws {
        let cases: [(Int, String, DeliveryFailure.Reason)] = [
            (200, "<html>hello</html>", .badAnswer), (201, #"{"sid":"VE1","sta"#, .badAnswer), (201, "{}", .badAnswer),
            (201, #"{"sid":"VE1","status":"failed"}"#, .refused), (302, "", .misconfigured),
            (400, #"{"message":"no code"}"#, .misconfigured), (403, "<html>", .misconfigured),
            (429, "slow down", .throttled), (500, "<html>", .serverError), (503, "", .serverError),
            (400, #"{"code":99999}"#, .refused), (500, #"{"code":99999}"#, .serverError),
        ]
        for (status, body, reason) in cases {
            try await withTwilio { twilio in
                twilio.answer(status: status, headers: ["Location": "/elsewhere"], body: body)
                let failure = try #require(await failure(twilio.verify, TwilioServer.message()))
                #expect(failure.reason == reason, "\(status) \(body)")
                #expect(failure.label == reason.rawValue)
            }
        }
    }

    @Test func `an answer without an end is no answer, and the message is not sent twice`() async throws {
        try await withTwilio { twilio in
            twilio.answer(hang: 5)
            let failure = try #require(
                await failure(twilio.verify, TwilioServer.message(within: .milliseconds(1_500))))
            // If it were waited for, the answer would be no failure.
            #expect(failure.reason == .connection(.timedOut) && failure.rest == .anyWay)
            #expect(twilio.messages.count == 1)
        }
    }

    @Test func `without closing the earlier one a new code would not go out`() async throws {
        try await withTwilio { twilio in
            _ = try await twilio.verify.send(TwilioServer.message("111111"))
            _ = try await twilio.verify.send(TwilioServer.message("222222"))
            #expect(twilio.messages.all(to: nil).first?.code == "111111")
            _ = try await twilio.verify.send(TwilioServer.message("333333", replacesEarlier: true))
            #expect(twilio.messages.all(to: nil).first?.code == "333333")
        }
    }

    @Test func `nothing to close is closed; a close that fails creates nothing`() async throws {
        try await withTwilio { twilio in
            _ = try await twilio.verify.send(TwilioServer.message(replacesEarlier: true))
            #expect(twilio.messages.count == 1)
            twilio.answer(at: "update", code: 20_500, status: 500)
            let failure = await failure(twilio.verify, TwilioServer.message("222222", replacesEarlier: true))
            #expect(failure?.reason == .serverError && twilio.messages.count == 1)
            #expect(failure?.leavesEarlierCode == true)
        }
    }

    @Test func `the sixth message closes the verification and begins again, once`() async throws {
        try await withTwilio { twilio in
            for _ in 0..<6 { _ = try await twilio.verify.send(TwilioServer.message()) }
            #expect(twilio.messages.count == 6)
            twilio.answer(code: 60_203, status: 429, always: true)
            let failure = try #require(await failure(twilio.verify, TwilioServer.message()))
            #expect(failure.reason == .sendCap && failure.rest == .anyWay && failure.retryAfterSeconds == 600)
            #expect(twilio.script.used == 2)
        }
    }
}
