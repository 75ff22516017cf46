import AuthAPI
import InternalAPI
import Policies
import StrictJSON
import Testing

@testable import GatewayCore

/// The native API's member `metadata`.
@Suite struct NativeMetadataTests {
    private let attributes = NativeAttributes(declared: [
        AttributePolicy(name: "isChecker", kind: .boolean, setBy: .user, defaultValue: .boolean(false))
    ])

    private func own(_ body: String) throws(Refusal) -> String? {
        try JSONBody(Array(body.utf8)).members(attributes.updateWithMetadata).ownPatch
    }

    private func app(_ body: String) throws(Refusal) -> String? {
        try JSONBody(Array(body.utf8)).decode(AdminChange.self).appPatch
    }

    private func details(_ metadata: UserMetadata?) -> UserDetails {
        UserDetails(
            id: "usr_1", phoneNumber: "+1", email: nil, name: "B", role: "user", createdAt: 7,
            attributes: UserAttributes(["isChecker": .boolean(true)]), metadata: metadata)
    }

    @Test func `a user without metadata has the bytes that they had before, and others one member more`() throws {
        let plain = #"{"id":"usr_1","phoneNumber":"+1","name":"B","isChecker":true,"role":"user","createdAt":7"#
        let none = try StrictJSON.encode(ShownProfile(details(nil), attributes))
        #expect(String(decoding: none, as: UTF8.self) == plain + "}")
        let metadata = UserMetadata(app: MetadataObject(stored: #"{"a":[1,{}]}"#))
        let some = try StrictJSON.encode(ShownProfile(details(metadata), attributes))
        #expect(String(decoding: some, as: UTF8.self) == plain + #","metadata":{"app":{"a":[1,{}]},"own":{}}}"#)
        let read = try StrictJSON.decode(ShownProfile.self, from: some, limits: .own)
        #expect(read.metadata == metadata && read.user.attributes.values.keys.sorted() == ["isChecker"])
    }

    @Test func `a user's patch is the one of own, and an administrator's the one of app`() throws {
        #expect(try own(#"{"name":"B"}"#) == nil)
        #expect(try own(#"{"metadata":{}}"#) == nil)
        #expect(try own(#"{"metadata":{"own":{"b":[1.5,"é"],"a":null}}}"#) == #"{"a":null,"b":[1.5,"é"]}"#)
        #expect(try own(#"{"metadata":{"own":null}}"#) == "null")
        #expect(try app(#"{"metadata":{"app":{"plan":"pro"}},"role":"x"}"#) == #"{"plan":"pro"}"#)
        #expect(try app(#"{"role":"x"}"#) == nil)
        // A patch that is no object goes on as it is, and user-service refuses it.
        #expect(try own(#"{"metadata":{"own":[1]}}"#) == "[1]")
    }

    @Test(
        arguments: [
            #"{"metadata":null}"#, #"{"metadata":[]}"#, #"{"metadata":"x"}"#, #"{"metadata":{"other":{}}}"#,
            #"{"metadata":{"own":{},"app":{}}}"#,
        ])
    func `anything else in metadata is 400 and names the member`(body: String) {
        #expect(throws: Refusal.invalidBody(.wrongType(member: "metadata"))) { try own(body) }
        #expect(throws: Refusal.invalidBody(.wrongType(member: "metadata"))) { try app(body) }
    }

    @Test func `a patch that no object has room for is 400 before it is sent on`() throws {
        func body(_ part: String, _ count: Int) -> String {
            #"{"metadata":{"\#(part)":{"a":"\#(String(repeating: "x", count: count))"}}}"#
        }
        let room = MetadataObject.patchBytesMax - #"{"a":""}"#.utf8.count
        #expect(try own(body("own", room))?.utf8.count == MetadataObject.patchBytesMax)
        #expect(throws: Refusal.invalidBody(.wrongType(member: "metadata"))) { try own(body("own", room + 1)) }
        #expect(throws: Refusal.invalidBody(.wrongType(member: "metadata"))) { try app(body("app", room + 1)) }
    }

    @Test func `neither may write the other's object`() {
        #expect(throws: Refusal.invalidBody(.wrongType(member: "metadata"))) { try own(#"{"metadata":{"app":{}}}"#) }
        #expect(throws: Refusal.invalidBody(.wrongType(member: "metadata"))) { try app(#"{"metadata":{"own":{}}}"#) }
    }

    @Test(
        arguments: [
            #"{"metadata":{"own":{"a":1,"a":2}}}"#, #"{"metadata":{"own":{"a":"\ud800"}}}"#,
            #"{"metadata":{"own":{"a":1e400}}}"#,
            #"{"metadata":{"own":"# + String(repeating: #"{"a":"#, count: 1_000) + "1"
                + String(repeating: "}", count: 1_002),
        ])
    func `a body that is not strict JSON is 400`(body: String) {
        #expect(throws: Refusal.self) { try own(body) }
        #expect(throws: Refusal.self) { try app(body) }
    }

    @Test func `dialects that share the attributes neither read nor show metadata`() throws {
        let body = #"{"name":"B","metadata":{"own":{"a":1}}}"#
        #expect(try JSONBody(Array(body.utf8)).members(attributes.update).ownPatch == nil)
        let metadata = UserMetadata(own: MetadataObject(stored: #"{"a":1}"#))
        let shown = try StrictJSON.encode(attributes.profile(details(metadata)))
        #expect(!String(decoding: shown, as: UTF8.self).contains("metadata"))
    }

    @Test func `an administrator sees both objects of a user`() throws {
        var user = UserSummary(
            id: "usr_1", phoneNumber: nil, name: nil, role: "user", isActive: true, createdAt: 7, lastSignInAt: nil,
            deletionDueAt: nil)
        let before = String(decoding: try StrictJSON.encode(AdminUser(user)), as: UTF8.self)
        #expect(!before.contains("metadata"))
        user.metadata = UserMetadata(own: MetadataObject(stored: #"{"a":1}"#))
        let after = String(decoding: try StrictJSON.encode(AdminUser(user)), as: UTF8.self)
        #expect(after == before.dropLast() + #","metadata":{"app":{},"own":{"a":1}}}"#)
    }
}
