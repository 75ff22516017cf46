import AccessTokens
import CryptoPrimitives
import InternalAPI
import Policies
import ServiceCalls
import ServiceKit
import StrictJSON
import Testing

@testable import UserCore

/// The meaning of the old server's responses.
@Suite struct PreviousAnswerTests {
    static let uuid = "5b1f8a52-2f0e-4a7e-9c43-2a1b0c9d8e01"

    /// A response in GoTrue's exact form.
    static func session(user: String = uuid, refresh: String = "zyxwvu765432") -> String {
        #"{"access_token":"e30.e30.AA","token_type":"bearer","expires_in":3600,"expires_at":1800003600,"#
            + #""refresh_token":"\#(refresh)","user":{"id":"\#(user)","aud":"authenticated","role":"authenticated","#
            + #""email":"","phone":"15551234567","app_metadata":{"provider":"phone","providers":["phone"]},"#
            + #""user_metadata":{},"identities":[],"created_at":"2026-08-28T10:00:00.123456Z","is_anonymous":false}}"#
    }

    private func verdict(_ status: Int, _ body: String) -> PreviousAnswer {
        PreviousAnswer(ProviderAnswer(status: status, body: Array(body.utf8)))
    }

    @Test func `a session has its user and its next tokens`() {
        let expected = PreviousAnswer.session(
            user: Self.uuid, accessToken: "e30.e30.AA", refreshToken: "zyxwvu765432")
        #expect(verdict(200, Self.session()) == expected)
    }

