import AuthAPI
import FoundationEssentials
import InternalAPI
import TestSupport
import Testing

/// The policy of these tests: howru's, with routes of WebSockets and events, and pages with access cookies.
enum LongPolicy {
    static let start = PagePolicy.web("cookies").merging(PolicyText.unlimitedRefreshes) { $1 }.merging([
        "  - path: /api/**": """
          - { path: /ws/user/**, upstream: app, access: bearer, webSocket: true }
          - { path: /ws/admin/**, upstream: app, access: { role: [admin] }, webSocket: true }
          - { path: /ws/any/**, upstream: app, access: optional, webSocket: true }
          - { path: /events/**, upstream: app, access: bearer, live: true, timeoutSeconds: 1 }
          - path: /api/**
        """
    ]) { $1 }

    /// The policy with `changes`, old to new.
    static func text(_ changes: [String: String]) throws -> String {
        var text = try PolicyText.howru(changing: start)
        for (old, new) in changes {
            try #require(text.contains(old), "\(old)")
            text.replace(old, with: new)
        }
        return text
    }
}

/// Starts one stack for a suite before an upstream with WebSockets.
struct LongStackTrait: SuiteTrait, TestScoping {
    let changes: [String: String]

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await FrameUpstream.run { upstream in
            try await LatchkeyStack.run(
                name: test.name, environment: ["LATCHKEY_UPSTREAM": upstream.url],
                policy: LongPolicy.start.merging(changes) { $1 }
            ) { stack in
                try await RunningStack.$current.withValue(stack) {
                    try await FrameUpstream.$current.withValue(upstream) { try await function() }
                }
            }
        }
    }
}

extension Trait where Self == LongStackTrait {
    /// A stack of `LongPolicy` with `changes`, old to new.
    static func longStack(_ changes: [String: String] = [:]) -> Self { LongStackTrait(changes: changes) }
}

