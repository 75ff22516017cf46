import CryptoPrimitives
import TestSupport
import Testing

@testable import WebAuthn

/// Client data that both ceremonies have to refuse (guide to passkeys, hostile inputs 1 to 9).
@Suite struct HostileClientDataTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let refusal: WebAuthnRefusal
        /// Makes the client data of an authenticator for a `type` and the encoded challenge.
        let make: @Sendable (SoftwareAuthenticator, _ type: String, _ challenge: String) -> [UInt8]

        var testDescription: String { name }

        init(
            _ name: String, _ refusal: WebAuthnRefusal,
            _ make: @escaping @Sendable (SoftwareAuthenticator, String, String) -> [UInt8]
        ) { (self.name, self.refusal, self.make) = (name, refusal, make) }
    }

    static let cases: [Case] =
        [
            Case("the other ceremony", .ceremony) {
                $0.clientData($1 == "webauthn.get" ? "webauthn.create" : "webauthn.get", challenge: $2)
            },
            Case("a payment", .ceremony) { $0.clientData("payment.get", challenge: $2) },
            Case("another challenge", .challenge) { authenticator, type, _ in
                authenticator.clientData(type, challenge: Base64URL.encode(SecureRandom.bytes(32)))
            },
            Case("an empty challenge", .challenge) { authenticator, type, _ in
                authenticator.clientData(type, challenge: "")
            },
            Case("a padded challenge", .challenge) { $0.clientData($1, challenge: $2 + "=") },
            Case("a challenge with set trailing bits", .challenge) { $0.clientData($1, challenge: trailing($2)) },
            Case("cross-origin", .frame) { $0.clientData($1, challenge: $2, more: ",\"crossOrigin\":true") },
            Case("a top origin", .frame) {
                $0.clientData($1, challenge: $2, more: ",\"topOrigin\":\"https://app.example.com\"")
            },
            Case("a null top origin", .frame) { $0.clientData($1, challenge: $2, more: ",\"topOrigin\":null") },
            Case("cross-origin as a text", .clientData) {
                $0.clientData($1, challenge: $2, more: ",\"crossOrigin\":\"false\"")
            },
            Case("a second origin", .clientData) {
                $0.clientData($1, challenge: $2, more: ",\"origin\":\"https://app.example.com\"")
            },
            Case("a second type", .clientData) { $0.clientData($1, challenge: $2, more: ",\"type\":\"\($1)\"") },
            Case("a second type, escaped", .clientData) {
                $0.clientData($1, challenge: $2, more: ",\"\\u0074ype\":\"\($1)\"")
            },
            Case("60 KB", .clientData) {
                $0.clientData($1, challenge: $2, more: ",\"a\":\"\(String(repeating: "a", count: 61_440))\"")
            },
            Case("nested deeply", .clientData) {
                let (open, close) = (String(repeating: "[", count: 999), String(repeating: "]", count: 999))
                return $0.clientData($1, challenge: $2, more: ",\"a\":\(open)\(close)")
            },
            Case("a byte order mark", .clientData) { [0xEF, 0xBB, 0xBF] + $0.clientData($1, challenge: $2) },
            Case("a byte after it", .clientData) { $0.clientData($1, challenge: $2) + [0] },
            Case("no JSON", .clientData) { _, type, _ in Array(type.utf8) },
            Case("nothing", .clientData) { _, _, _ in [] },
            Case("an array", .clientData) { [UInt8(ascii: "[")] + $0.clientData($1, challenge: $2) + [0x5D] },
            Case("no origin", .clientData) { Array("{\"type\":\"\($1)\",\"challenge\":\"\($2)\"}".utf8) },
            Case("an origin that is a number", .clientData) {
                Array("{\"type\":\"\($1)\",\"challenge\":\"\($2)\",\"origin\":1}".utf8)
            },
        ]
        + [
            "http://app.example.com", "https://app.example.com:443", "https://app.example.com/",
            "https://APP.example.com",
            "https://app.example.com.evil.com", "https://evil.com", "https://app.example.com@evil.com",
            "https://sub.auth.example.com", "https://auth.example.com.", "null", "", "https://\u{430}pp.example.com",
            "ios:bundle-id:com.example", RelyingParty.androidOrigin(certificateSHA256: SHA256.hash([2])),
        ].map { (origin: String) in
            Case("the origin \(origin)", .origin) { $0.clientData($1, challenge: $2, origin: origin) }
        }

    @Test(arguments: cases) func `a registration with it is refused`(hostile: Case) throws {
        let (site, authenticator) = (try Site.shared.get(), try Site.shared.get().authenticator())
        let data = hostile.make(authenticator, "webauthn.create", Base64URL.encode(site.challenge))
        let registration = authenticator.registration(challenge: site.challenge, clientData: data)
        #expect(throws: hostile.refusal) { try site.register(registration) }
    }

    @Test(arguments: cases) func `an assertion that signs it is refused`(hostile: Case) throws {
        let (site, authenticator) = (try Site.shared.get(), try Site.shared.get().authenticator())
        let data = hostile.make(authenticator, "webauthn.get", Base64URL.encode(site.challenge))
        let assertion = try authenticator.assertion(challenge: site.challenge, clientData: data)
        #expect(throws: hostile.refusal) { try site.verify(assertion, record: authenticator.record) }
    }

    /// Returns a second spelling of 32 bytes: the last digit has two bits that decode to nothing.
    private static func trailing(_ challenge: String) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        guard let last = challenge.last, let place = digits.firstIndex(of: last) else { return challenge }
        return challenge.dropLast() + String(digits[place + 1])
    }
}
