import Foundation
import Testing

@testable import LatchkeyAuth

/// Passkeys in the JSON of WebAuthn, with the first test vector of its Level 3 (section 16.1, `none.ES256`).
@Suite struct PasskeyJSONTests {
    private static let id = "-R85HbTJsv3g6nAYnLo_tj9Xm6YSKzOtlP8-wzAIS-Q"
    private static let attestation =
        "o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVikv6vDdDKViwYzYNOtZGHJxHNa5_jt1GWSpeDwFFKy5LVZAAAAAIRGzLmrHbN0dQsjZ_9vOh8AIPkfO"
        + "R20ybL94OpwGJy6P7Y_V5umEiszrZT_PsMwCEvkpQECAyYgASFYIK_voW-XypstI-uGzLZAmNINuQhWBi6yScM6m2cvJt9hIlggkwpWuHovymYzSwN"
        + "Fir-HlxfBLMaO1zKQry4mZHlrkiA"
    private static let clientData =
        "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiT2NEblVoUVh1bFRVUG8zSlVYVDBJOTdwdnp6WUJQOXRaY2hYeWF2MDFBZyIsIm9yaWdpb"
        + "iI6Imh0dHBzOi8vZXhhbXBsZS5vcmciLCJjcm9zc09yaWdpbiI6ZmFsc2V9"
    private static let authenticatorData = "v6vDdDKViwYzYNOtZGHJxHNa5_jt1GWSpeDwFFKy5LUZAAAAAA"
    private static let signature =
        "MEYCIQD1Ck4uRAkknEqFO6NhKC8JhB303UVHoTqHeAIY3v_NOAIhAISArA8Lk1OBdPV1vxGh3V14xuSGAT-TcpXqE2U-Mx6H"

    private func options(_ publicKey: String) throws -> PasskeyOptions? {
        let text = #"{"challengeId":"ch_1","expiresAt":1800000300,"publicKey":\#(publicKey)}"#
        return PasskeyOptions(try #require(JSONText.decode(Data(text.utf8))))
    }

    private func data(_ text: String) throws -> Data { Data(try #require(Base64URL.decode(text))) }

    @Test func `the server's options for a new passkey are read`() throws {
        let options = try #require(
            try options(
                """
                {"rp":{"id":"auth.example.com","name":"Example"},"challenge":"AMMPt4UxxGTStncdq417YDwBFi8vpIa-pw8oOuVW4TA",
                "user":{"id":"aGFuZGxlLTE","name":"+15551234567","displayName":"Betty"},"timeout":300000,
                "pubKeyCredParams":[{"type":"public-key","alg":-7},{"type":"public-key","alg":-8}],"attestation":"none",
                "excludeCredentials":[{"type":"public-key","id":"cGFzc2tleS0x","transports":["internal","hybrid"]}],
                "authenticatorSelection":{"residentKey":"required","requireResidentKey":true,"userVerification":"preferred"}}
                """))
        let challenge = "00c30fb78531c464d2b6771dab8d7b603c01162f2fa486bea70f283ae556e130"
        #expect(
            options.creation
                == PasskeyCreation(
                    relyingParty: "auth.example.com", challenge: Data(hex: challenge),
                    userHandle: Data("handle-1".utf8), userName: "+15551234567", displayName: "Betty",
                    userVerification: .preferred, excludedCredentialIDs: [Data("passkey-1".utf8)]))
    }

    @Test func `a sign-up has no name yet, and a server that says nothing has the user verified`() throws {
        let text = #"{"rp":{"id":"localhost"},"challenge":"AA","user":{"id":"AQ","name":""}}"#
        let creation = try #require(try options(text)?.creation)
        #expect(creation.userName.isEmpty && creation.displayName.isEmpty && creation.excludedCredentialIDs.isEmpty)
        #expect(creation.userVerification == .required)
    }

    @Test func `the server's options for the use of a passkey are read`() throws {
        let text = """
            {"challenge":"AA","rpId":"example.com","timeout":300000,"userVerification":"required",
            "allowCredentials":[{"type":"public-key","id":"cGFzc2tleS0x"},{"type":"public-key","id":"not base64"}]}
            """
        let options = try #require(try options(text))
        #expect(
            options.request(autoFill: true)
                == PasskeyRequest(
                    relyingParty: "example.com", challenge: Data([0]), userVerification: .required,
                    allowedCredentialIDs: [Data("passkey-1".utf8)], isAutoFill: true))
        #expect(options.patience == .seconds(225))
    }

