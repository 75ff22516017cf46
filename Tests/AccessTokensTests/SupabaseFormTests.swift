import AccessTokens
import CryptoPrimitives
import Testing

/// The UUIDs of the dialect `supabase`, and the tokens whose claims are those of Supabase Auth.
@Suite struct SupabaseFormTests {
    private static let digits = "0190a1b2c3d4e5f60718293a4b5c6d7e"
    private static let uuid = "0190a1b2-c3d4-e5f6-0718-293a4b5c6d7e"
    private static let issuer = "https://auth.example.com/auth/v1"
    private static let audience = "authenticated"

    private let mint: Mint
    private let verifier: AccessTokenVerifier

    init() throws {
        mint = try Mint.shared.get()
        verifier = AccessTokenVerifier(
            issuer: Mint.issuer, audience: Mint.audience, keys: mint.verifier.keys,
            forms: [
                TokenForm(issuer: Mint.issuer, audience: "web"),
                TokenForm(issuer: Self.issuer, audience: Self.audience, supabasePrefix: "usr_"),
            ])
    }

    // MARK: - Ids

    @Test func `a user's UUID has the same digits, and is read in either case`() {
        for prefix in ["usr_", ""] {
            #expect(SupabaseID.uuid(ofUser: prefix + Self.digits, prefix: prefix) == Self.uuid)
            #expect(SupabaseID.userID(Self.uuid, prefix: prefix) == prefix + Self.digits)
            #expect(SupabaseID.userID(Self.uuid.uppercased(), prefix: prefix) == prefix + Self.digits)
        }
    }

    @Test(arguments: [
        "", "usr_", "usr_0190", "usr_0190A1B2C3D4E5F60718293A4B5C6D7E", "0190a1b2c3d4e5f60718293a4b5c6d7e",
        "usr_0190a1b2c3d4e5f60718293a4b5c6d7e0", "usr_0190a1b2c3d4e5f60718293a4b5c6d7g",
    ])
    func `an id of another form has no UUID`(id: String) {
        #expect(SupabaseID.uuid(ofUser: id, prefix: "usr_") == nil)
    }

    @Test(arguments: [
        "", digits, "usr_\(digits)", "{\(uuid)}", uuid + "0", "0190a1b2c-3d4-e5f6-0718-293a4b5c6d7e",
        "0190a1b2-c3d4-e5f6-0718-293a4b5c6d7g", "0190a1b2-c3d4-e5f6-0718293a4b5c6d7e", uuid + "-",
        "０190a1b2-c3d4-e5f6-0718-293a4b5c6d7e",
    ])
    func `a text that is no UUID is no id`(text: String) {
        #expect(SupabaseID.userID(text, prefix: "usr_") == nil && SupabaseID.sessionID(text) == nil)
    }

    @Test func `a session's UUID is its sid behind eight zeros, and no other UUID is one`() {
        let sid = "0011223344556677889900aa"
        #expect(SupabaseID.uuid(ofSession: sid) == "00000000-0011-2233-4455-6677889900aa")
        #expect(SupabaseID.sessionID("00000000-0011-2233-4455-6677889900AA") == sid)
        #expect(SupabaseID.sessionID(Self.uuid) == nil && SupabaseID.uuid(ofSession: sid + "00") == nil)
    }

    @Test func `an identity has a UUID of version 8, of its user and provider`() {
        let one = SupabaseID.uuid(ofIdentity: "phone", user: Self.uuid)
        let parts = one.split(separator: "-")
        #expect(parts.map(\.count) == [8, 4, 4, 4, 12])
        #expect(parts[2].hasPrefix("8") && "89ab".contains(parts[3].prefix(1)))
        #expect(SupabaseID.uuid(ofIdentity: "phone", user: Self.uuid) == one)
        #expect(SupabaseID.uuid(ofIdentity: "email", user: Self.uuid) != one)
    }

    // MARK: - Tokens

    private func payload(_ changes: KeyValuePairs<String, String?> = [:]) -> String {
        let standard: KeyValuePairs<String, String?> = [
            "iss": "\"\(Self.issuer)\"", "aud": "\"\(Self.audience)\"", "sub": "\"\(Self.uuid)\"",
            "iat": "\(Mint.now)", "exp": "\(Mint.now + 3600)", "jti": "\"t1\"", "sid": "\"s1\"", "ver": "2",
            "role": "\"authenticated\"", "app_metadata": #"{"provider":"phone","role":"admin"}"#,
            "phone": "\"14155552671\"", "email": "\"\"", "aal": "\"aal1\"",
            "amr": #"[{"method":"otp","timestamp":1}]"#, "auth_time": "\(Mint.now)",
        ]
        var members: [(name: String, value: String?)] = []
        for (name, value) in Array(standard) + Array(changes) {
            members.removeAll { $0.name == name }
            members.append((name, value))
        }
        let texts = members.compactMap { member in member.value.map { "\"\(member.name)\":\($0)" } }
        return "{" + texts.joined(separator: ",") + "}"
    }

