import AccessTokens
import AuthAPI
import InternalAPI
import Policies
import StrictJSON
import Testing

@testable import UserCore

/// Users' metadata through the use cases: what a patch may be, what is in the audit, and what goes into access tokens.
@Suite struct MetadataTests {
    private static let rules = AttributeRules(
        declared: UserFixture.attributes.declared,
        sources: [
            .app("plan"), .app("labels"), .app("seats"), .app("big"), .app("after"), .attribute("isChecker"),
            .attribute("plan"),
        ])

    private let fixture: UserFixture

    init() throws { fixture = try UserFixture() }

    private var move: IdentityMove {
        var move = fixture.move
        move.attributes = Self.rules
        return move
    }

    private func write(_ own: String, _ user: SignedInUser) async throws -> UserMetadata? {
        let update = UpdateProfile(
            store: fixture.store, courier: fixture.courier, move: move, userIDPrefix: UserFixture.prefix,
            attributes: Self.rules, now: fixture.clock.unix)
        return try await update(user, UpdateUserRequest(ownPatch: own), requestID: "r-1").answered.metadata
    }

    private func administer(_ app: String, _ user: SignedInUser, role: String? = nil) async throws -> [String] {
        let change = ChangeUser(
            store: fixture.store, courier: fixture.courier, move: move, userIDPrefix: UserFixture.prefix,
            attributes: Self.rules, now: fixture.clock.unix)
        let request = ChangeUserRequest(userID: user.id.text(prefix: UserFixture.prefix), role: role, appPatch: app)
        guard case .answer(let done) = try await change(request, requestID: "r-1") else {
            throw UserFixture.Unexpected()
        }
        return done.changed
    }

    private func stored(_ user: SignedInUser) async throws -> User {
        try #require(try await fixture.store.user(user.id))
    }

    // MARK: - Patches

