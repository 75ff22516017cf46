import CryptoPrimitives
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

@Suite struct FormBodyTests {
    @Test func `fields are decoded once, empty ones count as left out`() throws {
        let form = try FormBody(Array("token=a%2Bb+c&empty=&hint=x%3dy=z&name=%C3%A9".utf8))
        #expect(form["token"] == "a+b c" && form["empty"] == nil && form["none"] == nil)
        #expect(form["hint"] == "x=y=z" && form["name"] == "é")
        #expect(try FormBody([])["token"] == nil)
        #expect(try FormBody(Array("token=%252B".utf8))["token"] == "%2B")
    }

    @Test(arguments: [
        "token", "=x", "a=1&", "&a=1", "a=1&&b=2", "a=%", "a=%2", "a=%zz", "a=%00", "a=%0a", "a=%7F", "a=%ff",
        "a=b c", "a=é", "a=\u{0}", "{\"a\":1}",
    ])
    func `a body with no single reading is refused`(body: String) {
        #expect(throws: FormBody.Refusal.malformed) { try FormBody(Array(body.utf8)) }
    }

    @Test func `a repeated field is refused, in any spelling, and so are too many`() {
        for body in ["a=1&a=1", "a=1&%61=2", "a=&a=1"] {
            #expect(throws: FormBody.Refusal.duplicate) { try FormBody(Array(body.utf8)) }
        }
        let many = (0...FormBody.fieldCountMax).map { "f\($0)=1" }.joined(separator: "&")
        #expect(throws: FormBody.Refusal.tooManyFields) { try FormBody(Array(many.utf8)) }
        #expect(throws: FormBody.Refusal.tooManyFields) {
            try FormBody([UInt8](repeating: UInt8(ascii: "&"), count: 16_384))
        }
    }

    private func basic(_ text: String) -> [UInt8] { Array("Basic ".utf8) + Self.base64(text) }

    private static func base64(_ text: String) -> [UInt8] {
        let digits = Base64URL.encodedBytes(Array(text.utf8)).map { digit in
            switch digit {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: digit
            }
        }
        return digits + [UInt8](repeating: UInt8(ascii: "="), count: (4 - digits.count % 4) % 4)
    }

    private func authentication(_ headers: [[UInt8]], _ body: String = "token=t") throws -> ClientAuthentication {
        ClientAuthentication(authorization: headers, form: try FormBody(Array(body.utf8)))
    }

    @Test func `a client says who it is in the header or in the body`() throws {
        let client = ClientAuthentication.client(ClientCredentials(id: "api", secret: "s.e~c_r-t"))
        #expect(try authentication([basic("api:s.e~c_r-t")]) == client)
        #expect(try authentication([basic("%61pi:s%2Ee~c_r-t")]) == client)
        #expect(try authentication([Array("bAsIc ".utf8) + Self.base64("api:s.e~c_r-t")]) == client)
        #expect(try authentication([], "client_id=api&client_secret=s.e~c_r-t") == client)
        #expect(try authentication([basic("api:s.e~c_r-t")], "client_id=api&token=t") == client)
        #expect(
            try authentication([basic("api:a:b?>")]) == .client(ClientCredentials(id: "api", secret: "a:b?>")))
    }

    @Test func `credentials in two places are refused as such`() throws {
        for body in ["client_id=api&client_secret=s", "client_secret=s", "client_id=other"] {
            #expect(try authentication([basic("api:s")], body) == .twice)
        }
        #expect(try authentication([basic("api:s"), basic("api:s")]) == .twice)
        #expect(try authentication([Array("Bearer x".utf8)], "client_id=a&client_secret=s") == .twice)
    }

    @Test func `what is no credential counts as none`() throws {
        let headers = [
            Array("Basic".utf8), Array("Basic ".utf8), Array("Bearer abc".utf8), basic("api"), basic(":secret"),
            basic("api:"), basic("api:%zz"), basic("api:\u{0}"), Array("Basic YXBpOnM".utf8),
            Array("Basic YXBpOnM==".utf8), Array("Basic YXBpOnN=".utf8), Array("Basic Y-_pOnM=".utf8),
            Array("Basic  YXBpOnM=".utf8),
        ]
        for header in headers {
            #expect(try authentication([header]) == .missing, "\(String(decoding: header, as: UTF8.self))")
        }
        for body in ["token=t", "client_id=api", "client_secret=s", "client_id=&client_secret=s"] {
            #expect(try authentication([], body) == .missing)
        }
    }
}
