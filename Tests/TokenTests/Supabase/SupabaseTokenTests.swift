import AccessTokens
import AuthAPI
import InternalAPI
import Policies
import StrictJSON
import Testing

@testable import TokenCore

/// Sessions of the dialect `supabase`: what is in their access tokens, and what token-service makes of these.
@Suite struct SupabaseTokenTests {
    private let fixture: SupabaseFixture

    init() async throws { fixture = try await SupabaseFixture() }

    private static let metadata = UserMetadata(
        app: MetadataObject(stored: #"{"plan":"pro","provider":"x","providers":["x"],"role":"service_role"}"#),
        own: MetadataObject(stored: #"{"name":"Zoë \"Z\"","role":"admin"}"#))

    private func claims(_ role: String = "admin", version: Int64 = 3, metadata: UserMetadata? = nil) -> UserClaims {
        UserClaims(
            phone: "+14155552671", email: "zoe@example.com", role: role, version: version,
            mapped: ["app.plan": .string("free")], metadata: metadata)
    }

    @Test func `a token has the claims of Supabase Auth, and the gateway reads ours in it`() async throws {
        let start = fixture.clock.now
        let tokens = try await fixture.signIn(claims(metadata: Self.metadata))
        let payload = try fixture.payload(tokens.accessToken)
        #expect(
            payload.members.map(\.name) == [
                "iss", "aud", "sub", "iat", "exp", "jti", "sid", "ver", "role", "email", "phone", "app_metadata",
                "user_metadata", "aal", "amr", "auth_time", "session_id", "is_anonymous",
            ])
        let expected: [(String, JSONValue)] = [
            ("iss", .string("https://auth.example.com/auth/v1")), ("aud", .string("authenticated")),
            ("sub", .string(SupabaseFixture.uuid)), ("iat", .integer(start)), ("exp", .integer(tokens.accessExpiresAt)),
            ("ver", .integer(3)), ("role", .string("authenticated")), ("email", .string("zoe@example.com")),
            ("phone", .string("14155552671")), ("aal", .string("aal1")), ("is_anonymous", .bool(false)),
            ("session_id", .string("00000000-" + (try uuidGroups(tokens.sessionID)))),
        ]
        for (name, value) in expected { #expect(payload[name] == value, "\(name)") }
        let texts = ["app_metadata", "user_metadata", "amr"].map {
            payload[$0].map { String(decoding: $0.canonical, as: UTF8.self) }
        }
        #expect(
            texts == [
                #"{"plan":"pro","provider":"phone","providers":["phone","email"],"role":"admin"}"#,
                #"{"name":"Zoë \"Z\"","role":"admin"}"#, #"[{"method":"otp","timestamp":\#(start)}]"#,
            ])
        let own = try fixture.verified(tokens.accessToken)
        #expect(own.subject == SupabaseFixture.user && own.sessionID == tokens.sessionID && own.version == 3)
        #expect(
            own.additional == [
                "role": .string("admin"), "phone": .string("+14155552671"), "email": .string("zoe@example.com"),
                "acr": .string("aal1"), "auth_time": .integer(start),
            ])
    }

    private func uuidGroups(_ sid: String) throws -> String {
        String(try #require(SupabaseID.uuid(ofSession: sid)).dropFirst(9))
    }

    @Test func `what a user lacks is an empty text or object`() async throws {
        let tokens = try await fixture.signIn(UserClaims(phone: nil, role: "user", version: 0), method: "apple")
        let payload = try fixture.payload(tokens.accessToken)
        #expect(payload["email"] == .string("") && payload["phone"] == .string(""))
        #expect(payload["user_metadata"]?.objectValue?.members.isEmpty == true)
        #expect(payload["app_metadata"]?.objectValue?["providers"] == .array([.string("apple")]))
        let own = try fixture.verified(tokens.accessToken)
        #expect(own.additional["phone"] == nil && own.additional["email"] == nil)
    }

    @Test(
        arguments: [
            ("sms", "otp", "phone"), ("whatsapp", "otp", "phone"), ("call", "otp", "phone"), ("email", "otp", "email"),
            ("link", "otp", "email"), ("password", "password", "email"), ("recovery", "recovery", "email"),
            ("apple", "oauth", "apple"), ("oidc:google", "oauth", "google"), ("phone:fpnv", "otp", "phone"),
            ("passkey:1f", "passkey", "phone"), ("review", "otp", "phone"),
        ])
    func `amr states how the session began`(method: String, name: String, provider: String) async throws {
        let payload = try fixture.payload(try await fixture.signIn(claims(), method: method).accessToken)
        let first = payload["amr"]?.arrayValue?.first?.objectValue
        #expect(payload["amr"]?.arrayValue?.count == 1 && first?["method"] == .string(name))
        #expect(payload["app_metadata"]?.objectValue?["provider"] == .string(provider))
    }

    @Test func `a refresh keeps the time of the beginning, and a second factor adds to it`() async throws {
        let start = fixture.clock.now
        let tokens = try await fixture.signIn(claims(), factors: [.sms, .otp])
        fixture.clock.advance(4_000)
        let payload = try fixture.payload(try await fixture.rotated(tokens.refreshToken).accessToken)
        #expect(payload["iat"] == .integer(start + 4_000) && payload["aal"] == .string("aal2"))
        let amr = try #require(payload["amr"]?.arrayValue).compactMap(\.objectValue)
        #expect(amr.map { $0["method"] } == [.string("otp"), .string("totp")])
        #expect(amr.allSatisfy { $0["timestamp"] == .integer(start) })
    }

    @Test func `a session of a recovery says so, with its time`() async throws {
        let authentication = fixture.parts.sessionRoutes.authentication
        for (method, expected) in [("recovery", fixture.clock.now), ("email", nil)] as [(String, Int64?)] {
            let tokens = try await fixture.signIn(claims(), method: method)
            guard case .answer(let last) = try await authentication.last(accessToken: tokens.accessToken) else {
                return #expect(Bool(false))
            }
            #expect(last.recoveredAt == expected && last.factors == .email)
        }
    }

    // MARK: - Beside native sessions

    @Test func `a native session of the deployment has the claims and the life that it always had`() async throws {
        let tokens = try await fixture.signIn(claims(metadata: Self.metadata), dialect: Dialect.native)
        let payload = try fixture.payload(tokens.accessToken)
        #expect(
            payload.members.map(\.name) == [
                "iss", "aud", "sub", "iat", "exp", "jti", "sid", "ver", "auth_time", "phone", "role",
            ])
        #expect(payload["sub"] == .string(SupabaseFixture.user) && payload["role"] == .string("admin"))
        #expect(tokens.expiresIn == 3_600 && tokens.refreshToken.hasPrefix("rt_"))
        #expect(try fixture.verified(tokens.accessToken).subject == SupabaseFixture.user)
    }

    @Test func `tokens of both kinds introspect, list and sign out alike`() async throws {
        for (dialect, issuer, audience) in [
            (Dialect.native, "test.app", "test-api"),
            (Dialect.supabase, "https://auth.example.com/auth/v1", "authenticated"),
        ] {
            let tokens = try await fixture.signIn(claims(), dialect: dialect)
            let reply = try await fixture.parts.clientRoutes.introspect(tokens.accessToken)
            #expect(reply.active && reply.sub == SupabaseFixture.user && reply.sid == tokens.sessionID)
            #expect(reply.role == "admin" && reply.iss == issuer && reply.aud == audience)
            let refresh = try await fixture.parts.clientRoutes.introspect(tokens.refreshToken)
            #expect(refresh.active && refresh.iss == issuer && refresh.aud == audience)
            guard case .answer = try await fixture.parts.sessionRoutes.list(accessToken: tokens.accessToken) else {
                return #expect(Bool(false))
            }
            _ = try await fixture.parts.routes.end(LogoutRequest(refreshToken: nil, accessToken: tokens.accessToken))
            #expect(try await !fixture.parts.clientRoutes.introspect(tokens.accessToken).active)
            #expect(fixture.feed.published.contains { $0.sessionID.text == tokens.sessionID })
        }
    }

    @Test func `another role refuses the tokens before it, and a refresh has it`() async throws {
        let tokens = try await fixture.signIn(claims("admin", metadata: Self.metadata))
        let changed = ChangeRightsRequest(userID: SupabaseFixture.user, claims: claims("user", version: 4))
        try await fixture.parts.routes.changeRights(changed)
        #expect(fixture.feed.publishedFloors.map(\.version) == [4])
        #expect(try await !fixture.parts.clientRoutes.introspect(tokens.accessToken).active)
        let next = try await fixture.rotated(tokens.refreshToken)
        let own = try fixture.verified(next.accessToken)
        #expect(own.additional["role"] == .string("user") && own.version == 4)
    }

    @Test func `metadata is stored with the session, sealed, and other sessions are as long as before`() throws {
        let seal = ClaimsSeal(ring: try TokenFixture.ring())
        let id = SessionID.new(at: 0)
        for (legacyID, mapped) in [(nil, nil), ("fb/1", nil), (nil, ["app.plan": .string("x")])]
            as [(String?, [String: ClaimValue]?)]
        {
            let claims = UserClaims(
                phone: "+1", role: "user", version: 1, legacyID: legacyID, mapped: mapped, metadata: Self.metadata)
            let sealed = try seal.seal(claims, for: id)
            #expect(try seal.open(sealed, of: id) == claims)
            #expect(!String(decoding: sealed, as: UTF8.self).contains("plan"))
        }
        let plain = try seal.seal(UserClaims(phone: "+1", role: "user", version: 1), for: id)
        let legacy = try seal.seal(UserClaims(phone: "+1", role: "user", version: 1, legacyID: "12"), for: id)
        #expect(legacy.count == plain.count + 4)
        #expect(try seal.open(plain, of: id).metadata == nil)
    }

    // MARK: - The life of access tokens

    @Test func `lives vary by a twentieth, and answer, token and row agree`() async throws {
        var lives: Set<Int64> = []
        for _ in 0..<40 {
            let tokens = try await fixture.signIn(claims())
            lives.insert(tokens.expiresIn)
            #expect(tokens.accessExpiresAt == fixture.clock.now + tokens.expiresIn)
            #expect(try fixture.payload(tokens.accessToken)["exp"] == .integer(tokens.accessExpiresAt))
            let sid = try #require(SessionID(text: tokens.sessionID))
            let row = try #require(try await fixture.storage.sessions.session(named: sid))
            // A revocation is remembered for as long as the row says.
            #expect(row.accessExpiresAt >= tokens.accessExpiresAt)
        }
        #expect(lives.allSatisfy { (3_420...3_780).contains($0) } && lives.count > 5)
        #expect(lives.contains { $0 < 3_600 } && lives.contains { $0 > 3_600 })
    }

    @Test func `a sign-in that is repeated has a token whose life the row knows`() async throws {
        for round in 0..<10 {
            var sessions: Set<String> = []
            for _ in 0..<3 {
                let tokens = try await fixture.signIn(claims(), key: "one", grant: "grant-\(round)")
                sessions.insert(tokens.sessionID)
                let sid = try #require(SessionID(text: tokens.sessionID))
                let row = try #require(try await fixture.storage.sessions.session(named: sid))
                #expect(row.accessExpiresAt >= tokens.accessExpiresAt)
            }
            #expect(sessions.count == 1)
        }
    }

    @Test func `a key verifies for as long as its longest token lives`() {
        let native = KeyRule(fixture.policy)
        #expect(native.tokenSeconds == 3_600 + 180 + KeyRule.tokenExtraSeconds)
    }
}