    @Test func `the user writes one object and the administrator the other, and the user sees both`() async throws {
        let user = try await fixture.signedIn()
        #expect(try await fixture.read(user).answered.metadata == nil)
        #expect(try await administer(#"{"plan":"pro"}"#, user) == ["metadata.app"])
        let both = try await write(#"{"theme":{"dark":true,"size":2}}"#, user)
        #expect(both?.app.text == #"{"plan":"pro"}"# && both?.own.text == #"{"theme":{"dark":true,"size":2}}"#)
        #expect(
            try await write(#"{"theme":{"size":null},"b":["x"]}"#, user)?.own.text
                == #"{"b":["x"],"theme":{"dark":true}}"#)
        #expect(try await fixture.read(user).answered.metadata?.app.text == #"{"plan":"pro"}"#)
    }

    /// auth0/docs#8130 and auth0/auth0.js#1194: `{}` cleared the metadata instead of merging nothing.
    @Test func `an empty patch changes nothing, null removes a member, and null as a whole all of them`() async throws {
        let user = try await fixture.signedIn()
        _ = try await write(#"{"a":1,"b":{"c":2}}"#, user)
        #expect(try await write("{}", user)?.own.text == #"{"a":1,"b":{"c":2}}"#)
        // supabase/auth-js#411: null left the member, so that nothing could be removed.
        #expect(try await write(#"{"a":null}"#, user)?.own.text == #"{"b":{"c":2}}"#)
        // supabase/supabase-py#1644: a change of one member replaced all of them.
        #expect(try await write(#"{"d":[1,2]}"#, user)?.own.text == #"{"b":{"c":2},"d":[1,2]}"#)
        #expect(try await write(#"{"d":[3]}"#, user)?.own.text == #"{"b":{"c":2},"d":[3]}"#)
        #expect(try await write("null", user) == nil)
        let events = try await fixture.auditEvents()
        #expect(events == ["user.created"] + Array(repeating: "user.updated", count: 5))
    }

    @Test(
        arguments: [
            "", "{", "[]", "1", "true", #""x""#, "nul", #"{"a":1}x"#, #"{"a":1,"a":2}"#, #"{"a":1,"\u0061":2}"#,
            #"{"a":"\ud800"}"#, #"{"\udc00":1}"#, #"{"a":"\u0000"}"#, #"{"\u0000":1}"#, #"{"a":["b",{"c":"x\u0000"}]}"#,
            "{\"a\":\"\u{0}\"}", #"{"a":1e400}"#, #"{"a":-1e400}"#, #"{"a":NaN}"#, #"{"a":01}"#, #"{"a":1,}"#,
            String(repeating: #"{"a":"#, count: 9) + "1" + String(repeating: "}", count: 9),
            String(repeating: #"{"a":"#, count: 1_000) + "1" + String(repeating: "}", count: 1_000),
            #"{"a":"# + String(repeating: "[", count: 1_000) + String(repeating: "]", count: 1_000) + "}",
            #"{"\#(String(repeating: "k", count: 4_096))":1}"#, #"{"a":"\#(String(repeating: "x", count: 20_000))"}"#,
        ])
    func `anything but a small strict object is refused, changes nothing and is not repeated`(
        patch: String
    ) async throws {
        let user = try await fixture.signedIn()
        let before = try await stored(user)
        await #expect(throws: InvalidInput.metadata) { try await write(patch, user) }
        await #expect(throws: InvalidInput.metadata) { try await administer(patch, user) }
        #expect(try await stored(user) == before)
        #expect(try await fixture.auditEvents() == ["user.created"])
    }

    @Test func `4,096 bytes are kept and one more is refused, also if they come in two patches`() async throws {
        let user = try await fixture.signedIn()
        let room = MetadataObject.bytesMax - #"{"a":""}"#.utf8.count
        let full = #"{"a":"\#(String(repeating: "x", count: room))"}"#
        #expect(try await write(full, user)?.own.text == full)
        for more in [
            #"{"b":1}"#, #"{"a":"\#(String(repeating: "x", count: room + 1))"}"#,
            #"{"a":"\#(String(repeating: "é", count: room))"}"#,
        ] {
            await #expect(throws: InvalidInput.metadata) { try await write(more, user) }
        }
        #expect(try await stored(user).metadata.own.text == full)
        #expect(try await write(#"{"a":null,"b":1}"#, user)?.own.text == #"{"b":1}"#)
    }

    @Test func `a name that other languages give a meaning is a name like others`() async throws {
        let user = try await fixture.signedIn()
        let text = #"{"__proto__":{"admin":true},"constructor":{"prototype":null},"toString":1}"#
        let kept = #"{"__proto__":{"admin":true},"constructor":{},"toString":1}"#
        #expect(try await write(text, user)?.own.text == kept)
        #expect(try await stored(user).role == "user")
    }

    @Test func `two patches at once both hold`() async throws {
        for round in 0..<10 {
            let user = try await fixture.signedIn("+1555123456\(round)")
            async let first = write(#"{"a":1}"#, user)
            async let second = write(#"{"b":2}"#, user)
            async let third = administer(#"{"c":3}"#, user)
            _ = (try await first, try await second, try await third)
            let metadata = try await stored(user).metadata
            #expect(metadata.own.text == #"{"a":1,"b":2}"# && metadata.app.text == #"{"c":3}"#)
        }
    }

    @Test func `the audit and the events name the object and nothing in it`() async throws {
        let user = try await fixture.signedIn()
        _ = try await write(#"{"canary-name":"canary-value"}"#, user)
        _ = try await administer(#"{"canary-name":"canary-value"}"#, user)
        let details = try await fixture.texts("SELECT coalesce(detail, '-') FROM audit ORDER BY number")
        #expect(details.contains("metadata.own") && details.contains("metadata.app"))
        #expect(!details.contains { $0.contains("canary") })
        #expect(try await fixture.texts("SELECT payload FROM outbox").isEmpty)
    }

    /// supabase/auth-js#395: a sign-up with the address of an existing user overwrote that user's metadata.
    @Test func `a sign-in has no way to write metadata`() async throws {
        let user = try await fixture.signedIn()
        _ = try await write(#"{"a":1}"#, user)
        _ = try await fixture.signedIn(name: "Mallory")
        #expect(try await stored(user).metadata.own.text == #"{"a":1}"#)
    }

    // MARK: - Claims

    /// firebase/firebase-admin-node#1251: a changed claim was in no token until the app forced a refresh.
    @Test func `a changed mapped value raises the version once and is told to token-service`() async throws {
        let user = try await fixture.signedIn()
        let before = try await stored(user)
        _ = try await administer(#"{"plan":"pro","labels":["a","b"],"internal":{"x":1}}"#, user)
        let after = try await stored(user)
        #expect(after.version == before.version + 1 && after.epoch == before.epoch)
        let told = try #require(fixture.tokenService.rights.last)
        #expect(told.keepsTokens == nil && told.claims.version == after.version)
        #expect(
            told.claims.mapped == [
                "app.plan": .string("pro"), "app.labels": .strings(["a", "b"]), "attributes.isChecker": .bool(false),
            ])
        // A repeated patch, and a member that no profile maps, change no claim.
        _ = try await administer(#"{"plan":"pro"}"#, user)
        _ = try await administer(#"{"internal":{"x":2}}"#, user)
        _ = try await write(#"{"plan":"free"}"#, user)
        #expect(try await stored(user).version == after.version && fixture.tokenService.rights.count == 1)
        // firebase/firebase-admin-node#371: a claim that was set before could not be removed.
        _ = try await administer(#"{"plan":null}"#, user, role: "guest")
        #expect(try await stored(user).version == after.version + 1)
        let last = try #require(fixture.tokenService.rights.last)
        #expect(last.claims.mapped?["app.plan"] == nil && last.claims.role == "guest")
    }

    @Test func `an attribute that the user sets raises the version only if a profile maps it`() async throws {
        let user = try await fixture.signedIn()
        let version = try await stored(user).version
        let update = UpdateUserRequest(attributes: UserAttributes(["isChecker": .boolean(true)]))
        #expect(
            try await fixture.update(user, update, requestID: nil).answered.attributes["isChecker"] == .boolean(true))
        #expect(try await stored(user).version == version && fixture.tokenService.rights.isEmpty)
        let other = UpdateProfile(
            store: fixture.store, courier: fixture.courier, move: move, userIDPrefix: UserFixture.prefix,
            attributes: Self.rules, now: fixture.clock.unix)
        let back = UpdateUserRequest(attributes: UserAttributes(["isChecker": .boolean(false)]))
        _ = try await other(user, back, requestID: nil).answered
        #expect(try await stored(user).version == version + 1)
        #expect(fixture.tokenService.rights.last?.claims.mapped == ["attributes.isChecker": .bool(false)])
        #expect(try await fixture.count("outbox") == 0)
    }

    @Test func `a change that token-service has not confirmed is confirmed by its repeat`() async throws {
        let user = try await fixture.signedIn()
        fixture.tokenService.setAway(true)
        await #expect(throws: Unconfirmed.self) { try await administer(#"{"plan":"pro"}"#, user) }
        fixture.tokenService.setAway(false)
        #expect(try await administer(#"{"plan":"pro"}"#, user) == [])
        #expect(fixture.tokenService.rights.map(\.claims.mapped?["app.plan"]) == [.string("pro")])
    }

    @Test(
        arguments: [
            (#"{"plan":null}"#, nil), (#"{"plan":1.5}"#, nil), (#"{"plan":{"a":1}}"#, nil), (#"{"plan":[1]}"#, nil),
            (#"{"plan":["a",null]}"#, nil), (#"{"plan":[["a"]]}"#, nil), (#"{"plan":12345678901234567890}"#, nil),
            (#"{"plan":""}"#, .string("")), (#"{"plan":[]}"#, .strings([])), (#"{"plan":0}"#, .integer(0)),
            (#"{"plan":false}"#, .bool(false)), (#"{"plan":"é\u0001\""}"#, .string("é\u{1}\"")),
        ] as [(String, ClaimValue?)])
    func `only texts, whole numbers, truth values and lists of texts are mapped`(
        app: String, value: ClaimValue?
    ) async throws {
        let user = try await fixture.signedIn()
        _ = try await administer(app, user)
        #expect(try Self.rules.mapped(try await stored(user))?["app.plan"] == value)
    }

    /// keycloak/keycloak#13956 and #38102: claims made tokens larger than the headers that proxies accept.
    @Test func `what does not fit beside the values before it is left out, and the rest stays`() async throws {
        let user = try await fixture.signedIn()
        let big = String(repeating: "x", count: 1_100)
        _ = try await administer(#"{"plan":"pro","big":"\#(big)","after":"yes"}"#, user)
        let mapped = try #require(try Self.rules.mapped(try await stored(user)))
        #expect(
            mapped["app.big"] == nil && mapped["app.plan"] == .string("pro") && mapped["app.after"] == .string("yes"))
        // Control characters take six bytes each in JSON.
        _ = try await administer(#"{"big":"\#(String(repeating: "\\u0001", count: 180))"}"#, user)
        #expect(try Self.rules.mapped(try await stored(user))?["app.big"] == nil)
        let size = mapped.reduce(0) { $0 + $1.key.utf8.count + $1.value.json.canonical.count }
        #expect(size <= AttributeRules.mappedBytesMax)
    }

    @Test func `a sign-in's grant has the mapped values, and without a mapping none`() async throws {
        let phone = "+15551234567"
        let user = try await fixture.signedIn(phone)
        _ = try await administer(#"{"plan":"pro"}"#, user)
        let plain = try fixture.grant(try await fixture.signIn(phone).answered)
        let version = try await stored(user).version
        #expect(plain.claims.mapped == nil && plain.claims.version == version)
        let grants = SessionGrants(
            userIDPrefix: UserFixture.prefix, attributes: Self.rules, keys: fixture.grantKeys)
        let answer = try grants.answer(
            try await stored(user), Resolution(userID: user.id, isNewUser: false, restored: false), proofID: "p",
            method: "sms", now: fixture.clock.seconds)
        #expect(try fixture.grant(answer).claims.mapped?["app.plan"] == .string("pro"))
        // The profile in the answer of a sign-in has the members that it always had.
        #expect(answer.user.metadata == nil)
    }

    @Test func `the largest values fit a sealed grant`() async throws {
        let user = try await fixture.signedIn()
        var rules = Self.rules
        rules.sources = (0..<128).map { .app("k\($0)") }
        var after = try await stored(user)
        let members = (0..<128).map { #""k\#($0)":"\#(String(repeating: "x", count: 3))""# }.joined(separator: ",")
        after.metadata.app = MetadataObject(stored: "{\(members)}")
        let claims = try after.claims(rules)
        #expect((claims.mapped?.count ?? 0) > 60)
        let grant = Grant(
            id: "g", userID: "usr_1", epoch: 1, claims: claims, method: "sms", isNewUser: false,
            expiresAt: fixture.clock.seconds + 60)
        let sealed = try grant.sealed(with: fixture.grantKeys)
        #expect(try Grant.open(sealed, with: fixture.grantKeys, now: fixture.clock.seconds) == grant)
    }

    // MARK: - The dialect supabase

    private static let supabase = AttributeRules(declared: [], sources: [.app("plan")], claimsMetadata: true)

    private func supabase(_ own: String, _ user: SignedInUser) async throws {
        var move = fixture.move
        move.attributes = Self.supabase
        let update = UpdateProfile(
            store: fixture.store, courier: fixture.courier, move: move, userIDPrefix: UserFixture.prefix,
            attributes: Self.supabase, now: fixture.clock.unix)
        _ = try await update(user, UpdateUserRequest(ownPatch: own), requestID: "r-1").answered
    }

    /// supabase/auth-js: metadata that `updateUser` changed is in the next token, and the present one goes on.
    @Test func `changed metadata reaches sessions and leaves their tokens valid, and a mapped value does not`()
        async throws
    {
        let user = try await fixture.signedIn()
        let version = try await stored(user).version
        try await supabase(#"{"name":"Zoë"}"#, user)
        let told = try #require(fixture.tokenService.rights.last)
        #expect(told.keepsTokens == true && told.claims.version == version + 1)
        #expect(told.claims.metadata?.own.text == #"{"name":"Zoë"}"# && told.claims.metadata?.app.isEmpty == true)
        try await supabase(#"{"name":"Zoë"}"#, user)
        #expect(try await stored(user).version == version + 1 && fixture.tokenService.rights.count == 1)
        var after = try await stored(user)
        after.metadata.app = MetadataObject(stored: #"{"plan":"pro"}"#)
        #expect(try after.raisingVersion(from: try await stored(user), Self.supabase).keepsTokens == false)
        after.metadata.app = MetadataObject(stored: #"{"internal":1}"#)
        #expect(try after.raisingVersion(from: try await stored(user), Self.supabase).keepsTokens)
        // A policy without the dialect has no such claims.
        #expect(try after.raisingVersion(from: try await stored(user), Self.rules).user.version == version + 1)
        #expect(try after.claims(Self.rules).metadata == nil)
    }

    @Test func `an object that is too large or too deep for a token is left out, and the other one stays`() async throws
    {
        var user = try await stored(try await fixture.signedIn())
        func text(_ bytes: Int) -> String { #"{"a":"\#(String(repeating: "x", count: bytes - 8))"}"# }
        func nested(_ depth: Int) -> String {
            String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
        }
        for (app, own, isAppIn, isOwnIn) in [
            (text(1_536), text(2_048), true, true), (text(1_537), text(2_048), false, true),
            (text(1_536), text(2_049), true, false), (text(4_096), text(4_096), false, false),
            (nested(7), nested(7), true, true), (nested(8), nested(7), false, true),
            (nested(7), nested(8), true, false),
        ] {
            user.metadata = UserMetadata(app: MetadataObject(stored: app), own: MetadataObject(stored: own))
            let metadata = try user.claims(Self.supabase).metadata
            #expect((metadata?.app.text == app) == isAppIn && (metadata?.own.text == own) == isOwnIn)
            #expect((metadata?.app.isEmpty ?? true) == !isAppIn && (metadata?.own.isEmpty ?? true) == !isOwnIn)
        }
    }

    @Test func `the largest metadata fits a sealed grant beside the largest of the rest`() async throws {
        var user = try await stored(try await fixture.signedIn())
        user.metadata = UserMetadata(
            app: MetadataObject(stored: #"{"plan":"\#(String(repeating: "x", count: 1_000))"}"#),
            own: MetadataObject(stored: #"{"a":"\#(String(repeating: "x", count: 2_040))"}"#))
        user.email = String(repeating: "e", count: 254)
        user.legacyID = String(repeating: "l", count: 255)
        let claims = try user.claims(Self.supabase)
        #expect(claims.metadata?.own.isEmpty == false && claims.mapped != nil)
        let grant = Grant(
            id: String(repeating: "f", count: 64), userID: user.id.text(prefix: "0123456789abcdef"), epoch: 1,
            claims: claims, method: "passkey:" + String(repeating: "f", count: 32), isNewUser: false,
            expiresAt: fixture.clock.seconds + 60)
        let sealed = try grant.sealed(with: fixture.grantKeys)
        #expect(try Grant.open(sealed, with: fixture.grantKeys, now: fixture.clock.seconds) == grant)
    }

    @Test(arguments: ["anon", "service_role", "postgres", "supabase_admin", "supabase_"])
    func `no user gets the role of a database`(role: String) async throws {
        let user = try await fixture.signedIn()
        await #expect(throws: InvalidInput.self) { try await administer("{}", user, role: role) }
        #expect(try await stored(user).role == "user" && RightsChange.isRole("supabase-admin"))
    }

    @Test func `the operator finds the metadata of one user, and a list has none`() async throws {
        let user = try await fixture.signedIn()
        _ = try await administer(#"{"plan":"pro"}"#, user)
        let id = user.id.text(prefix: UserFixture.prefix)
        let found = try await fixture.lookUp(FindUserRequest(key: id), requestID: nil)
        guard case .answer(let one) = found else { throw UserFixture.Unexpected() }
        #expect(one.metadata?.app.text == #"{"plan":"pro"}"#)
        let page = try await fixture.lookUp(ListUsersRequest(limit: 10), requestID: nil)
        #expect(page.users.map(\.metadata) == [nil])
    }
}
