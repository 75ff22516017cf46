import AuthAPI
import InternalAPI
import TestSupport
import Testing

extension Live {
    /// After a 503 nothing new begins: what a service is asked for while it is frozen, it does not do when it wakes.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack()) struct GivenUpCallTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        /// Returns the number of calls that a service refused because the caller no longer waited.
        private func lateCalls(at service: String) async throws -> Int {
            let text = try await stack.operations(service).get("/metrics").text
            let line = text.split(separator: "\n").first {
                $0.hasPrefix("auth_internal_refusals_total") && $0.contains(#"reason="late""#)
            }
            return line?.split(separator: " ").last.flatMap { Double($0) }.map { Int($0) } ?? 0
        }

        @Test(.onFiles) func `a token-service that wakes neither rotates nor opens what was answered with 503`()
            async throws
        {
            let users = (0..<8).map { _ in LatchkeyStack.freshUser() }
            var tokens: [String] = []
            for user in users { tokens.append(try await stack.openSession(of: user).refreshToken) }
            let phone = LatchkeyStack.freshPhone()
            try await stack.requestCode(for: phone)
            let code = OTPVerifyBody(phoneNumber: phone, countryCode: "US", code: try await stack.code(for: phone))
            let opened = try await DatabaseCheck(of: stack).records().openedSessions
            try await stack.frozen("token") {
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for token in tokens {
                        group.addTask {
                            try await stack.gateway.post(
                                "/auth/refresh", encoding: RefreshBody(refreshToken: token)
                            ).status
                        }
                    }
                    group.addTask { try await stack.gateway.post("/auth/otp/verify", encoding: code).status }
                    for try await status in group { #expect(status == 503) }
                }
            }
            try await eventually("it has come to the calls that waited") { try await lateCalls(at: "token") > 0 }
            try await stack.untilReady()
            let check = DatabaseCheck(of: stack)
            #expect(try await check.records().openedSessions == opened)
            for user in users { #expect(try check.records(ofUser: user)["generations"] == nil) }
            for token in tokens {
                let answer = try await stack.gateway.post(
                    "/auth/refresh", encoding: RefreshBody(refreshToken: token))
                #expect(answer.status == 200)
            }
            #expect(try await stack.gateway.post("/auth/otp/verify", encoding: code).status == 200)
        }
    }
}
