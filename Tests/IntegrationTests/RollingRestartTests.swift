import TestSupport
import Testing

extension Live {
    /// SIGTERM of each process in turn while clients sign in without pause: no failed request (F-47).
    @Suite(
        .serialized, .timeLimit(.minutes(5)), .stack(["LATCHKEY_REPLICAS": "otp=2,token=2,user=2"]))
    struct RollingRestartTests {
        private static let restarts = [
            "otp", "token", "user", "gateway", "otp-2", "token-2", "user-2", "gateway",
        ]

        @Test func `no request fails while every process is restarted`() async throws {
            let load = RoadLoad(stack: try #require(RunningStack.current))
            try await load.run { progress in
                for name in Self.restarts {
                    try await load.stack.restart(name, by: 15)
                    try await load.go(on: progress, "after \(name)")
                }
                #expect(progress.successes >= RoadLoad.clients * Self.restarts.count)
            }
        }
    }
}
