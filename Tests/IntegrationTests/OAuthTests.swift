import AuthAPI
import CryptoPrimitives
import FoundationEssentials
import StrictJSON
import TestSupport
import Testing

/// The secret of the client `billing`.
private let clientSecret = "a1b2c3d4e5f60718293a4b5c6d7e8f90"

extension Live {
    /// Introspection and revocation by confidential clients, as their libraries speak it.
    @Suite(
        .serialized, .timeLimit(.minutes(5)), .stack(secrets: ["oauth_clients": "billing \(clientSecret)\n"])
    ) struct OAuthTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        private static func basic(_ id: String, _ secret: String) -> (String, String) {
            ("Authorization", "Basic \(Data("\(id):\(secret)".utf8).base64EncodedString())")
        }

        private func ask(
            _ path: String, _ body: String, headers: [(String, String)] = [basic("billing", clientSecret)],
            contentType: String = "application/x-www-form-urlencoded"
        ) async throws -> HTTPAnswer {
            try await stack.gateway.send(
                "POST", path, headers: headers + [("Content-Type", contentType)], body: Array(body.utf8))
        }

        private func introspect(_ token: String) async throws -> HTTPAnswer {
            try await ask("/oauth/introspect", "token=\(token)")
        }

        /// The headers that do not differ from answer to answer anyway.
        private func comparable(_ answer: HTTPAnswer) -> [String: String] {
            answer.headers.filter { !["date", "x-request-id"].contains($0.key) }
        }

