import AuthAPI
import FoundationEssentials
import TestSupport
import Testing

extension Live {
    /// SIGTERM of each process in turn while clients sign in without pause: no failed request (F-47).
    @Suite(.serialized, .timeLimit(.minutes(4)), .stack(RollingRestart.replicas)) struct RollingRestartTests {
        @Test func `no request fails while every process is restarted`() async throws {
            try await RollingRestart(stack: try #require(RunningStack.current)).run()
        }
    }
}

/// Restarts all processes of a stack with two replicas of each service.
private struct RollingRestart {
    static let replicas = ["LATCHKEY_REPLICAS": "otp=2,token=2,user=2"]

    let stack: LatchkeyStack

    private static let clients = 16
    private static let restarts = ["otp", "token", "user", "gateway", "otp-2", "token-2", "user-2", "gateway"]

    func run() async throws {
        let progress = Progress()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.clients {
                group.addTask {
                    while !progress.isOver { await progress.note { try await self.wholeRoad() } }
                }
            }
            group.addTask {
                defer { progress.finish() }
                for name in Self.restarts {
                    try await stack.restart(name, by: 15)
                    let roads = progress.successes
                    try await eventually("clients go on after \(name)") {
                        progress.successes >= roads + Self.clients
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(
            progress.failures.isEmpty,
            "\(progress.failures.count) of \(progress.successes): \(progress.failures.prefix(5))")
        #expect(progress.successes >= Self.clients * Self.restarts.count)
    }

    /// Signs in, looks around, refreshes and signs out; every step has to succeed.
    private func wholeRoad() async throws {
        let signIn = try await stack.signIn()
        let token = signIn.tokens.accessToken
        for path in ["/users/me", "/api/hello"] {
            let answer = try await stack.gateway.get(path, bearer: token)
            guard answer.status == 200 else { throw UnexpectedAnswer(to: "GET \(path)", answer) }
        }
        let key = [("Idempotency-Key", UUID().uuidString)]
        let refresh = try await stack.gateway.post(
            "/auth/refresh", encoding: RefreshBody(refreshToken: signIn.tokens.refreshToken), headers: key)
        guard refresh.status == 200 else { throw UnexpectedAnswer(to: "POST /auth/refresh", refresh) }
        let tokens: TokenReply = try refresh.decoded()
        let logout = try await stack.gateway.post(
            "/auth/logout", encoding: LogoutBody(refreshToken: tokens.refreshToken))
        guard logout.status == 200 else { throw UnexpectedAnswer(to: "POST /auth/logout", logout) }
    }
}