extension Live {
    /// WebSockets and live responses through real processes: how they begin, and what ends them.
    @Suite(.serialized, .timeLimit(.minutes(10)), .longStack()) struct LongConnectionTests {
        let stack: LatchkeyStack
        let upstream: FrameUpstream

        init() throws {
            stack = try #require(RunningStack.current)
            upstream = try #require(FrameUpstream.current)
        }

        private func bearer(_ token: String) -> [(String, String)] { [("Authorization", "Bearer \(token)")] }

        private func opened(_ path: String, _ session: SignInReply) async throws -> FrameClient {
            let client = try await FrameClient.open(path, on: stack, bearer(session.tokens.accessToken))
            try #require(client.status == 101, "\(client.head)")
            try await client.expectEcho("hello", as: session.user.id)
            return client
        }

        private func events(_ session: SignInReply) async throws -> FrameClient {
            let client = try await FrameClient.send("/events/a", on: stack, bearer(session.tokens.accessToken))
            try #require(client.status == 200, "\(client.head)")
            try await eventually("the first event") { client.rest.contains("data: hello") }
            return client
        }

        private func revoke(_ user: String) async throws {
            let outcome = try await Shell.run(
                "'\(LatchkeyStack.binaries)/latchkeyctl' sessions revoke --user \(user)", in: stack.dataDirectory,
                environment: [
                    "TOKEN_URL": try stack.service("token").base,
                    "LATCHKEY_SECRETS_DIR": stack.dataDirectory + "/secrets",
                ])
            try #require(outcome.isSuccess, "\(outcome.output)")
        }

        private func changeRole(of user: String, to role: String) async throws {
            let answer = try await ServiceCaller(stack: stack, caller: .control).post(
                "user", UserOperations.change.path, ChangeUserRequest(userID: user, role: role, isActive: nil))
            try #require(answer.status == 200, "\(answer.text)")
        }

        // MARK: - Beginning

        @Test func `a bearer opens a WebSocket, and the upstream learns the user`() async throws {
            let session = try await stack.signIn()
            let client = try await opened("/ws/user/a", session)
            for text in ["one", "two", ""] { try await client.expectEcho(text, as: session.user.id) }
            let head = try #require(upstream.heads.last)
            #expect(head.contains("X-User-Id: \(session.user.id)") && !head.contains(session.tokens.accessToken))
            await client.close()
            let anyone = try await FrameClient.open("/ws/any/a", on: stack)
            try await anyone.expectEcho("hello", as: "nobody")
            await anyone.close()
        }

        @Test func `a page presents its token as a subprotocol, which the upstream never sees`() async throws {
            let session = try await stack.signIn()
            let token = session.tokens.accessToken
            for path in ["/ws/user/b", "/ws/any/b"] {
                let client = try await FrameClient.open(
                    path, on: stack,
                    [
                        ("Origin", "https://elsewhere.example"),
                        ("Sec-WebSocket-Protocol", "latchkey.bearer.\(token), chat"),
                    ])
                #expect(client.status == 101)
                #expect(client.head.contains("Sec-WebSocket-Protocol: chat") && !client.head.contains(token))
                try await client.expectEcho("hello", as: session.user.id)
                let head = try #require(upstream.heads.last)
                #expect(head.contains("Sec-WebSocket-Protocol: chat\r\n") || head.hasSuffix("Protocol: chat"))
                #expect(!head.contains(token) && !head.contains("latchkey.bearer"))
                await client.close()
            }
        }

        @Test func `a page opens one with its cookie, and a page of another origin does not`() async throws {
            let page = PageClient(stack.gateway)
            let answer = try await page.signIn(on: stack)
            let user = try answer.decoded(SignInReply.self).user.id
            let cookie = try #require(page.cookieField(for: "/ws/user/c"))
            let client = try await FrameClient.open(
                "/ws/user/c", on: stack, [("Cookie", cookie), ("Origin", page.origin)])
            #expect(client.status == 101)
            try await client.expectEcho("hello", as: user)
            #expect(upstream.heads.last?.contains("latchkey-access") == false)
            await client.close()
            for origin in [[], [("Origin", "https://elsewhere.example")], [("Origin", "null")]] {
                for path in ["/ws/user/c", "/ws/any/c"] {
                    let other = try await FrameClient.open(path, on: stack, [("Cookie", cookie)] + origin)
                    #expect(other.status == 403, "\(origin)")
                    await other.close()
                }
            }
        }

        @Test func `no token, a wrong one, one in the query, or two of them open nothing`() async throws {
            let token = try await stack.signIn().tokens.accessToken
            let count = upstream.heads.count
            let refused: [(String, [(String, String)], Int)] = [
                ("/ws/user/d", [], 401), ("/ws/user/d?access_token=\(token)", [], 401),
                ("/ws/user/d", bearer("x.y.z"), 401),
                ("/ws/user/d", [("Sec-WebSocket-Protocol", "latchkey.bearer.x.y.z")], 401),
                ("/ws/any/d", [("Sec-WebSocket-Protocol", "latchkey.bearer.x.y.z")], 401),
                ("/ws/user/d", bearer(token) + [("Sec-WebSocket-Protocol", "latchkey.bearer.\(token)")], 401),
                ("/ws/admin/d", bearer(token), 403),
                ("/ws/admin/d", [("Sec-WebSocket-Protocol", "latchkey.bearer.\(token)")], 403),
            ]
            for (path, fields, status) in refused {
                let client = try await FrameClient.open(path, on: stack, fields)
                #expect(client.status == status, "\(path) \(fields.map(\.0))")
                await client.close()
            }
            #expect(upstream.heads.count == count)
        }

        @Test func `a request that opens no WebSocket gets none`() async throws {
            let token = try await stack.signIn().tokens.accessToken
            for (field, status) in [
                ("Upgrade", 426), ("Sec-WebSocket-Version", 426), ("Sec-WebSocket-Key", 400), ("Connection", 400),
            ] {
                let client = try await FrameClient.open("/ws/user/e", on: stack, bearer(token), without: field)
                #expect(client.status == status, "\(field)")
                #expect(client.head.contains("Sec-WebSocket-Version: 13") == (status == 426))
                await client.close()
            }
            #expect(try await stack.gateway.post("/ws/user/e", "{}").status == 405)
        }

        @Test func `an upstream's wrong 101, or one that nobody asked for, is 502`() async throws {
            let token = try await stack.signIn().tokens.accessToken
            let wrong = try await FrameClient.open("/ws/user/wrong", on: stack, bearer(token))
            #expect(wrong.status == 502)
            // No WebSocket's route: the offer is not passed on.
            let ended = upstream.endedCount
            let unasked = try await FrameClient.open(
                "/api/unasked", on: stack, bearer(token) + [("Sec-WebSocket-Protocol", "latchkey.bearer.\(token)")])
            #expect(unasked.status == 502)
            let head = try #require(upstream.heads.last).lowercased()
            for word in ["upgrade", "websocket", "latchkey.bearer"] { #expect(!head.contains(word), "\(word)") }
            try await eventually("the upstream's connection ends") { upstream.endedCount > ended }
            for client in [wrong, unasked] { await client.close() }
        }

        // MARK: - Ends

        @Test func `a revoked session ends its connections, and no other's`() async throws {
            let (user, other) = (try await stack.signIn(), try await stack.signIn())
            let socket = try await opened("/ws/user/f", user)
            let stream = try await events(user)
            let bystander = try await opened("/ws/user/f", other)
            // Longer than the route's timeoutSeconds.
            try await Task.sleep(for: .seconds(2))
            #expect(!socket.hasEnded && !stream.hasEnded)
            try await revoke(user.user.id)
            try await socket.waitForEnd("the WebSocket ends")
            try await stream.waitForEnd("the stream of events ends")
            try await bystander.expectEcho("still here", as: other.user.id)
            let again = try await FrameClient.open("/ws/user/f", on: stack, bearer(user.tokens.accessToken))
            #expect(again.status == 401)
            for client in [again, bystander] { await client.close() }
            for kind in ["live", "websocket"] {
                let label = "auth_edge_long_connections_ended_total{kind=\"\(kind)\",reason=\"revoked\"}"
                #expect(try await stack.metric(label) >= 1)
            }
        }

        @Test func `a role that is taken ends what it opened`() async throws {
            let phone = LatchkeyStack.freshPhone()
            let user = try await stack.signIn(phone: phone).user.id
            try await changeRole(of: user, to: "admin")
            let admin = try await stack.signIn(phone: phone)
            let socket = try await opened("/ws/admin/g", admin)
            try await changeRole(of: user, to: "guest")
            try await socket.waitForEnd("the WebSocket ends")
        }

        @Test func `without Redis the connections of users end, and others stay`() async throws {
            let user = try await stack.signIn()
            let socket = try await opened("/ws/user/h", user)
            let stream = try await events(user)
            let anyone = try await FrameClient.open("/ws/any/h", on: stack)
            try await stack.without(["redis"]) {
                try await socket.waitForEnd("the WebSocket ends")
                try await stream.waitForEnd("the stream of events ends")
                try await anyone.expectEcho("still here", as: "nobody")
            }
            await anyone.close()
        }

        @Test func `a reload ends what the new policy would not pass on, and nothing else`() async throws {
            func reload(_ changes: [String: String]) async throws {
                try LongPolicy.text(changes).write(
                    toFile: stack.dataDirectory + "/policy.yaml", atomically: true, encoding: .utf8)
                try await stack.hangUp(expecting: "policy.reloaded")
            }
            let session = try await stack.signIn()
            try await reload([:])
            let user = try await opened("/ws/user/i", session)
            let stream = try await events(session)
            try await reload(["idleTimeoutSeconds: 30": "idleTimeoutSeconds: 31"])
            try await user.expectEcho("still here", as: session.user.id)
            try await reload([
                "  - { path: /ws/user/**, upstream: app, access: bearer, webSocket: true }\n": ""
            ])
            try await user.waitForEnd("the WebSocket of the removed route ends")
            #expect(!stream.hasEnded)
            try await reload([
                "path: /events/**, upstream: app, access: bearer": "path: /events/**, upstream: app, access: open"
            ])
            try await stream.waitForEnd("the stream of the changed route ends")
            try await reload([:])
        }
    }

    /// The end of a token during a WebSocket.
    @Suite(
        .serialized, .timeLimit(.minutes(10)),
        .longStack(["accessLifetimeSeconds: 3600  ": "accessLifetimeSeconds: 60  "]))
    struct LongConnectionExpiryTests {
        @Test func `a WebSocket ends when its token expires`() async throws {
            let stack = try #require(RunningStack.current)
            let session = try await stack.signIn()
            let socket = try await FrameClient.open(
                "/ws/user/a", on: stack, [("Authorization", "Bearer \(session.tokens.accessToken)")])
            try await socket.expectEcho("hello", as: session.user.id)
            // The token is valid for a minute.
            try await eventually("the WebSocket ends", within: .seconds(60) + Patience.limit) { socket.hasEnded }
            let hello = try await stack.gateway.get("/api/hello", bearer: session.tokens.accessToken)
            #expect(hello.status == 401)
            #expect(
                try await stack.metric(
                    "auth_edge_long_connections_ended_total{kind=\"websocket\",reason=\"expired\"}") == 1)
        }
    }
}
