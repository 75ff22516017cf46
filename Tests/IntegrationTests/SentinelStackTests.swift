import AuthAPI
import FoundationEssentials
import TestSupport
import Testing

extension Live {
    /// The processes with a Redis that fails over: what a failover loses, and what it must not.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack())
    struct SentinelStackTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        /// The gateway of processes that use the group, and its stack.
        private struct Scene {
            let stack: LatchkeyStack
            let group: RedisGroup
            let gateway: TestHTTPClient

            func call(_ token: String) async -> Int? {
                do { return try await gateway.get("/api/hello", bearer: token).status } catch { return nil }
            }

            func requestCode(for phone: String) async throws -> HTTPAnswer {
                try await gateway.post(
                    "/auth/otp/request", encoding: OTPRequestBody(phoneNumber: phone, countryCode: "US"))
            }

            func verify(_ phone: String, _ code: String) async throws -> HTTPAnswer {
                try await gateway.post(
                    "/auth/otp/verify", encoding: OTPVerifyBody(phoneNumber: phone, countryCode: "US", code: code))
            }

            func signIn() async throws -> SignInReply {
                let phone = LatchkeyStack.freshPhone()
                let asked = try await patiently { try await requestCode(for: phone) }
                guard asked.status == 200 else { throw UnexpectedAnswer(to: "POST /auth/otp/request", asked) }
                let code = try await stack.code(for: phone)
                let answer = try await patiently { try await verify(phone, code) }
                guard answer.status == 200 else { throw UnexpectedAnswer(to: "POST /auth/otp/verify", answer) }
                return try answer.decoded()
            }
        }

        private func withScene(_ body: (Scene) async throws -> Void) async throws {
            let accounts = try String(contentsOfFile: stack.dataDirectory + "/redis/users.acl", encoding: .utf8)
            try await RedisGroup.with(users: accounts.split(separator: "\n").map(String.init)) { group in
                let loaded = try await Shell.run(
                    "./latchkeyctl redis load", in: LatchkeyStack.binaries,
                    environment: [
                        "REDIS_URL": group.url, "REDIS_USER": "functions",
                        "LATCHKEY_SECRETS_DIR": stack.dataDirectory + "/secrets",
                    ])
                #expect(loaded.isSuccess, "\(loaded.output)")
                try await withTwins(["otp", "token", "user"], of: stack, settings: ["REDIS_URL": group.url]) {
                    settings in
                    try await ProcessTwin(of: "gateway", in: stack).run(settings: settings) { gateway in
                        try await eventually("the gateway is ready") {
                            do { return try await gateway.operations.get("/readyz").status == 200 } catch {
                                return false
                            }
                        }
                        try await body(Scene(stack: stack, group: group, gateway: gateway.service))
                    }
                }
            }
        }

        /// Starts a twin of each process, which knows those before it.
        private func withTwins(
            _ names: [String], of stack: LatchkeyStack, settings: [String: String],
            _ body: ([String: String]) async throws -> Void
        ) async throws {
            guard let name = names.first else { return try await body(settings) }
            try await ProcessTwin(of: name, in: stack).run(settings: settings) { twin in
                var known = settings
                known[name.uppercased() + "_URL"] = twin.service.base
                try await withTwins(Array(names.dropFirst()), of: stack, settings: known, body)
            }
        }

        @Test func `a failover loses no sign-out, and voids the codes that were sent`() async throws {
            try await withScene { scene in
                let (kept, ended) = (try await scene.signIn().tokens, try await scene.signIn().tokens)
                let answer = try await scene.gateway.post(
                    "/auth/logout", encoding: LogoutBody(refreshToken: ended.refreshToken))
                #expect(answer.status == 200)
                #expect(await scene.call(ended.accessToken) == 401)
                let phone = LatchkeyStack.freshPhone()
                _ = try await scene.requestCode(for: phone)
                let code = try await scene.stack.code(for: phone)

                try await scene.group.first.kill()
                var answers: Set<Int> = []
                try await eventually("the live session is let in again") {
                    let (live, dead) = (await scene.call(kept.accessToken), await scene.call(ended.accessToken))
                    answers.formUnion([dead ?? 0])
                    return live == 200
                }
                // Never let in, and the live one never 401.
                #expect(answers.isSubset(of: [401, 503]), "\(answers)")
                #expect(await scene.call(ended.accessToken) == 401)

                // otp-service finds the new master by itself, perhaps later than the gateway.
                let late = try await patiently { try await scene.verify(phone, code) }
                #expect(late.status == 400 || late.status == 401, "\(late.status) \(late.text)")
                _ = try await scene.signIn()
            }
        }

        @Test func `a master that wakes after its replacement lets nobody in who has signed out meanwhile`()
            async throws
        {
            try await withScene { scene in
                let session = try await scene.signIn().tokens
                #expect(await scene.call(session.accessToken) == 200)
                try scene.group.first.freeze()
                try await eventually("a sign-out is acknowledged by the new master") {
                    try await scene.gateway.post(
                        "/auth/logout", encoding: LogoutBody(refreshToken: session.refreshToken)
                    ).status == 200
                }
                var answers: Set<Int> = []
                for number in 0..<200 {
                    if number == 1 { try scene.group.first.thaw() }
                    answers.insert(await scene.call(session.accessToken) ?? 0)
                }
                #expect(answers.isSubset(of: [401, 503]), "\(answers)")
                try await eventually("the token is refused") { await scene.call(session.accessToken) == 401 }
            }
        }
    }
}
