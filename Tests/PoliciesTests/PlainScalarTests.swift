import Testing

@testable import Policies

/// The scalars that YAML 1.1 takes for text, by the examples of its type repository and of policies.
@Suite struct PlainScalarTests {
    @Test(arguments: [
        "", "~", "null", "Null", "yes", "No", "NO", "true", "OFF", "<<", "=", "0", "-1", "+15551234567", "1_000",
        "0b101",
        "0x_1F", "0o17", "017", "685.230_15e+03", "6.8523015e+5", "1e3", "1.", ".5", "-.5", "190:20:30", "190:20:30.15",
        ".inf", "-.INF", "+.Inf", ".NaN", "2001-12-14", "2001-1-1 10:00:00", "2001-12-14t21:59:43.10-05:00",
    ])
    func `what YAML takes for something else is no text`(_ text: String) { #expect(!PlainScalar.isText(text)) }

    @Test(arguments: [
        "RS256", "howru.app", "yEs", "nULL", "n", "y", "10.0.0.0/8", "10.0.0.1", "1.2.3", "::1", "fe80::/10", "1a",
        "0xg",
        "0o", "-", "+", ".", "..", "-x", "1e", "1e+", "e3", "190:", "190:123", "12:60x", "1-2-3", "2001-12",
        "2001-12-14x",
        "20011-2-3", "http://127.0.0.1:3000", "/api/**", "é", "＋1",
    ])
    func `all else is text`(_ text: String) { #expect(PlainScalar.isText(text)) }
}
