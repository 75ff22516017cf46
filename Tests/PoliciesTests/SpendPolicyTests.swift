import Testing

@testable import Policies

@Suite struct SpendPolicyTests {
    private static let good = """
        spend:
          currency: USD
          budget: { hour: 200000, day: 1000000 }
          prices:
            - { prefix: default, sms: 750 }
            - { prefix: "+44", sms: 400, call: 900, whatsapp: 200, hour: 50000, day: 100000 }
            - { prefix: "+4475", sms: 450 }

        """

    @Test func `it is off unless it is there, and its defaults enforce`() throws {
        #expect(try Policy.parse(PolicyText.minimal, file: "test.yaml").spend == nil)
        let spend = try #require(try Policy.parse(PolicyText.minimal + Self.good, file: "test.yaml").spend)
        #expect(spend.mode == .enforce && spend.strangersPercent == 80 && spend.currency == "USD")
        #expect(spend.unrecognisedPart(of: 200_000) == 160_000)
        #expect(spend.row(e164: "+447512345678")?.prices == ["sms": 450])
        #expect(spend.row(e164: "+442079460958")?.prices["call"] == 900)
        #expect(spend.row(e164: "+15551234567")?.prefix == "default")
    }

    @Test(arguments: [
        ("currency: USD", "currency: usd"), ("currency: USD", "strangersPercent: 80"), ("hour: 200000", "hour: 0"),
        ("hour: 200000", "hour: 1000000000001"), ("hour: 200000", "hour: 1.5"), ("prefix: default", "prefix: \"+1\""),
        ("prefix: \"+4475\"", "prefix: \"+44\""), ("prefix: \"+4475\"", "prefix: \"44\""), ("sms: 450", "sms: -1"),
        ("sms: 450", "call: 450"), ("sms: 450", "sms: 10000001"), ("sms: 450", "mms: 450"),
        ("currency: USD", "currency: USD\n  mode: on"), ("currency: USD", "currency: USD\n  strangersPercent: 0"),
        // The part of unrecognised clients is less than one message.
        ("sms: 400, call: 900", "sms: 40001, call: 900"), ("sms: 750", "sms: 160001"),
    ])
    func `what is wrong with it stops the start`(_ old: String, _ new: String) {
        #expect(PolicyText.findings(PolicyText.minimal + Self.good).isEmpty)
        #expect(PolicyText.findings(PolicyText.minimal + Self.good.replacing(old, with: new)).isEmpty == false)
    }

    @Test func `each channel that messages go out by has a price in each row, the fallbacks too`() {
        func findings(_ messages: String, _ spend: String) -> [String] {
            PolicyText.findings(PolicyText.minimal + spend + "messages:\n  \(messages)\n").map { "\($0)" }
        }
        let calls = Self.good.replacing("sms: 750", with: "sms: 750, call: 900")
            .replacing("sms: 450", with: "sms: 450, call: 900")
        for messages in ["channels: [sms, call]", "fallback: [call]"] {
            #expect(findings(messages, Self.good).contains { $0.contains("call") })
            #expect(findings(messages, calls).isEmpty)
        }
    }

    @Test func `production warns where there is none`() throws {
        let (bare, guarded) = (
            try Policy.parse(PolicyText.minimal, file: "test.yaml"),
            try Policy.parse(PolicyText.minimal + Self.good, file: "test.yaml")
        )
        #expect(bare.cautions(in: .production).contains { $0.contains("spend") })
        #expect(!guarded.cautions(in: .production).contains { $0.contains("spend") })
        #expect(bare.cautions(in: .uat).isEmpty)
    }
}
