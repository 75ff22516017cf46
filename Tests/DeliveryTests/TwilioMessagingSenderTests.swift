import Testing

@testable import Delivery
@testable import FakesCore

@Suite(.timeLimit(.minutes(2))) struct TwilioMessagingSenderTests {
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
        (21_211, DeliveryFailure.Reason.badNumber, DeliveryFailure.Rest.nothing), (21_212, .misconfigured, .nothing),
        (21_606, .misconfigured, .nothing), (21_659, .misconfigured, .nothing), (21_408, .blockedCountry, .nothing),
        (21_608, .misconfigured, .nothing), (21_609, .misconfigured, .nothing), (21_610, .optedOut, .anyWay),
        (21_612, .noRoute, .call), (21_614, .noTextMessages, .call), (30_034, .misconfigured, .nothing),
        (30_450, .blockedPrefix, .anyWay), (30_453, .blockedPrefix, .anyWay), (63_016, .channelMisconfigured, .anyWay),
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
        #expect(Set(lasting) == [21_211, 21_614, 60_205])
    }
}
