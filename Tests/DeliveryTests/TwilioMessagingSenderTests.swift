import Testing

@testable import Delivery
@testable import FakesCore

@Suite(.timeLimit(.minutes(5))) struct TwilioMessagingSenderTests {
    @Test func `a text goes out as Twilio wants it`() async throws {
        try await withTwilio { twilio in
            let sender = twilio.messaging(callbackURL: "https://auth.example.com/webhooks/twilio/status")
            #expect(try await sender.send(TwilioServer.message()).hasPrefix("SM"))
            let item = try #require(twilio.messages.all(to: TwilioServer.number).first)
            #expect(
                item.fields == [
                    "To": "+14155552671", "From": "+15005550006", "Body": "Your code is 123456",
                    "ValidityPeriod": "300",
                    "StatusCallback": "https://auth.example.com/webhooks/twilio/status",
                    "AccountSid": TwilioServer.accountSID,
                ])
        }
    }

    @Test func `a messaging service stands in place of a number`() async throws {
        try await withTwilio { twilio in
            _ = try await twilio.messaging(from: .service("MG1")).send(TwilioServer.message())
            let item = try #require(twilio.messages.all(to: nil).first)
            #expect(item.fields["MessagingServiceSid"] == "MG1" && item.fields["From"] == nil)
        }
    }

    @Test func `WhatsApp gets the template with the code as its only variable`() async throws {
        try await withTwilio { twilio in
            let whatsApp = TwilioMessagingSender.WhatsApp(from: "+15005550006", contentSID: "HX1")
            let sender = twilio.messaging(whatsApp: whatsApp)
            #expect(sender.abilities.channels == ["sms", "whatsapp"])
            _ = try await sender.send(TwilioServer.message(on: "whatsapp"))
            let item = try #require(twilio.messages.all(to: nil).first)
            #expect(item.fields["To"] == "whatsapp:+14155552671" && item.fields["From"] == "whatsapp:+15005550006")
            #expect(item.fields["ContentSid"] == "HX1" && item.fields["ContentVariables"] == #"{"1":"123456"}"#)
            #expect(item.fields["Body"] == nil)
        }
    }

    /// Every row of integration guide 1.3 that an answer to a send can be.
    @Test(arguments: [
        (21_211, DeliveryFailure.Reason.badNumber, DeliveryFailure.Rest.nothing),
        (21_212, .misconfigured, .otherSender), (21_265, .badNumber, .nothing),
        (21_606, .misconfigured, .otherSender), (21_659, .misconfigured, .otherSender),
        (21_408, .blockedCountry, .nothing), (21_608, .misconfigured, .otherSender),
        (21_609, .misconfigured, .otherSender), (21_610, .optedOut, .anyWay), (21_612, .noRoute, .otherChannel),
        (21_614, .noTextMessages, .otherChannel), (21_635, .noTextMessages, .otherChannel),
        (21_703, .misconfigured, .otherSender), (30_003, .noRoute, .otherChannel),
        (30_006, .noTextMessages, .otherChannel), (30_034, .misconfigured, .otherSender),
        (30_450, .blockedPrefix, .anyWay), (30_453, .blockedPrefix, .anyWay), (63_003, .notOnChannel, .otherChannel),
        (63_016, .channelMisconfigured, .anyWay), (63_018, .throttled, .anyWay), (63_024, .notOnChannel, .otherChannel),
    ])
    func `each code of the table has its outcome, as an error and within a message`(
        code: Int, reason: DeliveryFailure.Reason, rest: DeliveryFailure.Rest
    ) async throws {
        try await withTwilio { twilio in
            let provider = TwilioMessagingFake.provider
            twilio.answer(provider, code: code, status: 400)
            twilio.answer(
                provider, status: 201, body: #"{"sid":"SM1","status":"failed","error_code":\#(code),"code":null}"#)
            for _ in 0..<2 {
                let failure = try #require(await failure(twilio.messaging(), TwilioServer.message()))
                #expect(failure.reason == reason && failure.rest == rest && failure.label == "\(code)")
            }
            #expect(twilio.script.used == 2)
        }
    }

    @Test(arguments: [63_000, 63_007, 63_015, 63_041, 63_999])
    func `a WhatsApp error without a row of its own is the channel's, and the next one may do`(code: Int) async throws {
        try await withTwilio { twilio in
            twilio.answer(TwilioMessagingFake.provider, code: code, status: 400)
            let failure = try #require(await failure(twilio.messaging(), TwilioServer.message()))
            #expect(failure.reason == .channelMisconfigured && failure.rest == .anyWay && failure.isAlarm)
            // The log has the number; the metric has words, of which there are few.
            #expect(failure.code == "\(code)" && failure.label == "channel_misconfigured")
        }
    }

    @Test func `an unknown code keeps its number, alarms, and leaves the next way`() async throws {
        try await withTwilio { twilio in
            let provider = TwilioMessagingFake.provider
            twilio.answer(provider, code: 21_999, status: 400)
            twilio.answer(
                provider, status: 201, body: #"{"sid":"SM1","status":"failed","error_code":21999,"code":null}"#)
            for _ in 0..<2 {
                let failure = try #require(await failure(twilio.messaging(), TwilioServer.message()))
                #expect(failure.reason == .refused && failure.rest == .anyWay && failure.isAlarm)
                #expect(failure.code == "21999" && failure.text == "refused 21999" && failure.label == "refused")
            }
        }
    }

    @Test func `each calling code may have a sender of its own, the longest first`() async throws {
        try await withTwilio { twilio in
            let senders = try TwilioSenders(parsing: "+15550001111, 44=ACME,+1787=+17875550100")
            let sender = TwilioMessagingSender(
                url: twilio.url, account: twilio.account, from: senders.standard.map { .number($0) }, senders: senders,
                whatsApp: nil, callbackURL: nil, validSeconds: 300, release: "1", exchange: twilio.exchange)
            let expected = [
                ("+447911123456", "ACME"), ("+14155552671", "+15550001111"), ("+17872345678", "+17875550100"),
                ("+4915112345678", "+15550001111"),
            ]
            for (number, from) in expected {
                _ = try await sender.send(TwilioServer.message(to: number))
                #expect(twilio.messages.all(to: number).first?.fields["From"] == from)
            }
        }
    }

    @Test(arguments: [
        "+15550001111,+15550002222", "44=ACME,44=ACMF", "=ACME", "044=ACME", "GB=ACME", "44=", "44=A-B", "",
    ])
    func `a list of senders with two readings is refused`(text: String) {
        #expect(throws: TwilioSenders.Problem.self) { _ = try TwilioSenders(parsing: text) }
    }

    @Test(arguments: [
        ("+15005550001", DeliveryFailure.Reason.badNumber), ("+15005550002", .noRoute),
        ("+15005550003", .blockedCountry), ("+15005550004", .optedOut), ("+15005550009", .noTextMessages),
    ])
    func `Twilio's numbers for tests come to what they are for`(
        number: String, reason: DeliveryFailure.Reason
    ) async throws {
        try await withTwilio { twilio in
            #expect(await failure(twilio.messaging(), TwilioServer.message(to: number))?.reason == reason)
        }
    }

    @Test func `only 21211, 21614 and their like are remembered of a number`() {
        let lasting = TwilioErrors.reasons.filter { DeliveryFailure($0.value).isLasting }.map(\.key)
        #expect(Set(lasting) == [21_211, 21_217, 21_265, 21_421, 21_614, 21_635, 30_006, 60_205])
    }
}
