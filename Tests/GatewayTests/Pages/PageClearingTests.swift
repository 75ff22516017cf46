import AuthAPI
import InternalAPI
import Policies
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// Which responses remove a page's cookies.
@Suite struct PageClearingTests {
    private static let ours = "Cookie: __Secure-latchkey-refresh=r; __Host-latchkey-page=p\r\n"

    /// A request of a page.
    private static func request(_ cookies: String = ours, body: String = "{}") throws -> ClientRequest {
        let policy = try Policy.parse(
            """
            issuer: a
            audience: b
            profiles: { p: { algorithm: EdDSA } }
            dialects: [{ name: native, profile: p, web: refreshCookie }]
            countries: { allowed: all }
            """, file: "test.yaml")
        let head = try HeadParsing.head(
            "POST /auth/refresh HTTP/1.1\r\nHost: a.example\r\nOrigin: https://a.example\r\n\(cookies)Content-Length: 0\r\n\r\n"
        )
        let pages = try #require(WebPages(policy, publicURL: nil, in: .production))
        return ClientRequest(
            EndpointRequest(head: head, body: Array(body.utf8), requestID: "r", clientAddress: "::1"),
            page: pages.request(head, over: .https))
    }

    @Test(arguments: [
        (RefreshResult.expired, RefusedRefreshReason.expired), (.revoked, .signedOut), (.reused, .reused),
        (.revoked, .reused), (.revoked, .deleted),
    ])
    func `a refresh of a session that has ended does`(_ result: RefreshResult, _ reason: RefusedRefreshReason) throws {
        let fields = try Self.request().clearing(after: .refreshTokenInvalid(result, reason))
        #expect(fields.count == 2 && fields.allSatisfy { $0.1.contains("Max-Age=0") })
        // A token in the body is no cookie's.
        let byBody = try Self.request(body: #"{"refreshToken":"r"}"#)
        #expect(byBody.clearing(after: .refreshTokenInvalid(result, reason)).isEmpty)
    }

    @Test(arguments: [
        Refusal.refreshTokenInvalid(.reused, .superseded), .refreshTokenInvalid(.revoked, .superseded),
        .refreshTokenInvalid(.unknown), .refreshTokenInvalid(.malformed), .noRefreshToken, .accountInactive,
        .tooMany(retryAfterSeconds: 1), .tooManyRequests(RateLimit(max: 1, windowSeconds: 60), retryAfterSeconds: 1),
        .unavailable, .upstream(.timeout), .crossSite, .ambiguousCookie, .usedIdempotencyKey,
    ])
    func `another refusal does not`(_ refusal: Refusal) throws {
        #expect(try Self.request().clearing(after: refusal).isEmpty)
    }

    @Test func `a sign-in whose tokens are in the response does, if there are any`() throws {
        let tokens = TokenSet(
            accessToken: "a.b.c", refreshToken: "rt_1", accessExpiresAt: 1, refreshExpiresAt: 1, expiresIn: 1,
            sessionID: "s", userID: "u")
        let user = UserDetails(
            id: "u", phoneNumber: nil, name: nil, role: "user", createdAt: 1, attributes: UserAttributes())
        let signedIn = OpenSession.SignedIn(
            resolved: ResolveAnswer(grant: "g", isNewUser: false, restored: false, user: user), tokens: tokens)
        let issued = try Self.request().issued(signedIn)
        #expect(issued.tokens == tokens && issued.cookies.count == 2)
        #expect(issued.cookies.allSatisfy { $0.1.contains("Max-Age=0") })
        #expect(try Self.request("").issued(signedIn).cookies.isEmpty)
        // A refresh by body leaves them.
        #expect(try Self.request().issued(tokens).cookies.isEmpty)
    }
}
