import ServiceCalls
import Testing

@testable import Delivery

/// The vectors of integration guide 1.3, measured with Twilio's own library.
@Suite struct TwilioSignatureTests {
    private static let url = "https://auth.example.com/webhooks/twilio/status"
    private static let fields = [
        ("AccountSid", "AC0123456789abcdef0123456789abcdef"), ("ApiVersion", "2010-04-01"), ("From", "+15005550006"),
        ("MessageSid", "SM0123456789abcdef0123456789abcdef"), ("MessageStatus", "delivered"), ("To", "+14155552671"),
    ]
    private static let signature = "S7tI5x9MVMyaE5UpctQP0uE5R+Q="

    private func isValid(
        _ signature: String = Self.signature, url: String = Self.url, fields: [(String, String)] = Self.fields,
        body: [UInt8]? = nil, tokens: [String] = ["12345"]
    ) -> Bool { TwilioSignature.isValid(signature, url: url, fields: fields, body: body, tokens: tokens) }

    @Test func `Twilio's own example`() {
        let fields = [
            ("To", "+18005551212"), ("From", "+14158675309"), ("Digits", "1234"), ("Caller", "+14158675309"),
            ("CallSid", "CA1234567890ABCDE"),
        ]
        #expect(
            TwilioSignature.sign(url: "https://mycompany.com/myapp.php?foo=1&bar=2", fields: fields, token: "12345")
                == "RSOYDt4T1cUTdK1PDd93/VVr8B8=")
    }

    @Test func `a callback is known with and without the port of its scheme, by either token`() {
        #expect(isValid())
        #expect(isValid("nhqJO4x2bHklp6SFj5hgBBBg/Yw="))
        #expect(isValid(url: "https://auth.example.com:443/webhooks/twilio/status"))
        #expect(isValid(tokens: ["other", "12345"]))
    }

    @Test func `whatever is altered is refused`() {
        #expect(!isValid(tokens: ["other"]) && !isValid(tokens: []))
        #expect(!isValid("") && !isValid("S7tI5x9MVMyaE5UpctQP0uE5R+Q"))
        #expect(!isValid(url: Self.url + "?a=1") && !isValid(url: "http://auth.example.com/webhooks/twilio/status"))
        for index in Self.fields.indices {
            var altered = Self.fields
            altered[index].1 += "0"
            #expect(!isValid(fields: altered))
            altered.remove(at: index)
            #expect(!isValid(fields: altered))
        }
    }

    @Test func `a JSON body is bound by its digest`() {
        let url = Self.url + "?bodySHA256=015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862"
        let signature = "Zo58cdbeWrXPlKGoQi8wDLlxB3U="
        #expect(isValid(signature, url: url, fields: [], body: Array(#"{"a":1}"#.utf8)))
        #expect(!isValid(signature, url: url, fields: [], body: Array(#"{"a":2}"#.utf8)))
    }

    @Test func `a field without a value is signed with its name`() {
        let signature = TwilioSignature.sign(url: Self.url, fields: Self.fields + [("ErrorCode", "")], token: "12345")
        #expect(signature != Self.signature)
        #expect(isValid(signature, fields: [("ErrorCode", "")] + Self.fields))
    }

    @Test(
        arguments: [
            ("a=1&b=%2B+c&d=", [["a", "1"], ["b", "+ c"], ["d", ""]]), ("", []), ("x", [["x", ""]]),
            ("a=%", nil), ("a=%4", nil), ("a=%zz", nil), ("a=%FF", nil), ("a=1&b=2&c=3&d=4&e=5", nil),
        ] as [(String, [[String]]?)])
    func `forms are read as browsers write them, or not at all`(text: String, fields: [[String]]?) {
        #expect(FormText.decode(text, countMax: 4).map { $0.map { [$0.0, $0.1] } } == fields)
    }

    @Test func `what is encoded comes back`() {
        let fields = [("To", "+1 & =%é\u{1F600}"), ("*-._", "~/?")]
        #expect(
            FormText.decode(FormText.encode(fields), countMax: 2).map { $0.map { "\($0)" } } == fields.map { "\($0)" })
    }
}
