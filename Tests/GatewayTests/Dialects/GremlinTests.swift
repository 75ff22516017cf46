import AuthAPI
import InternalAPI
import Policies
import StrictJSON
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// The answers of gremlin's dialect, member by member.
@Suite struct GremlinTests {
    private let tokens = TokenSet(
        accessToken: "a", refreshToken: "r", accessExpiresAt: 1_776_096_000, refreshExpiresAt: 2, expiresIn: 3,
        sessionID: "s", userID: "u")

    private func text(_ value: some Encodable) throws -> String {
        String(decoding: try StrictJSON.encode(value), as: UTF8.self)
    }

    @Test func `a sign-in has user and session, and the session ends when its JWT does`() throws {
        let user = UserDetails(
            id: "u1", phoneNumber: nil, email: "a@b.c", name: nil, role: "user", createdAt: 1,
            attributes: UserAttributes())
        let session = #"{"token":"a","refreshToken":"r","expiresAt":"2026-04-13T16:00:00Z"}"#
        #expect(
            try text(GremlinSignIn(user: GremlinUser(user), session: GremlinSession(tokens)))
                == #"{"user":{"id":"u1","email":"a@b.c","name":null,"role":"user","is_active":true},"session":\#(session)}"#
        )
        #expect(try text(GremlinRefresh(session: GremlinSession(tokens))) == "{\"session\":\(session)}")
    }

    @Test func `a page of users says where the next one begins`() throws {
        let facts = UserSummary(
            id: "u1", phoneNumber: "+1", name: "Ann", role: "admin", isActive: false, createdAt: 1, lastSignInAt: nil,
            deletionDueAt: nil)
        let user = #"{"id":"u1","email":null,"name":"Ann","role":"admin","is_active":false}"#
        #expect(
            try text(GremlinUsers(UserPage(users: [facts], next: "u1")))
                == "{\"users\":[\(user)],\"nextCursor\":\"u1\"}")
        #expect(try text(GremlinUsers(UserPage(users: [], next: nil))) == #"{"users":[],"nextCursor":null}"#)
    }

    static let refusals: [(Refusal, Int, String)] = [
        (.invalidCredentials, 401, "INVALID_CREDENTIALS"), (.noAccessToken, 401, "MISSING_TOKEN"),
        (.nothingToEnd, 401, "MISSING_TOKEN"), (.accessTokenExpired, 401, "TOKEN_EXPIRED"),
        (.accessTokenInvalid, 401, "INVALID_TOKEN"), (.refreshTokenInvalid(.reused), 401, "INVALID_REFRESH_TOKEN"),
        (.accountInactive, 403, "ACCOUNT_INACTIVE"), (.roleMissing(["admin"]), 403, "FORBIDDEN"),
        (.notInvited, 403, "NOT_INVITED"), (.registrationClosed, 403, "REGISTRATION_CLOSED"),
        (.tooMany(retryAfterSeconds: 7), 429, "RATE_LIMITED"),
        (.tooManyRequests(RateLimit(max: 1, windowSeconds: 60), retryAfterSeconds: 7), 429, "RATE_LIMITED"),
        (.invalidBody(.notJSON), 400, "INVALID_REQUEST"), (.invalidMember, 400, "INVALID_REQUEST"),
        (.notFound, 404, "NOT_FOUND"), (.methodNotAllowed(["GET"]), 405, "METHOD_NOT_ALLOWED"),
        (.unavailable, 503, "UNAVAILABLE"), (.upstream(.timeout), 504, "UPSTREAM_TIMEOUT"),
        (.violation(.bodyTooLarge), 413, "BODY_TOO_LARGE"),
    ]

    @Test(arguments: refusals)
    func `a refusal is code and message, and a 403 about an account says whether it is active`(
        refusal: Refusal, status: Int, code: String
    ) throws {
        let reply = GremlinDialect().reply(to: refusal)
        let body = try StrictJSON.parse(reply.body, limits: .own)
        #expect(reply.status == status && body["code"]?.stringValue == code)
        #expect(body["message"]?.stringValue?.isEmpty == false)
        let isActive: Bool? = refusal == .roleMissing(["admin"]) ? true : refusal == .accountInactive ? false : nil
        let roles = refusal == .roleMissing(["admin"]) ? ["admin"] : nil
        #expect(
            Set(body.memberNames ?? [])
                == Set(
                    ["code", "message"] + (isActive == nil ? [] : ["is_active"])
                        + (roles == nil ? [] : ["required_roles"])))
        #expect(body["required_roles"]?.arrayValue?.compactMap(\.stringValue) == roles)
        #expect(body["is_active"]?.boolValue == isActive)
        #expect(![429, 503].contains(status) || reply.headers.contains { $0.0 == "Retry-After" })
    }

    @Test(
        arguments: [
            (nil, 50, nil), ("", 50, nil), ("limit=&cursor=", 50, nil), ("limit=1", 1, nil),
            ("limit=100&cursor=u1", 100, "u1"),
            ("cursor=u%5F1&x=y", 50, "u_1"),
        ] as [(String?, Int, String?)])
    func `a page is asked for by limit and cursor`(query: String?, limit: Int, cursor: String?) throws {
        let page = try GremlinDialect.page(query)
        #expect(page.limit == limit && page.cursor == cursor)
    }

    @Test(arguments: [
        "limit=0", "limit=101", "limit=-1", "limit=+5", "limit=1e1", "limit=1.0", "limit= 5",
        "limit=9999999999999999999999",
        "limit=5&limit=5", "cursor=a&cursor=b", "limit", "limit=%zz", "=1", "cursor=%00", "&",
    ])
    func `a page of nothing, of too many or with two readings is refused`(query: String) {
        let refusal = #expect(throws: Refusal.self) { try GremlinDialect.page(query) }
        #expect(refusal == .invalid(member: "limit") || refusal == .invalid(member: "query"))
    }

    @Test func `both paths of a sign-in are there, and none without passwords`() {
        let paths = Set(GremlinDialect().rows.map { "\($0.method.rawValue) \($0.pattern.text)" })
        #expect(
            paths == [
                "POST /api/auth/sign-in-email", "POST /api/auth/sign-in/email", "POST /api/auth/refresh",
                "POST /api/auth/sign-out", "GET /api/admin/users",
            ])
        #expect(GremlinDialect(hasPasswords: false).rows.count == 3)
        #expect(GremlinDialect().rows.filter { $0.access == .bearer }.map(\.pattern.text) == ["/api/admin/users"])
    }
}

extension JSONValue {
    var memberNames: [String]? { objectValue.map { $0.members.map(\.name).sorted() } }
}
