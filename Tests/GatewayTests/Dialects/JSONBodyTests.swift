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
        #expect(throws: Refusal.invalidBody(fault)) { try JSONBody.decode(Body.self, Array(text.utf8)) }
    }
}
