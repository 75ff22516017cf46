import AuthAPI
import FoundationEssentials
import StrictJSON
import Subprocess
import TestSupport
import Testing

extension Live {
    /// Metadata through all processes: from the administrator's patch to the header that the app's API gets.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct MetadataTests {
        /// Sends back the fields of each request as JSON.
        private static let upstream = """
            import http.server, json
            class Upstream(http.server.BaseHTTPRequestHandler):
                def do_GET(self):
                    body = json.dumps([[name.lower(), value] for name, value in self.headers.items()]).encode()
                    self.send_response(200)
                    self.send_header('Content-Length', str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)
                def log_message(self, *words): pass
            server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Upstream)
            print(server.server_port, flush=True)
            server.serve_forever()
            """

        private static let policy = PolicyText.unlimitedRefreshes.merging([
            "  api: false": "  api: true",
            "    claims: [phone, role]": """
                claims: [phone, role]
                mappedClaims: { plan: app.plan, labels: app.labels, checks: attributes.isChecker }
            """,
            "    access: bearer": """
                access: bearer
                claimHeaders: { X-Plan: plan, X-Labels: labels, X-Checks: checks }
              - { path: /bare/**, upstream: app, access: bearer }
              - { path: /maybe/**, upstream: app, access: optional, claimHeaders: { X-Plan: plan } }
              - { path: /open/**, upstream: app, access: open }
            """,
        ]) { $1 }

        private func withStack(_ body: (LatchkeyStack) async throws -> Void) async throws {
            try await ChildProcess(executable: "/usr/bin/python3", arguments: ["-c", Self.upstream]).run { _, output in
                var lines = output.strings().makeAsyncIterator()
                let port = try #require(try await lines.next()).filter(\.isNumber)
                try await LatchkeyStack.run(
                    name: "MetadataTests", environment: ["LATCHKEY_UPSTREAM": "http://127.0.0.1:\(port)"],
                    policy: Self.policy, body)
            }
        }

        private func send(
            _ stack: LatchkeyStack, _ method: String, _ path: String, _ token: String?, _ body: String? = nil,
            headers: [(String, String)] = []
        ) async throws -> HTTPAnswer {
            try await patiently {
                try await stack.gateway.send(
                    method, path,
                    headers: headers + (token.map { [("Authorization", "Bearer \($0)")] } ?? [])
                        + (body == nil ? [] : [("Content-Type", "application/json")]), body: body.map { Array($0.utf8) }
                )
            }
        }

