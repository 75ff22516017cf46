import Testing

@testable import GatewayCore

@Suite struct PageSecretTests {
    private static let text = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"

    @Test func `a value that token-service made is a secret`() { #expect(PageSecret(Self.text)?.text == Self.text) }

    @Test(arguments: [
        "", "AAEC", text + "A", text + "=", "\"" + text + "\"", String(text.dropLast()) + "9",
        text.replacing("A", with: "+"), text.lowercased() + "xx",
    ])
    func `a value that we never set is no secret`(_ value: String) { #expect(PageSecret(value) == nil) }
}
