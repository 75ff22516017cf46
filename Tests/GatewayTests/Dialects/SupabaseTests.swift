import AuthAPI
import InternalAPI
import Policies
import StrictJSON
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// The responses of the dialect `supabase`, as the clients of Supabase Auth decode them.
@Suite struct SupabaseTests {
    private static let prefix = "usr_"
    private static let digits = "11111111111141118111111111111111"
    private static let uuid = "11111111-1111-4111-8111-111111111111"
    /// 2026-01-06T14:18:40Z.
    private static let time: Int64 = 1_767_709_120

    private func text(_ value: some Encodable) throws -> String {
        String(decoding: try StrictJSON.encode(value), as: UTF8.self)
    }

    private func user(phone: String? = "+14155552671", email: String? = nil) throws -> SupabaseUser {
        let app = try #require(MetadataObject(try object(#"{"plan":"pro","provider":"forged","role":"forged"}"#)))
        let details = UserDetails(
            id: Self.prefix + Self.digits, phoneNumber: phone, email: email, name: nil, role: "editor",
            createdAt: Self.time, attributes: UserAttributes(),
            metadata: UserMetadata(app: app, own: try #require(MetadataObject(try object(#"{"theme":"dark"}"#)))))
        let identities = [
            phone.map {
                IdentitySummary(
                    id: "1", kind: "phone", value: $0, addedAt: Self.time, lastUsedAt: Self.time + 1)
            }, email.map { IdentitySummary(id: "2", kind: "email", value: $0, addedAt: Self.time + 2) },
        ]
        let list = IdentityList(identities: identities.compactMap(\.self), hasPassword: false)
        return try #require(SupabaseUser(details, list, prefix: Self.prefix))
    }

    private func object(_ text: String) throws -> JSONObject {
        try #require(try StrictJSON.parse(Array(text.utf8), limits: .own).objectValue)
    }

    // MARK: - Objects

    @Test func `a user has every member that some client requires, and none that is null`() throws {
        let identity = #"""
            {"identity_id":"\#(try user().identityID("phone"))","id":"14155552671","user_id":"\#(Self.uuid)",\#
            "identity_data":{"phone":"14155552671","phone_verified":true,"sub":"14155552671"},"provider":"phone",\#
            "created_at":"2026-01-06T14:18:40Z","updated_at":"2026-01-06T14:18:41Z",\#
            "last_sign_in_at":"2026-01-06T14:18:41Z"}
            """#
        let expected = #"""
            {"id":"\#(Self.uuid)","aud":"authenticated","role":"authenticated","email":"","phone":"14155552671",\#
            "phone_confirmed_at":"2026-01-06T14:18:40Z","confirmed_at":"2026-01-06T14:18:40Z",\#
            "last_sign_in_at":"2026-01-06T14:18:41Z","created_at":"2026-01-06T14:18:40Z",\#
            "updated_at":"2026-01-06T14:18:40Z",\#
            "app_metadata":{"provider":"phone","providers":["phone"],"role":"editor","plan":"pro"},\#
            "user_metadata":{"theme":"dark"},"identities":[\#(identity)],"is_anonymous":false}
            """#
        let shown = try StrictJSON.parse(Array(try text(try user()).utf8), limits: .own).canonical
        let wanted = try StrictJSON.parse(Array(expected.utf8), limits: .own).canonical
        #expect(String(decoding: shown, as: UTF8.self) == String(decoding: wanted, as: UTF8.self))
    }

    @Test func `a user without a number, or without anything, still has every required member`() throws {
        for shown in [try user(phone: nil, email: "a@example.com"), try user(phone: nil)] {
            let json = try StrictJSON.parse(Array(try text(shown).utf8), limits: .own)
            #expect(json["phone"] == .string("") && json["email"]?.stringValue != nil)
            #expect(json["app_metadata"]?["providers"]?.arrayValue != nil && json["identities"]?.arrayValue != nil)
            #expect(json.objectValue?.members.contains { $0.value == .null } == false)
        }
    }

    @Test func `a foreign id is no user`() {
        let details = UserDetails(
            id: "other_1", phoneNumber: nil, name: nil, role: "user", createdAt: 0, attributes: UserAttributes())
        #expect(SupabaseUser(details, IdentityList(identities: [], hasPassword: false), prefix: Self.prefix) == nil)
    }

    @Test func `a session's times agree, and its user is inside`() throws {
        let tokens = TokenSet(
            accessToken: "a", refreshToken: "r", accessExpiresAt: Self.time, refreshExpiresAt: Self.time + 9,
            expiresIn: 3_599, sessionID: "s", userID: "u")
        let shown = try StrictJSON.parse(
            Array(try text(SupabaseSession(tokens, try user())).utf8), limits: .own)
        #expect(shown["token_type"] == .string("bearer") && shown["access_token"] == .string("a"))
        #expect(shown["expires_in"] == .integer(3_599) && shown["expires_at"] == .integer(Self.time))
        #expect(shown["refresh_token"] == .string("r") && shown["user"]?["id"] == .string(Self.uuid))
    }

    // MARK: - Errors

    @Test(arguments: Refusal.everyOne + RefusalTests.native.map(\.0), [false, true])
    func `every refusal has the universal body and both headers, and signs nobody out by mistake`(
        refusal: Refusal, isAtToken: Bool
    ) throws {
        let reply = SupabaseDialect(isAtToken: isAtToken).reply(to: refusal)
        let body = try StrictJSON.parse(reply.body, limits: .own)
        let code = try #require(body["code"]?.stringValue)
        #expect(body["error_code"] == .string(code) && body["msg"] == body["message"])
        #expect(body["message"]?.stringValue?.isEmpty == false)
        #expect(reply.headers.contains { $0 == ("x-sb-error-code", code) })
        #expect(reply.headers.contains { $0 == ("X-Supabase-Api-Version", "2024-01-01") })
        #expect(reply.headers.contains { $0 == ("Content-Type", "application/json") })
        #expect((400...504).contains(reply.status) && ![500, 501, 505].contains(reply.status))
        #expect(!isAtToken || reply.status != 429)
        #expect(reply.status != 429 || reply.headers.contains { $0.0 == "Retry-After" })
        let isGone = code == "session_not_found"
        #expect(!isGone || [.sessionRevoked, .refreshTokenInvalid(.revoked)].contains(refusal.withoutReason))
    }

    @Test(arguments: [
        (Refusal.wrongCode, 403, "otp_expired"), (.codeExpired, 403, "otp_expired"),
        (.tooManyGuesses(retryAfterSeconds: 7), 403, "otp_expired"), (.invalidLink, 403, "otp_expired"),
        (.invalidBody(.notJSON), 400, "bad_json"), (.invalidBody(.missing(member: "type")), 400, "validation_failed"),
        (.noAccessToken, 401, "no_authorization"), (.accessTokenInvalid, 403, "bad_jwt"),
        (.sessionRevoked, 403, "session_not_found"), (.invalidCredentials, 400, "invalid_credentials"),
        (.invalidIdentityToken, 400, "bad_jwt"), (.identityTokenUsed, 400, "bad_jwt"),
        (.refreshTokenInvalid(.reused), 400, "refresh_token_already_used"),
        (.refreshTokenInvalid(.reused, .superseded), 400, "refresh_token_already_used"),
        (.refreshTokenInvalid(.revoked), 400, "session_not_found"),
        (.refreshTokenInvalid(.unknown), 400, "refresh_token_not_found"),
        (.refreshTokenInvalid(.malformed), 400, "refresh_token_not_found"), (.accountInactive, 403, "user_banned"),
        (.secondFactorRequired(), 403, "insufficient_aal"), (.weakPassword, 422, "weak_password"),
        (.tooMany(.sends, retryAfterSeconds: 7), 429, "over_sms_send_rate_limit"),
        (.violation(.bodyTooLarge), 413, "request_entity_too_large"), (.unavailable, 503, "unexpected_failure"),
        (.upstream(.timeout), 504, "request_timeout"), (.violation(.unknownMethod), 405, "validation_failed"),
    ])
    func `a refusal has the status and code of GoTrue`(refusal: Refusal, status: Int, code: String) {
        let error = SupabaseError(refusal)
        #expect(error.status == status && error.code == code)
    }

    @Test func `at a refresh a limit is an outage, and a deactivated user 400`() {
        let limited = SupabaseError(.tooMany(retryAfterSeconds: 7), isAtToken: true)
        #expect(limited.status == 503 && limited.retryAfterSeconds == 7)
        #expect(SupabaseError(.accountInactive, isAtToken: true).status == 400)
    }

    @Test func `nothing tells a wrong code from one whose guesses are used up`() {
        let replies = [Refusal.wrongCode, .codeExpired, .tooManyGuesses(retryAfterSeconds: 7)].map {
            SupabaseDialect().reply(to: $0)
        }
        #expect(replies.allSatisfy { $0 == replies.first })
    }

    @Test func `a weak password has reasons, as its error class needs`() throws {
        let body = try StrictJSON.parse(SupabaseDialect().reply(to: .weakPassword).body, limits: .own)
        #expect(body["weak_password"]?["reasons"] == .array([]))
        let other = try StrictJSON.parse(SupabaseDialect().reply(to: .wrongCode).body, limits: .own)
        #expect(other["weak_password"] == nil)
    }

    // MARK: - Paths

    private func table(host: String?) -> RouteTable {
        var facts = SupabaseFacts()
        facts.hasHost = host != nil
        return RouteTable(
            [
                SpokenDialect.test("first", .silent(.get, "/users/me")),
                SpokenDialect(dialect: SupabaseDialect(facts: facts), host: host),
            ], app: [])
    }

    /// Returns the code of the response to a path's refusal, and whether the path is a row.
    private func found(_ table: RouteTable, _ method: HTTPMethod, _ path: String, host: String? = nil) -> String {
        let (label, match) = table.match(method, Array(path.utf8).span, host: { host })
        let dialect = table.dialect(of: label).name
        return switch match {
        case .own(let rows): "\(rows.first.dialect.name) \(label.text)"
        case .app: "app"
        case .methodNotAllowed: "405 \(dialect)"
        case .notFound: "404 \(dialect)"
        }
    }

    @Test func `all paths below auth v1 are the dialect's, and others are not`() {
        let table = table(host: nil)
        #expect(found(table, .post, "/auth/v1/otp") == "supabase /auth/v1/otp")
        #expect(found(table, .get, "/auth/v1/user") == "supabase /auth/v1/user")
        #expect(found(table, .get, "/auth/v1/otp") == "405 supabase")
        #expect(found(table, .post, "/auth/v1/factors/x/verify") == "supabase /auth/v1/factors/**")
        #expect(found(table, .get, "/auth/v1/oauth/authorize") == "supabase /auth/v1/**")
        #expect(found(table, .post, "/auth/v1") == "supabase /auth/v1/**")
        #expect(found(table, .get, "/user") == "404 first" && found(table, .post, "/otp") == "404 first")
        #expect(found(table, .get, "/auth/v10/user") == "404 first")
    }

    @Test func `bare paths are the dialect's at a host of its own alone`() {
        let table = table(host: "auth.example")
        #expect(found(table, .post, "/otp", host: "auth.example") == "supabase /otp")
        #expect(found(table, .post, "/auth/v1/otp", host: "auth.example") == "supabase /auth/v1/otp")
        #expect(found(table, .get, "/nothing", host: "auth.example") == "404 supabase")
        #expect(found(table, .post, "/otp", host: "api.example") == "404 first")
        #expect(found(table, .get, "/users/me", host: "auth.example") == "first /users/me")
    }

    @Test func `a limit at the path of refreshes is 503, at others 429`() throws {
        let table = table(host: nil)
        for (path, status) in [("/auth/v1/token", 503), ("/auth/v1/otp", 429)] {
            let label = table.match(.post, Array(path.utf8).span, host: { nil }).label
            let reply = table.dialect(of: label).reply(
                to: .tooManyRequests(RateLimit(max: 1, windowSeconds: 60), retryAfterSeconds: 7))
            #expect(reply.status == status && reply.headers.contains { $0 == ("Retry-After", "7") })
        }
    }
}

extension SupabaseUser {
    fileprivate func identityID(_ provider: String) throws -> String {
        let json = try StrictJSON.parse(try StrictJSON.encode(self), limits: .own)
        return try #require(json["identities"]?.arrayValue?.first?["identity_id"]?.stringValue)
    }
}

extension Refusal {
    /// The refusal of a refresh token without its reason, or the refusal itself.
    fileprivate var withoutReason: Refusal {
        if case .refreshTokenInvalid(let result, _) = self { .refreshTokenInvalid(result) } else { self }
    }
}
