import AuthAPI
import CryptoPrimitives
import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InternalAPI
import NIOCore
import ServiceCalls
import ServiceHTTP
import TestSupport
import Testing

@testable import TokenCore

/// The routes as the gateway and the operator reach them.
@Suite struct SessionRoutesTests {
    private static let clientSecret = "a1b2c3d4e5f60718293a4b5c6d7e8f90"

    private let fixture: TokenFixture
    private let replica: Replica
    private let feed = BreakableFeed()
    private let pairs: [Caller: KeyRing]
    private let calls: OwnCalls
    private let router: Router<ServiceRequestContext>

    init() async throws {
        fixture = try TokenFixture()
        replica = try await fixture.replica(clients: "api \(Self.clientSecret)", feed: feed)
        pairs = [.gateway: try TokenFixture.ring(), .user: try TokenFixture.ring(), .control: try TokenFixture.ring()]
        calls = OwnCalls(to: "token", keys: pairs)
        router = serviceRouter(verifier: calls.verifier) { [replica] in replica.parts.add(to: &$0) }
    }

    private struct Answer: Equatable {
        let status: Int
        let body: String
        let retryAfter: String?
    }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: (any Encodable)? = nil, token: String? = nil,
        from caller: Caller = .gateway
    ) async throws -> Answer {
        let bytes = try body.map { Array(try JSONEncoder().encode($0)) } ?? []
        var headers = HTTPFields()
        headers[try #require(HTTPField.Name(AssertionSigner.header))] =
            calls.sign(
                AssertedRequest(
                    method: method.rawValue, path: path, authorization: token.map { "Bearer \($0)" } ?? "", body: bytes),
                as: caller, keys: try #require(pairs[caller])
            ).text
        if let token { headers[.authorization] = "Bearer \(token)" }
        return try await Application(router: router).test(.router) { [headers] client in
            try await client.execute(
                uri: path, method: method, headers: headers, body: bytes.isEmpty ? nil : ByteBuffer(bytes: bytes)
            ) {
                Answer(status: $0.status.code, body: String(buffer: $0.body), retryAfter: $0.headers[.retryAfter])
            }
        }
    }

    private func ask(_ path: String, _ token: String, secret: String = clientSecret) async throws -> Answer {
        try await send(
            .post, path,
            ClientTokenRequest(clientID: "api", clientSecret: secret, token: token, address: "203.0.113.9"))
    }

    @Test func `the bearer lists and ends his sessions`() async throws {
        let (mine, other) = (try await replica.signIn(fixture), try await replica.signIn(fixture))
        let listed = try await send(.get, TokenOperations.ownSessions.path, token: mine.accessToken)
        let list = try JSONDecoder().decode(SessionList.self, from: Data(listed.body.utf8))
        #expect(listed.status == 200 && list.sessions.count == 2)
        let end = EndOwnSessionRequest(sessionID: other.sessionID)
        #expect(try await send(.post, TokenOperations.endOwnSession.path, end, token: mine.accessToken).status == 200)
        let gone = try await send(
            .post, TokenOperations.endOwnSession.path, EndOwnSessionRequest(sessionID: "x"), token: mine.accessToken)
        #expect(gone.status == 404 && gone.body.contains(EndOwnSessionRefusal.notFound.rawValue))
        #expect(try await send(.post, TokenOperations.endOtherSessions.path, token: mine.accessToken).status == 200)
        let after = try await send(.get, TokenOperations.ownSessions.path, token: other.accessToken)
        #expect(after.status == 401 && after.body.contains(BearerRefusal.invalidToken.rawValue))
    }

    @Test func `user-service learns whose a live session is, and of no other session`() async throws {
        let (mine, other) = (try await replica.signIn(fixture), try await replica.signIn(fixture))
        func owner(_ session: String) async throws -> String? {
            let answer = try await send(
                .post, TokenOperations.liveSession.path, LiveSessionRequest(sessionID: session), from: .user)
            #expect(answer.status == 200)
            return try JSONDecoder().decode(LiveSession.self, from: Data(answer.body.utf8)).userID
        }
        #expect(try await owner(mine.sessionID) == TokenFixture.user)
        #expect(try await owner("x") == nil)
        let end = EndOwnSessionRequest(sessionID: other.sessionID)
        #expect(try await send(.post, TokenOperations.endOwnSession.path, end, token: mine.accessToken).status == 200)
        #expect(try await owner(other.sessionID) == nil)
        fixture.clock.advance(mine.refreshExpiresAt - fixture.clock.now)
        #expect(try await owner(mine.sessionID) == nil)
        let request = LiveSessionRequest(sessionID: mine.sessionID)
        for caller in [Caller.gateway, .control] {
            #expect(try await send(.post, TokenOperations.liveSession.path, request, from: caller).status == 401)
        }
    }

    @Test func `without a bearer there is no list, and a deactivated user is 403`() async throws {
        let tokens = try await replica.signIn(fixture)
        for token in [nil, "", "garbage"] {
            #expect(try await send(.get, TokenOperations.ownSessions.path, token: token).status == 401)
        }
        try await replica.revokeUser(epoch: 1, reason: .inactive)
        let answer = try await send(.get, TokenOperations.ownSessions.path, token: tokens.accessToken)
        #expect(answer.status == 403 && answer.body.contains(BearerRefusal.accountInactive.rawValue))
    }

    @Test func `the operator's routes are closed to the gateway, and the bearer's to the operator`() async throws {
        let user = UserSessionsRequest(userID: TokenFixture.user)
        #expect(try await send(.post, TokenOperations.userSessions.path, user, from: .control).status == 200)
        let nobody = EndSessionsRequest()
        #expect(try await send(.post, TokenOperations.endSessions.path, nobody, from: .control).status == 400)
        for path in [TokenOperations.userSessions.path, TokenOperations.endSessions.path] {
            #expect(try await send(.post, path, user, from: .gateway).status == 401)
        }
        for path in [
            TokenOperations.introspect.path, TokenOperations.revokeByClient.path, TokenOperations.endOwnSession.path,
        ] {
            #expect(try await send(.post, path, user, from: .control).status == 401)
        }
    }

    @Test func `the records of what an administrator ends name them, and no text of another form`() async throws {
        _ = try await replica.signIn(fixture)
        for name in ["client:key:worker-2", "administrator:00ff", "operator:alice", "administrator:a b"] {
            let read = UserSessionsRequest(userID: TokenFixture.user, administrator: name)
            #expect(try await send(.post, TokenOperations.userSessions.path, read, from: .user).status == 200)
        }
        let end = EndSessionsRequest(userID: TokenFixture.user, administrator: "administrator:00ff")
        for _ in 0..<2 {
            #expect(try await send(.post, TokenOperations.endSessions.path, end, from: .user).status == 200)
        }
        let audit = try await send(.post, TokenOperations.audit.path, AuditRequest(limit: 9), from: .control)
        let records = try JSONDecoder().decode(AuditPage.self, from: Data(audit.body.utf8)).records
        let own = records.compactMap(\.detail).filter { $0.contains("sessions") || $0.contains("admin") }
        #expect(
            own == [
                "sessions administrator:00ff", "admin administrator:00ff", "sessions", "sessions",
                "sessions administrator:00ff", "sessions client:key:worker-2",
            ], "\(records)")
    }

    @Test func `a client introspects and revokes, a wrong one does neither`() async throws {
        let tokens = try await replica.signIn(fixture)
        let good = try await ask(TokenOperations.introspect.path, tokens.accessToken)
        #expect(good.status == 200 && good.body.contains(#""active":true"#))
        for path in [TokenOperations.introspect.path, TokenOperations.revokeByClient.path] {
            let wrong = try await ask(path, tokens.accessToken, secret: "wrong")
            #expect(wrong.status == 200 && wrong.body == #"{"result":"invalid_client"}"#)
        }
        let again = try await ask(TokenOperations.introspect.path, tokens.accessToken)
        #expect(again.body.contains(#""active":true"#))
        for token in [tokens.accessToken, tokens.refreshToken, "unknown"] {
            #expect(try await ask(TokenOperations.revokeByClient.path, token).body == #"{"result":"done"}"#)
        }
        for token in [tokens.accessToken, tokens.refreshToken, "unknown"] {
            let after = try await ask(TokenOperations.introspect.path, token)
            let answer = try JSONDecoder().decode(ClientTokenAnswer.self, from: Data(after.body.utf8))
            #expect(answer == ClientTokenAnswer(.done, introspection: IntrospectionReply(active: false)))
        }
    }

    @Test func `what could not be published is 503 with Retry-After, never a success`() async throws {
        let (mine, other) = (try await replica.signIn(fixture), try await replica.signIn(fixture))
        feed.setBroken(true)
        let end = EndOwnSessionRequest(sessionID: other.sessionID)
        let answers = [
            try await send(.post, TokenOperations.endOwnSession.path, end, token: mine.accessToken),
            try await send(.post, TokenOperations.endOtherSessions.path, token: mine.accessToken),
            try await ask(TokenOperations.revokeByClient.path, mine.refreshToken),
        ]
        for answer in answers { #expect(answer.status == 503 && answer.retryAfter == "1") }
        feed.setBroken(false)
        #expect(try await ask(TokenOperations.revokeByClient.path, mine.refreshToken).status == 200)
    }

    @Test func `a store that fails is 503: nothing is known of the token`() async throws {
        let tokens = try await replica.signIn(fixture)
        try await replica.breakStore()
        #expect(try await ask(TokenOperations.introspect.path, tokens.accessToken).status == 503)
        #expect(try await ask(TokenOperations.revokeByClient.path, tokens.accessToken).status == 503)
        #expect(try await send(.get, TokenOperations.ownSessions.path, token: tokens.accessToken).status == 503)
    }
}