        /// The values of a field of the request that reached the upstream.
        private func values(_ answer: HTTPAnswer, _ name: String) throws -> [String] {
            try #require(answer.json.arrayValue).compactMap { field in
                guard let pair = field.arrayValue, pair.first?.stringValue == name else { return nil }
                return pair.last?.stringValue
            }
        }

        private func administrator(_ stack: LatchkeyStack) async throws -> String {
            let phone = LatchkeyStack.freshPhone()
            try await stack.change(try await stack.signIn(phone: phone).user.id, role: "admin")
            return try await stack.signIn(phone: phone).tokens.accessToken
        }

        @Test func `a claim reaches the upstream as a header, and no client's copy does`() async throws {
            try await withStack { stack in
                let admin = try await administrator(stack)
                let user = try await stack.signIn()
                let forged = [
                    ("X-Plan", "forged"), ("x_plan", "forged"), ("X.PLAN", "forged"), ("X-Labels", "forged"),
                    ("X-Checks", "forged"),
                ]
                let before = try await send(stack, "GET", "/api/x", user.tokens.accessToken, headers: forged)
                #expect(try values(before, "x-plan") == [] && values(before, "x-checks") == ["false"])
                for (path, token) in [("/bare/x", user.tokens.accessToken), ("/maybe/x", nil), ("/open/x", nil)] {
                    let answer = try await send(stack, "GET", path, token, headers: forged)
                    #expect(answer.status == 200 && !answer.text.contains("forged"), "\(path): \(answer.text)")
                }

                let patch = #"{"metadata":{"app":{"plan":"Zoë's 100%","labels":["a,b","c"],"internal":"canary"}}}"#
                let changed = try await send(stack, "PATCH", "/admin/users/\(user.user.id)", admin, patch)
                try #require(changed.status == 200, "\(changed.text)")
                // The token from before is refused as after a change of the role, and a refresh brings the claims.
                try await eventually("the token from before is refused") {
                    try await send(stack, "GET", "/api/x", user.tokens.accessToken).status == 401
                }
                let refreshed: TokenReply = try await stack.gateway.post(
                    "/auth/refresh", encoding: RefreshBody(refreshToken: user.tokens.refreshToken)
                ).decoded()
                let token = refreshed.accessToken
                let claims = try TokenParts(token).claims
                #expect(claims["plan"]?.stringValue == "Zoë's 100%" && claims["checks"] == .bool(false))
                #expect(claims["labels"]?.arrayValue == [.string("a,b"), .string("c")] && claims["internal"] == nil)

                let answer = try await send(stack, "GET", "/api/x", token, headers: forged)
                #expect(try values(answer, "x-plan") == ["Zo%C3%AB's%20100%25"])
                #expect(try values(answer, "x-labels") == ["a%2Cb,c"] && values(answer, "x-checks") == ["false"])
                #expect(!answer.text.contains("forged") && !answer.text.contains("canary"))
                let maybe = try await send(stack, "GET", "/maybe/x", token, headers: forged)
                #expect(try values(maybe, "x-plan") == ["Zo%C3%AB's%20100%25"] && values(maybe, "x-labels") == [])
                let bare = try await send(stack, "GET", "/bare/x", token, headers: forged)
                #expect(try values(bare, "x-plan") == [])
                let logs = stack.dataDirectory + "/log/"
                for file in try FileManager.default.contentsOfDirectory(atPath: logs) {
                    let text = try String(contentsOfFile: logs + file, encoding: .utf8)
                    #expect(!text.contains("canary") && !text.contains("Zoë"), "\(file)")
                }
            }
        }

        @Test func `both sides write their own object, and an If-Match decides between administrators`() async throws {
            try await withStack { stack in
                let admin = try await administrator(stack)
                let user = try await stack.signIn()
                let (path, token) = ("/admin/users/\(user.user.id)", user.tokens.accessToken)
                let mine = try await send(
                    stack, "PATCH", "/users/me", token, #"{"metadata":{"own":{"theme":"dark","x":null}}}"#)
                #expect(mine.status == 200)
                #expect(try mine.json["metadata"]?["own"]?["theme"] == .string("dark"))
                let read = try await send(stack, "GET", path, admin)
                let tag = try #require(read.headers["etag"])
                let patch = #"{"metadata":{"app":{"flags":["a"]}}}"#
                let first = try await send(stack, "PATCH", path, admin, patch, headers: [("If-Match", tag)])
                #expect(
                    first.status == 200 && first.text.contains(#""flags":["a"]"#)
                        && first.text.contains(#""theme":"dark""#))
                let second = try await send(
                    stack, "PATCH", path, admin, #"{"metadata":{"app":{"flags":["b"]}}}"#, headers: [("If-Match", tag)])
                #expect(second.status == 412)
                // A change that the user makes gives another tag too.
                let newest = try #require(first.headers["etag"])
                _ = try await send(stack, "PATCH", "/users/me", token, #"{"metadata":{"own":{"theme":null}}}"#)
                let third = try await send(
                    stack, "PATCH", path, admin, #"{"metadata":{"app":{"flags":null}}}"#,
                    headers: [("If-Match", newest)])
                #expect(third.status == 412)
                for (target, bearer, body) in [
                    (path, admin, #"{"metadata":{"own":{"a":1}}}"#),
                    ("/users/me", token, #"{"metadata":{"app":{"a":1}}}"#),
                    ("/users/me", token, #"{"metadata":{"own":[]}}"#), (path, admin, #"{"metadata":{"app":"x"}}"#),
                    ("/users/me", token, #"{"metadata":{"own":{"a":"\#(String(repeating: "x", count: 4_096))"}}}"#),
                ] {
                    let refused = try await send(stack, "PATCH", target, bearer, body)
                    #expect(refused.status == 400, "\(body.prefix(60)): \(refused.status) \(refused.text)")
                }
                let profile = try await send(stack, "GET", "/users/me", token)
                #expect(profile.text.contains(#""metadata":{"app":{"flags":["a"]},"own":{}}"#))
                let other = try await stack.signIn()
                let plain = try await send(stack, "GET", "/users/me", other.tokens.accessToken)
                #expect(!plain.text.contains("metadata"))
                let details = try await stack.sql("users", "SELECT detail FROM audit WHERE detail LIKE '%metadata%'")
                #expect(!details.isEmpty && !details.contains { $0.contains("dark") || $0.contains("flags") })
            }
        }

        @Test func `latchkeyctl merges a patch and shows both objects`() async throws {
            try await withStack { stack in
                let user = try await stack.signIn()
                let id = user.user.id
                let done = try await stack.control("users change \(id) --metadata '{\"plan\":\"pro\"}'")
                #expect(done.isSuccess && done.output.contains("what changed: metadata.app"), "\(done)")
                let again = try await stack.control("users change \(id) --metadata '{\"plan\":\"pro\"}'")
                #expect(!again.isSuccess)
                let shown = try await stack.control("users find \(id)")
                #expect(shown.output.contains(#"{"plan":"pro"}"#), "\(shown)")
                for wrong in ["[]", "{", "{\"a\":1,\"a\":2}"] {
                    let refused = try await stack.control("users change \(id) --metadata '\(wrong)'")
                    #expect(!refused.isSuccess, "\(wrong)")
                }
            }
        }
    }
}
