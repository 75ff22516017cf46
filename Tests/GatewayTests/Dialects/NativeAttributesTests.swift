import AuthAPI
import InternalAPI
import Policies
import StrictJSON
import Testing

@testable import GatewayCore

@Suite struct NativeAttributesTests {
    private let attributes = NativeAttributes(declared: [
        AttributePolicy(name: "isChecker", kind: .boolean, setBy: .user, defaultValue: .boolean(false)),
        AttributePolicy(name: "motto", kind: .string, setBy: .user),
        AttributePolicy(name: "plan", kind: .string, setBy: .operator),
    ])

    private func update(_ body: String) throws(Refusal) -> UpdateUserRequest {
        try JSONBody(Array(body.utf8)).members(attributes.update)
    }

    @Test func `a user has the bytes that he had before there were attributes`() throws {
        let howru = NativeAttributes(declared: [attributes.declared[0]])
        let details = UserDetails(
            id: "usr_1", phoneNumber: "+1", email: "b@example.org", name: "B", role: "user", createdAt: 7,
            attributes: UserAttributes(["isChecker": .boolean(true)]))
        let text = String(decoding: try StrictJSON.encode(howru.profile(details)), as: UTF8.self)
        let expected = """
            {"id":"usr_1","phoneNumber":"+1","email":"b@example.org","name":"B","isChecker":true,"role":"user",\
            "createdAt":7}
            """
        #expect(text == expected)
    }

    @Test func `what the gateway's policy does not declare is not shown`() {
        let details = UserDetails(
            id: "usr_1", phoneNumber: nil, name: nil, role: "user", createdAt: 7,
            attributes: UserAttributes(["isChecker": .boolean(true), "plan": .string("pro"), "other": .integer(1)]))
        #expect(
            attributes.profile(details).attributes.values == ["isChecker": .boolean(true), "plan": .string("pro")])
    }

    @Test func `a change takes the name and what users set, and passes over the rest`() throws {
        let body = #"""
            {"name":"B","isChecker":true,"motto":"x","plan":"pro","role":"admin","other":[{}],"attributes":{"motto":"y"}}
            """#
        let expected = UpdateUserRequest(
            name: "B", attributes: UserAttributes(["isChecker": .boolean(true), "motto": .string("x")]))
        #expect(try update(body) == expected)
        #expect(try update(#"{"isChecker":null}"#) == UpdateUserRequest())
        #expect(try update(#"{"name":null,"isChecker":null}"#) == UpdateUserRequest(removesName: true))
    }

    @Test(arguments: [
        (#"{"isChecker":1}"#, "isChecker"), (#"{"isChecker":"true"}"#, "isChecker"),
        (#"{"isChecker":[]}"#, "isChecker"),
        (#"{"motto":true}"#, "motto"), (#"{"motto":"a\u0000"}"#, "motto"), (#"{"motto":1.5}"#, "motto"),
        (#"{"name":1}"#, "name"),
    ])
    func `a value of another type is 400, which names the member`(body: String, member: String) throws {
        #expect(throws: Refusal.invalidBody(.wrongType(member: member))) { try update(body) }
    }

    @Test(arguments: [("[]", BodyFault.notAnObject), ("{", .notJSON), ("", .notJSON)])
    func `what is no object is 400`(body: String, fault: BodyFault) {
        #expect(throws: Refusal.invalidBody(fault)) { try update(body) }
    }
}
