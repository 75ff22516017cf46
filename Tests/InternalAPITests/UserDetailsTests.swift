import AccessTokens
import AuthAPI
import InternalAPI
import StrictJSON
import Testing

/// A user as sent between gateway and user-service.
@Suite struct UserDetailsTests {
    private static let details = UserDetails(
        id: "usr_1", phoneNumber: "+15551234567", name: "Betty", role: "user", createdAt: 7,
        attributes: UserAttributes(["seats": .integer(2), "isChecker": .boolean(true), "plan": .string("pro")]))

    private func text(_ value: some Encodable) throws -> String {
        String(decoding: try StrictJSON.encode(value), as: UTF8.self)
    }

    private func value<Value: Decodable>(_ text: String, as type: Value.Type = Value.self) throws -> Value {
        try StrictJSON.decode(type, from: Array(text.utf8), limits: .own)
    }

    @Test func `an answer has the attributes in one member`() throws {
        let expected = """
            {"id":"usr_1","phoneNumber":"+15551234567","name":"Betty","role":"user","createdAt":7,\
            "attributes":{"isChecker":true,"plan":"pro","seats":2}}
            """
        #expect(try text(Self.details) == expected)
        #expect(try value(expected) == Self.details)
        var none = Self.details
        none.attributes = UserAttributes()
        #expect(try value(try text(none)) == none)
    }

    @Test func `a change has only the members that it sets`() throws {
        let attributes = UserAttributes(["isChecker": .boolean(true), "plan": .string("pro")])
        let change = UpdateUserRequest(name: "B", attributes: attributes)
        let expected = #"{"name":"B","attributes":{"isChecker":true,"plan":"pro"}}"#
        #expect(try text(change) == expected)
        #expect(try value(expected) == change)
        #expect(try text(UpdateUserRequest(name: "B")) == #"{"name":"B","attributes":{}}"#)
        let removal = UpdateUserRequest(removesName: true)
        #expect(try text(removal) == #"{"removesName":true,"attributes":{}}"#)
        #expect(try value(text(removal), as: UpdateUserRequest.self) == removal)
    }

    @Test func `metadata is part of the JSON, and absent where there is none`() throws {
        var details = Self.details
        details.metadata = UserMetadata(own: MetadataObject(stored: #"{"a":[1,{"b":null}]}"#))
        let sent = try text(details)
        #expect(sent.hasSuffix(#","metadata":{"app":{},"own":{"a":[1,{"b":null}]}}}"#))
        #expect(try value(sent) == details)
        #expect(try !text(ChangeUserRequest(userID: "usr_1")).contains("Patch"))
        let claims = UserClaims(
            phone: nil, role: "user", version: 2,
            mapped: ["app.a": .strings(["x"]), "app.b": .integer(1), "app.c": .bool(true), "app.d": .string("")])
        #expect(try value(text(claims), as: UserClaims.self) == claims)
        #expect(try text(UserClaims(phone: nil, role: "user", version: 2)) == #"{"role":"user","version":2}"#)
        for wrong in ["null", "1.5", "{}", "[1]"] {
            let body = #"{"role":"user","version":2,"mapped":{"app.a":\#(wrong)}}"#
            #expect(throws: DecodingError.self) { try value(body, as: UserClaims.self) }
        }
    }

    @Test(arguments: [
        "{}", #"{"attributes":[]}"#, #"{"attributes":{"a":[]}}"#, #"{"attributes":{"a":null}}"#,
        #"{"attributes":{"a":1.5}}"#, #"{"attributes":{},"removesName":"true"}"#,
    ])
    func `a change of another kind is none`(text: String) {
        #expect(throws: DecodingError.self) { try value(text, as: UpdateUserRequest.self) }
    }

    @Test func `clients see each attribute as a member of the user object`() throws {
        let profile = UserProfile(
            id: "usr_1", phoneNumber: "+1", name: "B", attributes: UserAttributes(["isChecker": .boolean(false)]),
            role: "user", createdAt: 7)
        let expected = #"{"id":"usr_1","phoneNumber":"+1","name":"B","isChecker":false,"role":"user","createdAt":7}"#
        #expect(try text(profile) == expected)
        #expect(try value(expected) == profile)
        #expect(try value(#"{"id":"usr_1","role":"user","createdAt":7,"tags":[]}"#, as: UserProfile.self).name == nil)
    }
}
