import TestSupport
import Testing

extension Live.VoltyksTests {
    /// Statements that need time to pass, with a clock that is moved; in the long form only.
    @Suite(.serialized, .enabled(if: LongRun.isOn), .timeLimit(.minutes(10))) struct Waiting {
        @Test(arguments: PrintedClient.allCases)
        func `the printed client refreshes at the end of a token, and signs out at the end of the other`(
            _ client: PrintedClient
        ) async throws {
            try await withClock("voltyks", "expiry-\(client)") { stack, clock in
                let user = try await stack.newPasswordUser()
                try await withCompatProxy(before: stack.gateway) { gateway in
                    try await client.program("voltyks", "expiry", at: gateway.base, user)
                        .show(["COMPAT_CLOCK": clock.file])
                }
            }
        }

        @Test func `each use gives a refresh token seven days more`() async throws {
            try await withClock("voltyks", "sliding") { stack, clock in
                let calls = VoltyksCalls(gateway: stack.gateway)
                let user = try await stack.newPasswordUser()
                await show("V9", "V33") {
                    var tokens = try await calls.signIn(user)
                    for day in [6, 12, 18] {
                        try await clock.set(to: day * 86_400)
                        try VoltyksCalls.expectProblem(
                            401, try await stack.gateway.get("/api/hello", bearer: tokens.access))
                        tokens = try await calls.refreshed(tokens.refreshToken)
                    }
                    try await clock.set(to: 25 * 86_400 + 60)
                    try VoltyksCalls.mismatch.check(try await calls.refresh(tokens.refreshToken))
                }
            }
        }
    }
}