    @Test(arguments: [
        #"{"code":"refresh_token_not_found","message":"Invalid Refresh Token: Refresh Token Not Found"}"#,
        #"{"code":400,"error_code":"refresh_token_already_used","msg":"Invalid Refresh Token: Already Used"}"#,
        #"{"code":400,"error_code":"session_expired","msg":"Invalid Refresh Token: Session Expired"}"#,
        #"{"error":"invalid_grant","error_description":"Invalid Refresh Token"}"#,
    ])
    func `its own refusal of a token is one`(body: String) { #expect(verdict(400, body) == .refused) }

    private static let others: [(status: Int, bodies: [String])] = [
        (200, ["", "null", "[]", "<html></html>", #"{"user":{"id":7}}"#, withoutToken, cut]),
        (200, [session(refresh: ""), session(refresh: "two words"), session(refresh: #"\n"#)]),
        (400, ["", "<html>Bad Request</html>", "{}", #"{"code":"validation_failed"}"#]),
        (400, [#"{"error_code":["refresh_token_not_found"]}"#]),
        (401, [#"{"message":"Invalid API key"}"#]), (403, [#"{"code":"refresh_token_not_found"}"#]),
        (409, [#"{"code":"conflict"}"#]), (429, [#"{"code":"over_request_rate_limit"}"#]),
        (204, [""]), (301, [""]), (404, ["{}"]), (500, [""]), (501, [""]), (503, ["{}"]),
    ]
    private static let withoutToken = session().replacingOccurrence(of: #""refresh_token":"#, with: #""refresh":"#)
    private static let cut = String(session().dropLast())

    @Test(arguments: others.flatMap { row in row.bodies.map { (row.status, $0) } })
    func `every other response signs nobody out`(status: Int, body: String) {
        guard case .unavailable = verdict(status, body) else {
            Issue.record("\(status) \(body): \(verdict(status, body))")
            return
        }
    }
}

extension String {
    fileprivate func replacingOccurrence(of text: String, with other: String) -> String {
        firstRange(of: text).map { self[..<$0.lowerBound] + other + self[$0.upperBound...] } ?? self
    }
}

/// The exchange of refresh tokens at the old server, over users that were imported.
@Suite struct PreviousSessionsTests {
    private static let token = "abcdefgh2345"
    private let fixture: UserFixture
    private let server = TokenEndpoint()
    private let sessions: PreviousSessions

    init() throws {
        fixture = try UserFixture()
        // Tests begin on 2027-01-15.
        let policy = try Policy.parse(
            """
            issuer: \(UserFixture.issuer)
            audience: \(UserFixture.audience)
            userIDPrefix: \(UserFixture.prefix)
            publicURL: http://127.0.0.1:8080
            signing: { jwksMaxAgeSeconds: 3600 }
            profiles: { m: { algorithm: RS256 }, s: { algorithm: ES256 } }
            dialects:
              - { name: native, profile: m }
              - { name: supabase, profile: s, previous: { url: "http://127.0.0.1:9/auth/v1", until: "2027-01-20" } }
            countries: { allowed: all }
            """, file: "test.yaml")
        sessions = PreviousSessions(
            policy: policy, exchange: server, store: fixture.store, grants: fixture.grants, secondFactor: nil,
            refusals: FailureLimit(limitsLocalAddresses: true), now: fixture.clock.unix)
    }

    private func prove(
        _ token: String = token, apiKey: String? = nil, from address: String = "203.0.113.7"
    ) async throws -> PreviousSessionAnswer {
        try await sessions.prove(PreviousSessionRequest(refreshToken: token, apiKey: apiKey, address: address))
    }

    /// A user who signed in here, as an imported one would.
    private func known() async throws -> (user: SignedInUser, uuid: String) {
        let user = try await fixture.signedIn()
        let uuid = SupabaseID.uuid(ofUser: user.id.text(prefix: UserFixture.prefix), prefix: UserFixture.prefix)
        return (user, try #require(uuid))
    }

    @Test func `an imported user gets the one grant of the token, however often it is presented`() async throws {
        let (user, uuid) = try await known()
        server.become(200, PreviousAnswerTests.session(user: uuid.uppercased()))
        let token = try #require(PreviousToken(Self.token))
        for _ in 0..<2 {
            let grant = try Grant.open(
                try #require(try await prove(apiKey: "e30.e30.BB").grant), with: fixture.grantKeys,
                now: fixture.clock.seconds)
            #expect(grant.id == token.grantID && grant.userID == user.id.text(prefix: UserFixture.prefix))
            #expect(grant.method == "supabase" && grant.claims.previous == "zyxwvu765432" && !grant.isNewUser)
        }
        let request = try #require(server.requests.first)
        #expect(request.url == "http://127.0.0.1:9/auth/v1/token?grant_type=refresh_token" && request.method == .post)
        #expect(String(decoding: request.body, as: UTF8.self) == #"{"refresh_token":"abcdefgh2345"}"#)
        #expect(request.headers["apikey"] == "e30.e30.BB")
        #expect(request.headers["X-Supabase-Api-Version"] == "2024-01-01")
    }

    @Test func `nobody is signed out while the user is not imported or the server is away`() async throws {
        for id in [PreviousAnswerTests.uuid, "00000000-0000-0000-0000-000000000000", "not a uuid", ""] {
            server.become(200, PreviousAnswerTests.session(user: id))
            #expect(try await prove() == PreviousSessionAnswer(.unavailable), "\(id)")
        }
        server.vanish()
        #expect(try await prove() == PreviousSessionAnswer(.unavailable))
        server.become(400, #"{"code":"refresh_token_not_found","message":"m"}"#)
        #expect(try await prove() == PreviousSessionAnswer(.refused))
    }

    @Test func `a deactivated user gets no session`() async throws {
        let (user, uuid) = try await known()
        let off = ChangeUserRequest(userID: user.id.text(prefix: UserFixture.prefix), isActive: false)
        #expect(try await fixture.change(off, requestID: nil).isDone)
        server.become(200, PreviousAnswerTests.session(user: uuid))
        #expect(try await prove() == PreviousSessionAnswer(.inactive))
    }

    @Test func `after the last day, and with a token of ours, the server is not asked`() async throws {
        #expect(try await prove("rt_" + String(repeating: "0", count: 64)).result == .off)
        fixture.clock.advance(seconds: 7 * 86_400)
        #expect(try await prove().result == .off)
        #expect(server.requests.isEmpty)
    }

    @Test func `a header is sent only if it is one line of visible characters`() async throws {
        server.become(500, "")
        for key in ["a\r\nX: y", "a b", String(repeating: "a", count: 2_049), "é"] { _ = try await prove(apiKey: key) }
        #expect(server.requests.count == 4 && server.requests.allSatisfy { $0.headers["apikey"] == nil })
    }

    @Test func `a network that guesses tokens waits, and its guesses no longer reach the server`() async throws {
        let (_, uuid) = try await known()
        server.become(400, #"{"code":"refresh_token_not_found","message":"m"}"#)
        for _ in 0..<FailureLimit.limit.max { #expect(try await prove().result == .refused) }
        let limited = try await prove()
        #expect(limited.result == .rateLimited && limited.grant == nil)
        #expect((1...60).contains(try #require(limited.retryAfterSeconds)))
        #expect(server.requests.count == FailureLimit.limit.max)
        server.become(200, PreviousAnswerTests.session(user: uuid))
        #expect(try await prove(from: "198.51.100.7").result == .proved)
        // Neither an outage nor a right token counts.
        fixture.clock.advance(seconds: 60)
        for _ in 0...FailureLimit.limit.max { #expect(try await prove().result == .proved) }
        server.vanish()
        for _ in 0...FailureLimit.limit.max { #expect(try await prove().result == .unavailable) }
    }

    @Test(.timeLimit(.minutes(1))) func `no more than 32 calls wait for a server that hangs`() async throws {
        server.become(200, PreviousAnswerTests.session())
        let gate = server.hang()
        try await withThrowingTaskGroup(of: PreviousSessionResult.self) { group in
            for _ in 0..<40 { group.addTask { try await prove().result } }
            // The eight others come back although nothing has been answered.
            for _ in 0..<8 { #expect(try await group.next() == .unavailable) }
            gate.finish()
            for try await _ in group {}
        }
        #expect(server.requests.count == 32)
        // The places are free again.
        _ = try await prove()
        #expect(server.requests.count == 33)
    }

    @Test func `a session is refreshed and then ended at the server`() async throws {
        server.become(200, PreviousAnswerTests.session())
        await sessions.end(PreviousSessionRequest(refreshToken: "zyxwvu765432", apiKey: nil, address: ""))
        #expect(server.requests.map(\.url).last == "http://127.0.0.1:9/auth/v1/logout?scope=local")
        #expect(server.requests.last?.headers["Authorization"] == "Bearer e30.e30.AA" && server.requests.count == 2)
        server.vanish()
        await sessions.end(PreviousSessionRequest(refreshToken: "zyxwvu765432", apiKey: nil, address: ""))
        #expect(server.requests.count == 3)
    }
}
