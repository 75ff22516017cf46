import AuthAPI
import TestSupport
import Testing

extension Live {
    /// Invented addresses until Redis is nearly full, through all processes; by `deploy/attack` alone, since it takes a
    /// minute. `GuessFullRedisTests` is its short form.
    @Suite(
        .serialized, .timeLimit(.minutes(20)), .enabled(if: LongRun.isOn),
        .stack([
            // No limit of the deployment ends the flood before Redis is full.
            "LATCHKEY_POLICY": KeyPolicy.write(
                "address-flood",
                changing: PasswordPolicyFile.changes.merging([
                    "accounts:\n":
                        "passwords: { mails: { inTotal: { max: 1000000, windowSeconds: 3600 } } }\naccounts:\n"
                ]) { $1 }), "LATCHKEY_LIMIT_LOCAL": "1", "LATCHKEY_REDIS_MEMORY_MB": "16",
        ])) struct AddressFloodTests
    {
        private static let lanes = 32
        /// More than fit.
        private static let requestsMax = 200_000

        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        @Test func `Redis stays under its limit, and a sign-out still holds at every gateway`() async throws {
            let session = try await stack.signIn().tokens
            try await ProcessTwin(of: "gateway", in: stack).run { twin in
                try await eventually("the second gateway is ready") {
                    do { return try await twin.operations.get("/readyz").status == 200 } catch { return false }
                }
                let gateways = [stack.gateway, twin.service]
                for gateway in gateways { #expect(try await status(at: gateway, session.accessToken) == 200) }
                let sent = try await flood()
                let (used, most) = try await redisMemory()
                #expect(used > most / 2 && used < most, "\(used) of \(most) bytes")
                let signedOut = try await stack.gateway.post(
                    "/auth/logout", encoding: LogoutBody(refreshToken: session.refreshToken))
                #expect(signedOut.status == 200)
                for gateway in gateways {
                    try await eventually("the token is refused") {
                        try await status(at: gateway, session.accessToken) == 401
                    }
                }
                LongRun.report("\(sent) invented addresses filled \(used) of \(most) bytes")
            }
        }

        private func status(at gateway: TestHTTPClient, _ token: String) async throws -> Int {
            try await gateway.get("/api/hello", bearer: token).status
        }

        /// Requests links to unknown addresses until a response asks for a later retry; returns the number of requests.
        private func flood() async throws -> Int {
            for start in stride(from: 0, to: Self.requestsMax, by: 1_000) {
                let statuses = try await inParallel(1_000, lanes: Self.lanes) { number in
                    let number = start + number
                    return try await stack.gateway.post(
                        "/auth/forgot-password", encoding: AccountMailBody(email: "nobody\(number)@example.com"),
                        headers: [("X-Forwarded-For", "100.\(64 + number / 250 % 64).\(number % 250).7")])
                }.map(\.status)
                guard statuses.allSatisfy({ $0 == 200 }) else {
                    #expect(statuses.allSatisfy { [200, 503].contains($0) }, "\(Set(statuses))")
                    return start
                }
            }
            Issue.record("Redis was never full")
            return Self.requestsMax
        }

        private func redisMemory() async throws -> (used: Int, most: Int) {
            let metrics = try await stack.operations("user").get("/metrics").text
            func value(_ name: String) throws -> Int {
                let line = metrics.split(whereSeparator: \.isNewline).first { $0.hasPrefix(name) }
                let number = line?.split(separator: " ").last.flatMap { Double($0) }
                return try #require(number.flatMap { Int(exactly: $0) })
            }
            return (try value("redis_memory_used_bytes"), try value("redis_memory_max_bytes"))
        }
    }
}