    @Test(arguments: [
        ("300000", 225), ("0", 7), ("-9223372036854775808", 7), ("9223372036854775807", 2700), (#""x""#, 225),
    ])
    func `the patience of the keyboard is within bounds`(_ timeout: String, _ seconds: Int64) throws {
        let options = try #require(try options(#"{"timeout":\#(timeout)}"#))
        #expect(options.patience.components.seconds == seconds)
    }

    @Test(arguments: [
        "{}", "[]", "null", #"{"challenge":"AA"}"#, #"{"rpId":"a","rp":{"id":"a"},"user":{"id":"AA"}}"#,
        #"{"rpId":"a","rp":{"id":"a"},"user":{"id":"AA"},"challenge":"+/=="}"#,
        #"{"rpId":1,"rp":{"id":1},"user":{"id":"AA"},"challenge":"AA"}"#,
    ])
    func `options without a challenge or a domain are none`(_ publicKey: String) throws {
        let options = try options(publicKey)
        #expect(options?.creation == nil)
        #expect(options?.request(autoFill: false) == nil)
    }

    @Test func `a new passkey is sent as a browser sends it`() throws {
        let created = CreatedPasskey(
            credentialID: try data(Self.id), clientDataJSON: try data(Self.clientData),
            attestationObject: try data(Self.attestation))
        #expect(
            String(decoding: JSONText.encode(created.json), as: UTF8.self)
                == """
                {"clientExtensionResults":{},"id":"\(Self.id)","rawId":"\(Self.id)","response":{"attestationObject":\
                "\(Self.attestation)","clientDataJSON":"\(Self.clientData)","transports":[]},"type":"public-key"}
                """)
    }

    @Test func `a signed challenge is sent as a browser sends it`() throws {
        let assertion = PasskeyAssertion(
            credentialID: try data(Self.id), clientDataJSON: try data(Self.clientData),
            authenticatorData: try data(Self.authenticatorData), signature: try data(Self.signature),
            userHandle: Data("handle-1".utf8))
        #expect(
            String(decoding: JSONText.encode(assertion.json), as: UTF8.self)
                == """
                {"clientExtensionResults":{},"id":"\(Self.id)","rawId":"\(Self.id)","response":{"authenticatorData":\
                "\(Self.authenticatorData)","clientDataJSON":"\(Self.clientData)","signature":"\(Self.signature)",\
                "userHandle":"aGFuZGxlLTE"},"type":"public-key"}
                """)
    }

    @Test func `the system's errors have a meaning`() {
        let refused = { AuthError.refused(status: 0, code: $0, requestID: nil) }
        let text = "Application with identifier ABCDE.com.example is not associated with domain example.com"
        let unverified = "Unable to verify webcredentials association of ABCDE.com.example with domain example.com."
        let cases: [(Int?, [String], AuthError)] = [
            (1001, [], .cancelled), (1001, [text], .cancelled), (1006, [], .passkeyExists),
            (1010, [], refused("passkeys_off")),
            (1004, [text], refused("domain_not_associated")), (1004, [unverified], refused("domain_not_associated")),
            (1004, ["x"], refused("passkey_failed")),
            (1000, [], refused("passkey_failed")), (nil, [text], refused("passkey_failed")),
        ]
        for (code, texts, error) in cases { #expect(PasskeyFault.error(code, texts) == error) }
        #expect([1001, 1003, 1005, 1009, 1010].allSatisfy { PasskeyFault.wantsForm($0) })
        #expect([nil, 1000, 1002, 1004, 1006].allSatisfy { !PasskeyFault.wantsForm($0) })
    }

    @Test func `no secret is printed`() {
        let values: [Any] = [
            SecondFactor.totp("123456"), SecondFactor.recoveryCode("abcd-efgh"),
            MfaToken("mfa_secret"),
            TOTPSecret(secret: "JBSWY3DP", uri: "otpauth://x"),
            AuthError.secondFactorRequired(MfaToken("mfa_secret"), methods: ["totp"]),
            PasskeyAccount(
                phone: "+15551234567", name: "Betty",
                passkey: CreatedPasskey(credentialID: Data(), clientDataJSON: Data(), attestationObject: Data())),
        ]
        for value in values {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(reflecting: value), dumped] {
                for secret in ["123456", "abcd", "mfa_secret", "JBSWY", "otpauth", "5551234567", "Betty"] {
                    #expect(!text.contains(secret), "\(text)")
                }
            }
        }
    }
}

extension Data {
    /// The bytes of hexadecimal digits.
    fileprivate init(hex: String) {
        let digits = hex.compactMap(\.hexDigitValue)
        self.init(stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
    }
}