        @Test func `an access token and a refresh token are described`() async throws {
            let signIn = try await stack.signIn()
            let access = try await introspect(signIn.tokens.accessToken)
            #expect(access.status == 200 && access.headers["cache-control"] == "no-store")
            #expect(
                try access.json.memberNames
                    == ["active", "aud", "exp", "iat", "iss", "jti", "role", "sid", "sub", "token_type"])
            let reply: IntrospectionReply = try access.decoded()
            #expect(reply.active && reply.sub == signIn.user.id && reply.tokenType == "Bearer")
            #expect(reply.iss == "howru.app" && reply.aud == "howru-api" && reply.role == "user")
            for hint in ["", "&token_type_hint=refresh_token", "&token_type_hint=access_token", "&token_type_hint=x"] {
                let answer = try await ask("/oauth/introspect", "token=\(signIn.tokens.refreshToken)\(hint)")
                let refresh: IntrospectionReply = try answer.decoded()
                #expect(refresh.active && refresh.sid == reply.sid && refresh.tokenType == "refresh_token")
            }
        }

        @Test func `whatever is wrong with a token, the answer is the same to the byte`() async throws {
            let (signIn, ended) = (try await stack.signIn(), try await stack.signIn())
            let used = signIn.tokens.refreshToken
            _ = try await stack.gateway.post("/auth/refresh", encoding: RefreshBody(refreshToken: used))
            _ = try await stack.gateway.post(
                "/auth/logout", encoding: LogoutBody(refreshToken: ended.tokens.refreshToken))
            let parts = signIn.tokens.accessToken.split(separator: ".")
            let bad = [
                "garbage", "a.b.c", "\(parts[0]).\(parts[1]).AAAA", "\(parts[0])..\(parts[2])", used,
                ended.tokens.accessToken, ended.tokens.refreshToken, "rt_" + String(repeating: "0", count: 64),
                String(repeating: "x", count: 9_000), "%E2%98%83",
            ]
            var first: HTTPAnswer?
            for token in bad {
                let answer = try await introspect(token)
                #expect(answer.status == 200 && answer.text == #"{"active":false}"#)
                if let first { #expect(comparable(answer) == comparable(first)) }
                first = first ?? answer
            }
        }

        @Test func `a revoked token's session ends with it, and revoking again is a success`() async throws {
            for kind in [\TokenReply.accessToken, \TokenReply.refreshToken] {
                let tokens = try await stack.signIn().tokens
                for _ in 0..<2 {
                    let answer = try await ask("/oauth/revoke", "token=\(tokens[keyPath: kind])")
                    #expect(answer.status == 200 && answer.headers["cache-control"] == "no-store")
                }
                #expect(try await introspect(tokens.accessToken).text == #"{"active":false}"#)
                #expect(try await introspect(tokens.refreshToken).text == #"{"active":false}"#)
                try await Task.sleep(for: .milliseconds(100))
                #expect(try await stack.gateway.get("/api/hello", bearer: tokens.accessToken).status == 401)
                let refresh = RefreshBody(refreshToken: tokens.refreshToken)
                #expect(try await stack.gateway.post("/auth/refresh", encoding: refresh).status == 401)
            }
            #expect(try await ask("/oauth/revoke", "token=unknown&token_type_hint=y").status == 200)
        }

        @Test func `a client that is none is 401 and learns and ends nothing`() async throws {
            let tokens = try await stack.signIn().tokens
            let body = "token=\(tokens.refreshToken)"
            let headers: [[(String, String)]] = [
                [], [Self.basic("billing", "wrong")], [Self.basic("nobody", clientSecret)], [Self.basic("", "")],
                [("Authorization", "Bearer \(tokens.accessToken)")], [("Authorization", "Basic ***")],
            ]
            for path in ["/oauth/introspect", "/oauth/revoke"] {
                for header in headers {
                    let answer = try await ask(path, body, headers: header)
                    #expect(answer.status == 401 && answer.text == #"{"error":"invalid_client"}"#)
                    #expect(answer.headers["www-authenticate"] == #"Basic realm="oauth""#)
                    #expect(answer.headers["cache-control"] == "no-store")
                }
                let wrong = body + "&client_id=billing&client_secret=wrong"
                #expect(try await ask(path, wrong, headers: []).status == 401)
                let right = "token=x&client_id=billing&client_secret=\(clientSecret)"
                #expect(try await ask(path, right, headers: []).status == 200)
            }
            #expect(try await introspect(tokens.refreshToken).text.contains(#""active":true"#))
        }

        @Test func `a request that is not what the documents say is 400 in their shape`() async throws {
            let twice = "token=x&client_id=billing&client_secret=\(clientSecret)"
            for path in ["/oauth/introspect", "/oauth/revoke"] {
                for body in ["", "token=", "token=a&token=b", "token=%zz", "token", twice, "{\"token\":\"a\"}"] {
                    let answer = try await ask(path, body)
                    #expect(answer.status == 400, "\(body)")
                    #expect(try answer.json["error"]?.stringValue == "invalid_request")
                }
                let json = try await ask(path, "token=a", contentType: "application/json")
                #expect(json.status == 400)
                let charset = "application/x-www-form-urlencoded; charset=UTF-8"
                #expect(try await ask(path, "token=a", contentType: charset).status == 200)
                #expect(try await stack.gateway.get(path).status == 405)
            }
        }

        @Test func `while Redis is away a revocation is 503, never a success`() async throws {
            let tokens = try await stack.signIn().tokens
            try await stack.without(["redis"]) {
                let answer = try await ask("/oauth/revoke", "token=\(tokens.refreshToken)")
                #expect(answer.status == 503 && answer.headers["retry-after"] == "1")
                #expect(try answer.json["error"]?.stringValue == "temporarily_unavailable")
                // It holds here already, and our own database is asked.
                #expect(try await introspect(tokens.accessToken).text == #"{"active":false}"#)
            }
            try await eventually("the revocation is published") {
                try await ask("/oauth/revoke", "token=\(tokens.refreshToken)").status == 200
            }
        }

        @Test func `without token-service both are 503`() async throws {
            try await stack.without(["token"]) {
                for path in ["/oauth/introspect", "/oauth/revoke"] {
                    let answer = try await ask(path, "token=x")
                    #expect(answer.status == 503 && answer.headers["retry-after"] != nil)
                }
            }
        }
    }
}
