import AuthAPI
import FoundationEssentials
import TestSupport
import Testing

extension Live {
    /// A Redis for otp-service and user-service, and another for token-service and the gateways.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack()) struct TwoRedisTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        private func withTwo(_ body: (TwinServices, RedisServer, RedisServer) async throws -> Void) async throws {
            let accounts = try TwinServices.accounts(of: stack)
            let configuration = ["maxmemory 64mb", "appendonly yes"]
            try await withRedisServer(configuration: configuration, users: accounts) { codes in
                try await withRedisServer(configuration: configuration, users: accounts) { revocations in
                    let urls = [codes, revocations].map { "redis://127.0.0.1:\($0.port)" }
                    for url in urls { try await TwinServices.loadFunctions(into: url, of: stack) }
                    func settings(of name: String) -> [String: String] {
                        ["REDIS_URL": ["otp", "user"].contains(name) ? urls[0] : urls[1]]
                    }
                    try await TwinServices.run(in: stack, settings: settings) {
                        try await body($0, codes, revocations)
                    }
                }
            }
        }

        private func signOut(_ tokens: TokenReply, _ services: TwinServices) async throws -> Int {
            try await services.stack.gateway.post(
                "/auth/logout", encoding: LogoutBody(refreshToken: tokens.refreshToken)
            ).status
        }

        private func refresh(_ tokens: TokenReply, _ services: TwinServices) async throws -> HTTPAnswer {
            try await services.stack.gateway.post(
                "/auth/refresh", encoding: RefreshBody(refreshToken: tokens.refreshToken))
        }

        private func requestCode(_ services: TwinServices) async throws -> HTTPAnswer {
            try await services.stack.gateway.post(
                "/auth/otp/request",
                encoding: OTPRequestBody(phoneNumber: LatchkeyStack.freshPhone(), countryCode: "US"))
        }

        @Test func `sign-in, sign-out, revocation and audit work, and each Redis serves without the other`()
            async throws
        {
            try await withTwo { services, codes, revocations in
                let (kept, ended) = (try await services.stack.signIn(), try await services.stack.signIn().tokens)
                #expect(await services.call(kept.tokens.accessToken) == 200)
                #expect(try await signOut(ended, services) == 200)
                #expect(await services.call(ended.accessToken) == 401)
                try await eventually("the sign-in's records are in the audit") {
                    try await stack.sql("users", "SELECT count(*) FROM audit WHERE event = 'otp.approved'") == ["2"]
                }

                // Without the codes, sessions go on.
                try await codes.kill()
                try await eventually("no code is sent") { try await requestCode(services).status == 503 }
                #expect(await services.call(kept.tokens.accessToken) == 200)
                let renewed: TokenReply = try await refresh(kept.tokens, services).decoded()
                #expect(await services.call(renewed.accessToken) == 200)
                #expect(await services.call(ended.accessToken) == 401)
                try await codes.launch()
                try await eventually("codes are sent again") { try await requestCode(services).status == 200 }
                let second = try await services.stack.signIn().tokens

                // Without the revocations no session is let in, and codes go on.
                try await revocations.kill()
                try await eventually("nobody is let in") { await services.call(renewed.accessToken) == 503 }
                let answer = try await requestCode(services)
                #expect(answer.status == 200, "\(answer.text)")
                #expect(try await signOut(second, services) == 503)
                try await revocations.launch()
                try await eventually("the session is let in again") { await services.call(renewed.accessToken) == 200 }
                #expect(await services.call(ended.accessToken) == 401)
            }
        }
    }
}