    private func claims(_ payload: String) throws -> AccessTokenClaims {
        try verifier.verify(Array(try mint.token(payload: payload).utf8), now: Mint.now)
    }

    private func rejection(_ payload: String) throws -> TokenRejection? {
        let token = Array(try mint.token(payload: payload).utf8)
        do throws(TokenRejection) {
            _ = try verifier.verify(token, now: Mint.now)
            return nil
        } catch { return error }
    }

    @Test func `a token of Supabase's form is read as ours, with the role of app_metadata`() throws {
        let claims = try claims(payload())
        #expect(claims.subject == "usr_" + Self.digits && claims.sessionID == "s1" && claims.version == 2)
        #expect(
            claims.additional == [
                "role": .string("admin"), "phone": .string("+14155552671"), "acr": .string("aal1"),
                "auth_time": .integer(Mint.now),
            ])
    }

    @Test(
        arguments: [
            "null", "{}", #"{"role":["admin"]}"#, #"{"role":7}"#, #"["admin"]"#, #""admin""#, nil,
        ] as [String?])
    func `the claim role gives no right, whatever it is and whatever app_metadata lacks`(metadata: String?) throws {
        for role in [#""authenticated""#, #""admin""#, #""service_role""#] {
            #expect(try claims(payload(["role": role, "app_metadata": metadata])).additional["role"] == nil)
        }
    }

    @Test func `no other claim of such a token becomes one of ours`() throws {
        let more = payload([
            "legacy_id": "\"x\"", "user_metadata": #"{"role":"admin","plan":"pro"}"#, "plan": "\"pro\"",
            "acr": "\"aal2\"", "client_id": "\"c\"",
        ])
        #expect(Set(try claims(more).additional.keys) == ["role", "phone", "acr", "auth_time"])
        #expect(try claims(more).additional["acr"] == .string("aal1"))
        let passkey = payload(["aal": "\"aal2\"", "amr": #"[{"method":"otp"},{"method":"passkey"}]"#])
        #expect(try claims(passkey).additional["amr"] == .strings(["pop"]))
        #expect(try claims(passkey).additional["acr"] == .string("aal2"))
    }

    @Test func `issuer and audience belong together`() throws {
        for (issuer, audience, expected) in [
            (Self.issuer, Self.audience, nil), (Mint.issuer, Self.audience, TokenRejection.wrongAudience),
            (Self.issuer, Mint.audience, .wrongIssuer), (Self.issuer, "anon", .wrongIssuer),
            (Self.issuer + "/", Self.audience, .wrongIssuer), (Mint.issuer, "Authenticated", .wrongAudience),
        ] as [(String, String, TokenRejection?)] {
            #expect(try rejection(payload(["iss": "\"\(issuer)\"", "aud": "\"\(audience)\""])) == expected)
        }
        let expired = payload(["exp": "\(Mint.now - 1)"])
        #expect(try rejection(expired) == .expired)
        // The form is that of the issuer and audience, not of what a token contains.
        let own = try claims(payload(["iss": "\"\(Mint.issuer)\"", "aud": "\"\(Mint.audience)\""]))
        #expect(own.subject == Self.uuid)
    }

    @Test(arguments: ["usr_\(digits)", digits, "admin", uuid + "0"])
    func `a subject that is no UUID is refused`(subject: String) throws {
        #expect(try rejection(payload(["sub": "\"\(subject)\""])) == .invalidClaim)
    }

    @Test func `a profile's own audience has our claims, and no other verifier accepts it`() throws {
        let web = Mint.payload(["aud": "\"web\"", "role": "\"admin\""])
        #expect(try claims(web).additional["role"] == .string("admin") && claims(web).subject == "usr_1")
        #expect(mint.rejection(try mint.token(payload: web)) == .wrongAudience)
        let clients = verifier.with(audience: ClientAudience.of(Mint.audience))
        for payload in [web, payload()] {
            let token = Array(try mint.token(payload: payload).utf8)
            #expect(throws: TokenRejection.self) { try clients.verify(token, now: Mint.now) }
        }
    }
}
