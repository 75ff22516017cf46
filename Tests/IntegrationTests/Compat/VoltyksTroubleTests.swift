import TestSupport
import Testing

/// The policy voltyks with a limit at the edge, for addresses that `X-Forwarded-For` tells.
private enum VoltyksLimits {
    static let edge = """
        trustedProxies: [127.0.0.0/8]

        edge:
          authLimit: { max: 20, windowSeconds: 3600 }

        routes:
        """

    static let policy = PolicyCopy.path(of: "voltyks", as: "voltyks-limits", changing: ["routes:\n": edge + "\n"])
}

extension Live.VoltyksTests {
    /// Failures of networks and busy servers with the printed clients, which sign out on any response that reads as
    /// `status: false`.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack(["LATCHKEY_POLICY": VoltyksLimits.policy]))
    struct InTrouble {
        let stack: LatchkeyStack
        let calls: VoltyksCalls

        init() throws {
            stack = try #require(RunningStack.current)
            calls = VoltyksCalls(gateway: stack.gateway)
        }

        /// Returns the gateway's own response to too many requests.
        private func limited() async throws -> HTTPAnswer {
            var answer = HTTPAnswer(status: 0, headers: [:], body: [])
            for _ in 0..<50 where answer.status != 429 {
                answer = try await stack.gateway.send(
                    "POST", VoltyksCalls.refreshPath, headers: [("X-Forwarded-For", "198.51.100.7")])
            }
            return answer
        }

        /// Returns its response while token-service is away.
        private func unavailable() async throws -> HTTPAnswer {
            let token = try await calls.signIn(try await stack.newPasswordUser()).refreshToken
            var answer = HTTPAnswer(status: 0, headers: [:], body: [])
            try await stack.without(["token"]) { answer = try await calls.refresh(token) }
            return answer
        }

        /// The statements that a client's life finds wrong while its first refresh is in trouble.
        private func failures(
            _ client: PrintedClient, _ life: String, _ trouble: CompatProxy.Trouble
        ) async throws -> Set<String> {
            let user = try await stack.newPasswordUser()
            return try await withCompatProxy(before: stack.gateway, trouble, at: VoltyksCalls.refreshPath) { gateway in
                try await client.program("voltyks", life, at: gateway.base, user).failures()
            }
        }

        @Test(arguments: PrintedClient.inThisRun)
        func `at 429, 503 and a cut the tokens are kept, and the next refresh works`(
            _ client: PrintedClient
        ) async throws {
            let (limited, unavailable) = (try await limited(), try await unavailable())
            await show("V39") {
                try VoltyksCalls.expectProblem(429, limited)
                try VoltyksCalls.expectProblem(503, unavailable)
                for answer in [limited, unavailable] { try #require(answer.retryAfter > 0) }
                let troubles: [CompatProxy.Trouble] = [.answer(limited), .answer(unavailable), .cutBefore]
                for trouble in troubles {
                    let red = try await failures(client, "trouble", trouble)
                    try #require(red.isEmpty, "\(trouble): \(red)")
                }
            }
        }

        @Test(arguments: PrintedClient.inThisRun)
        func `control: the document's envelope at 503 would sign both out, howru's 429 Android`(
            _ client: PrintedClient
        ) async throws {
            let json = ["content-type": "application/json"]
            let envelope = HTTPAnswer(
                status: 503, headers: json,
                body: Array(#"{"status":false,"message":"Unavailable","data":null,"errors":null}"#.utf8))
            #expect(try await failures(client, "trouble", .answer(envelope)) == ["V39"])
            let howru = HTTPAnswer(
                status: 429, headers: json, body: Array(#"{"error":"rate_limited","retryAfter":60}"#.utf8))
            #expect(try await failures(client, "trouble", .answer(howru)).isEmpty == (client == .swift))
        }

        /// The client's: the document's one-time use, and printed code that neither repeats a refresh nor lets others wait.
        @Test(arguments: PrintedClient.inThisRun)
        func `a lost answer and two refreshes at once end in RefreshTokenMismatch`(
            _ client: PrintedClient
        ) async throws {
            await show("V14") {
                let lost = try await failures(client, "lost-answer", .cutAfter)
                try #require(lost.isEmpty, "\(lost)")
                let twice = try await failures(client, "two-at-once", .late)
                try #require(twice.isEmpty, "\(twice)")
            }
        }
    }
}
