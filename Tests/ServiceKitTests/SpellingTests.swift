import SettingNames
import Testing

@Suite struct SpellingTests {
    private static let names = [
        "attemptsPerPhone", "length", "lifetimeSeconds", "message", "LATCHKEY_FAKES", "otp", "oidc",
    ]

    @Test(arguments: [
        ("lenght", "length"), ("lifetimeSecond", "lifetimeSeconds"), ("life_time_seconds", "lifetimeSeconds"),
        ("MESSAGE", "message"), ("mesage", "message"), ("LATCHKEY_FAKE", "LATCHKEY_FAKES"), ("opt", "otp"),
        ("attemptsPerNumber", nil), ("colour", nil), ("", nil), (String(repeating: "x", count: 100_000), nil),
    ])
    func `a slip of the finger is understood, and nothing else`(typed: String, meant: String?) {
        #expect(Spelling.nearest(to: typed, among: Self.names) == meant)
    }

    @Test func `only variables of ours that nothing reads are unknown`() {
        let unknown = UnknownVariable.all(in: ["LATCHKEY_POLICYS", "LATCHKEY_ENV", "PATH", "LATCHKEY_COLOUR"])
        #expect(
            unknown.map(\.description) == [
                "LATCHKEY_COLOUR is not a setting of Latchkey and has no effect. deploy/docs/reference/settings.md lists all settings.",
                "LATCHKEY_POLICYS is not a setting of Latchkey and has no effect. Did you mean LATCHKEY_POLICY?",
            ])
    }
}
