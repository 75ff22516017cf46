import Testing

@testable import GatewayCore

@Suite struct JSONBodyTests {
    private struct Body: Decodable {
        let phone: String
    }

    @Test(arguments: [
        (#"{"phone":"\ud800"}"#, BodyFault.brokenMember("phone")),
        (#"{"a":1,"phone":{"b":[01]}}"#, .brokenMember("phone")),
        (#"{"phone":"a\tb"}"#.replacing(#"\t"#, with: "\t"), .brokenMember("phone")),
        (#"{"phone":"1""#, .notJSON), (#"{"phone":"1","phone":"2"}"#, .notJSON), (#"{"<b>\n":01}"#, .notJSON),
        ("[]", .notAnObject), ("{}", .missing(member: "phone")), (#"{"phone":1}"#, .wrongType(member: "phone")),
    ])
    func `a fault names the member, if it is one that we may repeat`(text: String, fault: BodyFault) {
        #expect(throws: Refusal.invalidBody(fault)) { try JSONBody(Array(text.utf8)).decode(Body.self) }
    }

    @Test func `a body is decoded after its names were read, as often as needed`() throws {
        let body = JSONBody(Array(#"{"phone":"1","x":[]}"#.utf8))
        #expect(body.names == ["phone", "x"])
        for _ in 0..<2 { #expect(try body.decode(Body.self).phone == "1") }
        let broken = JSONBody(Array(#"{"phone":"\ud800"}"#.utf8))
        #expect(broken.names == [])
        #expect(throws: Refusal.invalidBody(.brokenMember("phone"))) { try broken.decode(Body.self) }
    }

    @Test(arguments: [
        ("", true), ("{}", true), (" { \r\n\t} ", true), (" ", false), ("{}{}", false), ("[]", false),
        (#"{"":{}}"#, false),
    ])
    func `a body states nothing if it is empty or has no members`(text: String, isNothing: Bool) {
        #expect(JSONBody(Array(text.utf8)).isNothing == isNothing)
    }
}
