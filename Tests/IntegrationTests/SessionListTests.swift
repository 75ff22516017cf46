import AuthAPI
import FoundationEssentials
import StrictJSON
import TestSupport
import Testing

extension Live {
    /// The list of a user's sessions, as the user sees it and revokes them from one of the devices.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack()) struct SessionListTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        private func signIn(
            _ phone: String, device: String? = nil, userAgent: String = "curl/8.5.0"
        ) async throws -> TokenReply {
            try await stack.requestCode(for: phone)
            let body = OTPVerifyBody(
                phoneNumber: phone, countryCode: "US", code: try await stack.code(for: phone), deviceName: device)
            let answer = try await stack.gateway.post(
                "/auth/otp/verify", encoding: body, headers: [("User-Agent", userAgent)])
            let reply: SignInReply = try answer.decoded()
            return reply.tokens
        }

        private func list(_ tokens: TokenReply) async throws -> [SessionSummary] {
            let list: SessionList = try await stack.gateway.get("/sessions", bearer: tokens.accessToken).decoded()
            return list.sessions
        }

        private func delete(_ path: String, _ tokens: TokenReply) async throws -> HTTPAnswer {
            try await stack.gateway.send(
                "DELETE", path, headers: [("Authorization", "Bearer \(tokens.accessToken)")])
        }

        private func refresh(_ tokens: TokenReply) async throws -> HTTPAnswer {
            try await stack.gateway.post("/auth/refresh", encoding: RefreshBody(refreshToken: tokens.refreshToken))
        }

        private func hello(_ tokens: TokenReply) async throws -> Int {
            try await stack.gateway.get("/api/hello", bearer: tokens.accessToken).status
        }

        @Test func `each device is listed by its name, with the network in place of the address`() async throws {
            let phone = LatchkeyStack.freshPhone()
            let tablet = try await signIn(phone, device: "Betty’s tablet\u{7}")
            let handset = try await signIn(phone, userAgent: "Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8 Build/U)")
            let answer = try await stack.gateway.get("/sessions", bearer: handset.accessToken)
            #expect(answer.status == 200 && answer.headers["cache-control"] == "no-store")
            let first = try #require(try answer.json["sessions"]?.arrayValue?.first)
            #expect(first.memberNames == ["address", "createdAt", "current", "deviceName", "id", "lastUsedAt"])
            let sessions = try await list(handset)
            #expect(sessions.map(\.deviceName) == ["Android (Pixel 8)", "Betty’s tablet"])
            #expect(sessions.map(\.current) == [true, false])
            #expect(sessions.allSatisfy { $0.address == "127.0.0.0/24" && $0.lastUsedAt == $0.createdAt })
            #expect(try await list(tablet).map(\.current) == [false, true])
        }

        @Test func `of two devices the one that is ended dies, and only it`() async throws {
            let phone = LatchkeyStack.freshPhone()
            let (mine, lost) = (try await signIn(phone), try await signIn(phone, device: "lost"))
            let id = try #require(try await list(mine).first { $0.deviceName == "lost" }).id
            let ended = try await delete("/sessions/\(id)", mine)
            #expect(ended.status == 200 && ended.text == #"{"success":true}"#)
            // The promised bound is 100 ms after the answer.
            try await Task.sleep(for: .milliseconds(100))
            #expect(try await hello(lost) == 401)
            #expect(try await refresh(lost).status == 401)
            #expect(try await stack.gateway.get("/sessions", bearer: lost.accessToken).status == 401)
            #expect(try await hello(mine) == 200)
            #expect(try await list(mine).map(\.current) == [true])
            #expect(try await delete("/sessions/\(id)", mine).status == 200)
            #expect(try await refresh(mine).status == 200)
        }

        @Test func `another's session and one that never was have the same 404`() async throws {
            let (mine, foreign) = (
                try await signIn(LatchkeyStack.freshPhone()), try await signIn(LatchkeyStack.freshPhone())
            )
            let id = try #require(try await list(foreign).first).id
            let answer = try await delete("/sessions/\(id)", mine)
            #expect(answer.status == 404)
            let long = String(repeating: "a", count: 500)
            for other in [String(repeating: "0", count: 24), "x", "%20", long, id.uppercased() + "a"] {
                let unknown = try await delete("/sessions/\(other)", mine)
                #expect(unknown.status == 404 && unknown.body == answer.body)
            }
            #expect(try await hello(foreign) == 200)
        }

        @Test func `ending the others leaves the present one alone`() async throws {
            let phone = LatchkeyStack.freshPhone()
            let (mine, other) = (try await signIn(phone), try await signIn(phone))
            let third = try await signIn(phone)
            let foreign = try await signIn(LatchkeyStack.freshPhone())
            #expect(try await delete("/sessions", mine).status == 200)
            try await Task.sleep(for: .milliseconds(100))
            for ended in [other, third] {
                #expect(try await hello(ended) == 401)
                #expect(try await refresh(ended).status == 401)
            }
            for spared in [mine, foreign] { #expect(try await hello(spared) == 200) }
            #expect(try await list(mine).count == 1)
        }

        @Test func `without a token nothing is shown or ended, and other methods are 405`() async throws {
            for (method, path) in [("GET", "/sessions"), ("DELETE", "/sessions"), ("DELETE", "/sessions/x")] {
                #expect(try await stack.gateway.send(method, path).status == 401)
            }
            let answer = try await stack.gateway.send("GET", "/sessions/x")
            #expect(answer.status == 405 && answer.headers["allow"] == "DELETE")
        }

        @Test(arguments: [["a b"], [""], [String(repeating: "k", count: 129)], ["one", "one"], ["one", "two"]])
        func `a key that is none is 400, and neither code nor token is used`(keys: [String]) async throws {
            let phone = LatchkeyStack.freshPhone()
            try await stack.requestCode(for: phone)
            let body = OTPVerifyBody(phoneNumber: phone, countryCode: "US", code: try await stack.code(for: phone))
            let headers = keys.map { ("Idempotency-Key", $0) }
            #expect(try await stack.gateway.post("/auth/otp/verify", encoding: body, headers: headers).status == 400)
            let reply: SignInReply = try await stack.gateway.post("/auth/otp/verify", encoding: body).decoded()
            let refresh = RefreshBody(refreshToken: reply.tokens.refreshToken)
            #expect(try await stack.gateway.post("/auth/refresh", encoding: refresh, headers: headers).status == 400)
            #expect(try await stack.gateway.post("/auth/refresh", encoding: refresh).status == 200)
        }

        @Test(arguments: ["scope", "audience", "aud", "resource", "role"])
        func `a refresh that asks for more is 400 and spends nothing`(member: String) async throws {
            let tokens = try await signIn(LatchkeyStack.freshPhone())
            let body = #"{"refreshToken":"\#(tokens.refreshToken)","\#(member)":"admin"}"#
            #expect(try await stack.gateway.post("/auth/refresh", body).status == 400)
            #expect(try await refresh(tokens).status == 200)
        }
    }
}
