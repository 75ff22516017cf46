import Delivery
import InternalAPI
import Policies
import Testing

@testable import OTPCore

@Suite(.timeLimit(.minutes(5))) struct MessageFormTests {
    private static let hash = "FA+9qCX9VSu"

    @Test func `an app of ours gets Android's form, an unlisted hash is refused, and nothing is counted`() async throws
    {
        let texts = SMSTexts(
            otp: .howru, domain: "howru.app", hashes: [Self.hash], byLocale: ["de": "{code} ist dein Code"])
        try await withFixture(.howru, texts: texts) { fixture async throws in
            await #expect(throws: InvalidInput.self) { try await request(fixture, hash: "AAAAAAAAAAA") }
            await #expect(throws: InvalidInput.self) { try await request(fixture, hash: "") }
            #expect(fixture.sender.messages.isEmpty)
            _ = try await request(fixture, hash: Self.hash, locale: "de-CH")
            _ = try await request(fixture, hash: nil)
            let messages = fixture.sender.messages
            let code = try #require(messages.first?.content.code)
            #expect(
                messages.map(\.content.text) == [
                    "<#> \(code) ist dein Code\n\(Self.hash)", "Your HowRU code is \(code)\n\n@howru.app #\(code)",
                ])
            #expect(messages.map(\.smsLocale) == ["de", nil])
        }
    }

    /// The line fills in the code of a text message; a voice would read it out.
    @Test(arguments: [nil, "call"])
    func `a call has the sentence alone, also as the fallback of a text message`(channel: String?) async throws {
        let texts = SMSTexts(otp: .howru, domain: "howru.app")
        let (sms, caller) = (
            RecordingSender("sms", abilities: SenderAbilities(channels: ["sms"], contents: [.code])),
            RecordingSender("call", abilities: SenderAbilities(channels: ["call"], contents: [.code]))
        )
        sms.fail(with: .timedOut)
        let line = SenderLine([sms, caller], channels: [.sms, .call], fallback: [.call])
        try await withFixture(.howru, texts: texts, line: line) { fixture async throws in
            _ = try await fixture.phones.codes(of: nil).request(
                OTPRequest(
                    phone: CodeFixture.phone, region: nil, purpose: .signIn, channel: channel,
                    address: "198.51.100.7", callID: CodeFixture.newCall()))
            let code = try #require(caller.messages.first?.content.code)
            #expect(caller.messages.map(\.content.text) == ["Your HowRU code is \(code)"])
            let text = "Your HowRU code is \(code)\n\n@howru.app #\(code)"
            #expect(sms.messages.map(\.content.text) == (channel == nil ? [text] : []))
        }
    }

    @discardableResult
    private func request(
        _ fixture: CodeFixture, hash: String?, locale: String? = nil
    ) async throws -> OTPRequestAnswer {
        try await fixture.phones.codes(of: nil).request(
            OTPRequest(
                phone: CodeFixture.phone, region: nil, purpose: .signIn, locale: locale, address: "198.51.100.7",
                callID: CodeFixture.newCall(), appHash: hash))
    }
}
