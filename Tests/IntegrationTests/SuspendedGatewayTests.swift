import AuthAPI
import Glibc
import InternalAPI
import TestSupport
import Testing

extension Live {
    /// A gateway that wakes finds requests in its sockets whose clients gave up long ago, and renewed their sessions elsewhere.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack()) struct SuspendedGatewayTests {
        /// Longer than what counts as a stall.
        private static let stall: Duration = .seconds(17)
        private static let users = 6

        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        private func renew(_ token: String, at gateway: TestHTTPClient) async throws -> String {
            let answer = try await gateway.post("/auth/refresh", encoding: RefreshBody(refreshToken: token))
            guard answer.status == 200 else { throw UnexpectedAnswer(to: "POST /auth/refresh", answer) }
            return try answer.decoded(TokenReply.self).refreshToken
        }

        @Test func `a gateway that wakes carries out nothing that its clients gave up`() async throws {
            var tokens: [String] = []
            for _ in 0..<Self.users {
                tokens.append(try await stack.openSession(of: LatchkeyStack.freshUser()).refreshToken)
            }
            try await ProcessTwin(of: "gateway", in: stack).run { suspended in
                try await eventually("the second gateway is ready") {
                    do { return try await suspended.operations.get("/readyz").status == 200 } catch { return false }
                }
                // Half of the requests come over connections that are open before.
                try await suspended.service.withConnections(Self.users) { client in
                    _ = try await concurrently(Self.users / 2) { _ in try await client.get("/") }
                    suspended.signal(SIGSTOP)
                    // Its threads stop one after the other, and one that runs could still begin a request.
                    try await eventually("all of its threads stand") {
                        let moving = "grep -L 'State:.T' /proc/\(suspended.process)/task/*/status"
                        return try await Shell.run("test -z \"$(\(moving))\"", in: "/").isSuccess
                    }
                    let start = ContinuousClock.now
                    _ = try await concurrently(Self.users) { [tokens] index in
                        await #expect(throws: (any Error).self) {
                            try await renew(tokens[index], at: client.limited(to: .seconds(1)))
                        }
                    }
                    for index in tokens.indices {
                        for _ in 0..<2 { tokens[index] = try await renew(tokens[index], at: stack.gateway) }
                    }
                    try await Task.sleep(until: start + Self.stall, clock: .continuous)
                    suspended.signal(SIGCONT)
                }
                try await suspended.log.waitForLine(with: "edge.stalled")
                // The gateway serves clients that come after it has woken.
                tokens[0] = try await renew(tokens[0], at: suspended.service.asApp)
                for token in tokens { _ = try await renew(token, at: stack.gateway) }
            }
        }
    }
}
