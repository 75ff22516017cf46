import Delivery
import InternalAPI
import Logging
import OutgoingConnections
import Policies
import RedisClient
import Testing

@testable import OTPCore

// Cited by Tests/Compat/statements.md for H57.

/// Which ways a message takes, and what is remembered of a number.
@Suite(.timeLimit(.minutes(5))) struct TryTests {
    private static let all = SenderAbilities.everything
    private static let texts = SenderAbilities(channels: ["sms"], contents: [.code])

    private func request(
        _ fixture: CodeFixture, channel: String? = nil, phone: String = CodeFixture.phone, call: String? = nil
    ) async throws -> OTPRequestAnswer {
        try await fixture.phones.codes(of: nil).request(
            OTPRequest(
                phone: phone, region: nil, purpose: .signIn, channel: channel, address: "198.51.100.7",
                callID: call ?? CodeFixture.newCall()))
    }

    /// A line with the member `alarm` needs the operator's attention, whatever its value is.
    @Test func `only a failure that the operator has to fix has an alarm in its log line`() {
        #expect(DeliveryFailure(.misconfigured).metadata["alarm"] == "true")
        #expect(DeliveryFailure(.badNumber).metadata["alarm"] == nil)
        #expect(DeliveryFailure(connection: .timedOut).metadata["failure"] == "timed_out")
    }

    @Test func `a channel goes over each sender that can do it, then over the fallbacks, four at most`() {
        let (one, two) = (RecordingSender("one", abilities: Self.texts), RecordingSender("two", abilities: Self.all))
        let line = SenderLine([one, two], channels: [.sms, .call], fallback: [.call, .whatsapp])
        func ways(_ channel: String) -> [String] {
            line.ways(of: channel, for: .code).map { "\($0.channel) \($0.sender.provider)" }
        }
        #expect(ways("sms") == ["sms one", "sms two", "call two", "whatsapp two"])
        #expect(ways("call") == ["call two", "whatsapp two"])
        let many = SenderLine([two, RecordingSender("three"), RecordingSender("four")], fallback: [.call])
        #expect(many.ways(of: "sms", for: .code).count == 4)
        #expect(one.abilities.contents.contains(.text) == false && line.ways(of: "sms", for: .text).count == 3)
    }

    @Test func `the channel that was asked for goes to the sender; another one is refused`() async throws {
        let sender = RecordingSender()
        try await withFixture(.generous, line: SenderLine([sender], channels: [.sms, .call])) { fixture async throws in
            #expect(try await request(fixture, channel: "call").result == .sent)
            #expect(sender.messages.map(\.channel) == ["call"])
            #expect(try await request(fixture, channel: "whatsapp").result == .unsupportedChannel)
            #expect(try await request(fixture, channel: "voice").result == .unsupportedChannel)
            #expect(sender.messages.count == 1)
        }
    }

    @Test(arguments: [
        (DeliveryFailure.Reason.connection(.timedOut), OTPRequestResult.sent, 2), (.serverError, .sent, 2),
        (.blockedPrefix, .sent, 2),
        (.sendCap, .sent, 2), (.optedOut, .sent, 2), (.channelMisconfigured, .sent, 2), (.throttled, .sent, 2),
        (.refused, .sent, 2), (.misconfigured, .sent, 2),
        (.noTextMessages, .sent, 1), (.noRoute, .sent, 1), (.notOnChannel, .sent, 1), (.badNumber, .invalidPhone, 0),
        (.blockedCountry, .blockedCountry, 0), (.limited, .rateLimited, 0), (.barred, .providerError, 0),
    ])
    func `each outcome leads to the next way, to a call, or to none`(
        reason: DeliveryFailure.Reason, result: OTPRequestResult, left: Int
    ) async throws {
        let (one, two, caller) = (
            RecordingSender("one", abilities: Self.texts), RecordingSender("two", abilities: Self.texts),
            RecordingSender("three", abilities: SenderAbilities(channels: ["call"], contents: [.code]))
        )
        one.fail(with: DeliveryFailure(reason))
        two.fail(with: .timedOut)
        try await withFixture(.generous, line: SenderLine([one, two, caller], fallback: [.call])) {
            fixture async throws in
            #expect(try await request(fixture).result == result)
            #expect(two.messages.count == (left == 2 ? 1 : 0) && caller.messages.count == (left > 0 ? 1 : 0))
            let all = [one, two, caller].flatMap(\.messages)
            #expect(Set(all.map(\.content.code)).count == 1 && Set(all.map(\.id)).count == 1)
            #expect(all.dropLast().allSatisfy { $0.limit <= .seconds(3) } || all.count == 1)
        }
    }

    @Test func `a lost answer without a fallback means one message, and the send stays counted`() async throws {
        let sender = RecordingSender()
        sender.fail(with: .timedOut)
        try await withFixture(.generous, line: SenderLine([sender])) { fixture async throws in
            let call = CodeFixture.newCall()
            #expect(try await request(fixture, call: call).result == .providerError)
            #expect(try await request(fixture, call: call).result == .providerError)
            #expect(sender.messages.count == 1)
        }
    }

    @Test func `a bad number is remembered for a day and that channel, until it is cleared`() async throws {
        let texts = RecordingSender("texts", abilities: Self.texts)
        let calls = RecordingSender("calls", abilities: SenderAbilities(channels: ["call"], contents: [.code]))
        texts.fail(with: DeliveryFailure(.noTextMessages, providerCode: 21_614))
        let line = SenderLine([texts, calls], channels: [.sms, .call])
        try await withFixture(.generous, line: line) { fixture async throws in
            #expect(try await request(fixture).result == .invalidPhone)
            // Not asked again, nor counted; a call is another matter.
            for _ in 0..<3 { #expect(try await request(fixture).result == .invalidPhone) }
            #expect(texts.messages.count == 1)
            #expect(try await request(fixture, channel: "call").result == .sent)
            // Another number is not concerned.
            texts.fail(with: nil)
            #expect(try await request(fixture, phone: "+15551234568").result == .sent)
            fixture.clock.advance(86_399)
            #expect(try await request(fixture).result == .invalidPhone)
            fixture.clock.advance(2)
            #expect(try await request(fixture).result == .sent)

            texts.fail(with: DeliveryFailure(.badNumber))
            fixture.clock.advance(700)
            #expect(try await request(fixture).result == .invalidPhone)
            texts.fail(with: nil)
            #expect(try await fixture.store.clear(fixture.phoneTag(), now: fixture.clock.now))
            #expect(try await request(fixture).result == .sent)
            #expect(try await fixture.store.clear(fixture.phoneTag(), now: fixture.clock.now) == false)
        }
    }

    @Test func `a person who has replied STOP is told so, if nothing else is left`() async throws {
        let (texts, calls) = (
            RecordingSender("texts", abilities: Self.texts),
            RecordingSender("calls", abilities: SenderAbilities(channels: ["call"], contents: [.code]))
        )
        texts.fail(with: DeliveryFailure(.optedOut, providerCode: 21_610))
        try await withFixture(.generous, line: SenderLine([texts])) { fixture async throws in
            #expect(try await request(fixture).result == .optedOut)
        }
        try await withFixture(.generous, line: SenderLine([texts, calls], fallback: [.call])) { fixture async throws in
            #expect(try await request(fixture).result == .sent)
        }
    }

    @Test func `a misconfigured sender is tried on no other channel`() async throws {
        let (one, two) = (RecordingSender("one"), RecordingSender("two", abilities: Self.texts))
        one.fail(with: DeliveryFailure(.misconfigured))
        two.fail(with: .timedOut)
        try await withFixture(.generous, line: SenderLine([one, two], fallback: [.call])) { fixture async throws in
            #expect(try await request(fixture).result == .providerError)
            #expect(one.messages.map(\.channel) == ["sms"] && two.messages.map(\.channel) == ["sms"])
        }
    }

    @Test func `an undelivered message makes the number's next day begin with the fallback`() async throws {
        let (texts, calls) = (
            RecordingSender("texts", abilities: Self.texts),
            RecordingSender("calls", abilities: SenderAbilities(channels: ["call"], contents: [.code]))
        )
        try await withFixture(.generous, line: SenderLine([texts, calls], fallback: [.call])) { fixture async throws in
            let (tag, clock) = (fixture.tag(ofPhone: CodeFixture.phone), fixture.clock)
            // Nothing went out to it: a report says nothing.
            try await fixture.store.noteUndelivered(tag, by: .sms, now: clock.now)
            #expect(try await request(fixture).result == .sent)
            #expect(texts.messages.count == 1 && calls.messages.isEmpty)

            try await fixture.store.noteUndelivered(tag, by: .sms, now: clock.now)
            #expect(try await request(fixture).result == .sent)
            #expect(texts.messages.count == 1 && calls.messages.count == 1)
            // Text messages are the last way then, not lost.
            calls.fail(with: .timedOut)
            #expect(try await request(fixture).result == .sent)
            #expect(texts.messages.count == 2 && calls.messages.count == 2)
            // Another number is not concerned, and the operator can lift it.
            calls.fail(with: nil)
            #expect(try await request(fixture, phone: "+15551234568").result == .sent)
            #expect(texts.messages.count == 3)
            #expect(try await fixture.store.clear(tag, now: clock.now))
            #expect(try await request(fixture).result == .sent && texts.messages.count == 4)
            try await fixture.store.noteUndelivered(tag, by: .sms, now: clock.now)
            clock.advance(86_401)
            #expect(try await request(fixture).result == .sent && texts.messages.count == 5)
        }
    }

    @Test func `a number without a fallback keeps its channel after an undelivered message`() async throws {
        let sender = RecordingSender("texts", abilities: Self.texts)
        try await withFixture(.generous, line: SenderLine([sender])) { fixture async throws in
            _ = try await request(fixture)
            try await fixture.store.noteUndelivered(
                fixture.tag(ofPhone: CodeFixture.phone), by: .sms, now: fixture.clock.now)
            #expect(try await request(fixture).result == .sent && sender.messages.count == 2)
        }
    }

    @Test func `where a fallback did it, the number is bad on the first channel alone`() async throws {
        let texts = RecordingSender("texts", abilities: Self.texts)
        let calls = RecordingSender("calls", abilities: SenderAbilities(channels: ["call"], contents: [.code]))
        texts.fail(with: DeliveryFailure(.noTextMessages))
        try await withFixture(.generous, line: SenderLine([texts, calls], fallback: [.call])) { fixture async throws in
            for _ in 0..<3 { #expect(try await request(fixture).result == .sent) }
            #expect(texts.messages.count == 1 && calls.messages.count == 3)
        }
    }

    @Test func `a new code closes the earlier one's verification, a resend does not`() async throws {
        let sender = RecordingSender()
        try await withFixture(.generous, line: SenderLine([sender]), redisSeconds: 600) { fixture async throws in
            for _ in 0..<2 { _ = try await request(fixture) }
            fixture.clock.advance(OTPPolicy.generous.lifetimeSeconds)
            _ = try await request(fixture)
            #expect(sender.messages.map(\.replacesEarlier) == [false, false, true])
        }
        // A Redis that runs for less than ten minutes may have forgotten a code.
        try await withFixture(.generous, line: SenderLine([sender]), redisSeconds: 599) { fixture async throws in
            _ = try await request(fixture)
            #expect(sender.messages.last?.replacesEarlier == true)
        }
    }

    @Test func `a code whose message failed closes the earlier one's verification when it is asked for again`()
        async throws
    {
        let sender = RecordingSender()
        try await withFixture(.generous, line: SenderLine([sender]), redisSeconds: 600) { fixture async throws in
            _ = try await request(fixture)
            fixture.clock.advance(OTPPolicy.generous.lifetimeSeconds)
            sender.fail(with: .timedOut)
            for _ in 0..<2 { _ = try await request(fixture) }
            sender.fail(with: nil)
            // Another sender may have taken the first of these.
            for _ in 0..<2 { _ = try await request(fixture) }
            #expect(sender.messages.map(\.replacesEarlier) == [false, true, true, true, true])
            #expect(Set(sender.messages.dropFirst().map(\.content.code)).count == 1)
        }
    }

    @Test func `codes of two dialects close each other's verification, resends too`() async throws {
        let sender = RecordingSender()
        try await withFixture(
            .generous, aarokya: .generous, line: SenderLine([sender]), redisSeconds: 600
        ) { fixture async throws in
            for dialect in [nil, Dialect.aarokya, nil, nil, Dialect.aarokya] {
                try await fixture.request(in: dialect)
            }
            #expect(sender.messages.map(\.replacesEarlier) == [false, true, true, true, true])
            #expect(Set(sender.messages.map(\.content.code)).count == 2)
        }
    }

    @Test func `who asks for no channel gets texts, or the first that the policy has`() async throws {
        let sender = RecordingSender()
        let line = SenderLine([sender], channels: [.whatsapp, .call])
        try await withFixture(.generous, line: line) { fixture async throws in
            #expect(try await request(fixture).result == .sent)
            #expect(try await request(fixture, channel: "sms").result == .unsupportedChannel)
            #expect(sender.messages.map(\.channel) == ["whatsapp"])
        }
        #expect(SenderLine([sender], channels: [.call, .sms]).defaultChannel == "sms")
    }

    @Test func `five failures open the circuit, nothing is counted meanwhile, and one message tries again`() {
        let circuit = Circuit(provider: "test", channel: "sms")
        var now = ContinuousClock.now
        for _ in 0..<4 { circuit.note(isOutage: true, now: now) }
        now += .seconds(31)
        circuit.note(isOutage: true, now: now)
        #expect(circuit.waitSeconds(now: now) == nil)
        for _ in 0..<4 { circuit.note(isOutage: true, now: now) }
        #expect(circuit.waitSeconds(now: now) == 30 && !circuit.begin(now: now))
        // What was under way when it opened closes nothing.
        circuit.note(isOutage: false, now: now)
        #expect(circuit.waitSeconds(now: now + .seconds(29)) == 1)
        now += .seconds(30)
        #expect(circuit.begin(now: now) && !circuit.begin(now: now) && circuit.waitSeconds(now: now) == 1)
        circuit.note(isOutage: true, now: now)
        #expect(circuit.waitSeconds(now: now) == 30)
        now += .seconds(30)
        #expect(circuit.begin(now: now))
        circuit.note(isOutage: false, now: now)
        #expect(circuit.waitSeconds(now: now) == nil && circuit.begin(now: now) && circuit.begin(now: now))
    }

    @Test func `with the circuit open and nothing left nobody waits, and nothing is counted`() async throws {
        let sender = RecordingSender()
        sender.fail(with: .timedOut)
        var policy = OTPPolicy.generous
        policy.sendsPerRecipient = [RateLimit(max: 6, windowSeconds: 3_600)]
        try await withFixture(policy, line: SenderLine([sender])) { fixture async throws in
            for _ in 0..<5 { #expect(try await request(fixture).result == .providerError) }
            for _ in 0..<5 {
                let answer = try await request(fixture)
                #expect(answer.result == .providerError && (1...30).contains(answer.retryAfterSeconds ?? 0))
            }
            #expect(sender.messages.count == 5)
            #expect(try await fixture.redis.send(["HLEN", "otp:1:refusals"]).integerValue == 0)
        }
    }

    @Test func `a full process sends nothing and counts nothing`() async throws {
        let sender = RecordingSender()
        let load = SendLoad(limit: 1)
        var policy = OTPPolicy.generous
        policy.sendsPerRecipient = [RateLimit(max: 1, windowSeconds: 3_600)]
        try await withFixture(policy, line: SenderLine([sender], load: load)) { fixture async throws in
            #expect(load.enter())
            for _ in 0..<3 {
                #expect(try await request(fixture) == OTPRequestAnswer(.providerError, retryAfterSeconds: 1))
            }
            load.leave()
            #expect(try await request(fixture).result == .sent)
            #expect(load.enter())
        }
    }
}

extension CodeFixture {
    /// The stand-in of the fixture's number.
    func phoneTag() throws -> RecipientTag {
        let request = try phones.codes(of: nil).request
        let phone = try #require(request.send.subjects.rules.phone(Self.phone, region: nil))
        return request.send.subjects.secrets.tag(.phone(phone))
    }
}
