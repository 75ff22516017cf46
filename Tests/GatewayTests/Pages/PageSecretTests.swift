import Testing

@testable import GatewayCore

@Suite struct PageSecretTests {
    private static let text = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"

    @Test func `a refresh by cookie has the HMAC of its token as key`() throws {
        let secret = try #require(PageSecret(Self.text))
        #expect(secret.key(for: "rt_00ff") == "14PhgFt3SEbRTz-Jz7mRLssaitjn5v580kQ01xOfAaA")
        #expect(secret.key(for: "rt_00ff") != secret.key(for: "rt_00fe"))
        let other = try #require(PageSecret("AQECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"))
        #expect(other.key(for: "rt_00ff") != secret.key(for: "rt_00ff"))
    }

    @Test(arguments: [
        "", "AAEC", text + "A", text + "=", "\"" + text + "\"", String(text.dropLast()) + "9",
        text.replacing("A", with: "+"), text.lowercased() + "xx",
    ])
    func `a value that we never set is no secret`(_ value: String) { #expect(PageSecret(value) == nil) }
}
