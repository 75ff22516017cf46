import AuthAPI
import TestSupport
import Testing

/// howru with tokens that a test can sign anew.
private let policy = KeyPolicy.write("client-libraries", changing: ["algorithm: RS256": "algorithm: HS256"])

extension Live {
    /// HTTP clients and proxies as they are, against the edge. In full by `deploy/compat clients`.
    @Suite(
        .serialized, .timeLimit(.minutes(60)), .stack(["LATCHKEY_POLICY": policy, "LATCHKEY_TLS_PORT": "0"]))
    struct HTTPClientsTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        /// An access token that expired a minute ago.
        private func expiredToken() async throws -> String {
            let token = try await stack.signIn().tokens.accessToken
            var copy = try AccessTokenCopy(token)
            try copy.expire(token)
            return try copy.resigned(in: stack)
        }

        private func drive(_ options: String) async throws {
            let secure = try #require(stack.tls)
            try await ClientProgram(
                "python3 Tests/Compat/clients/drive.py '\(stack.gateway.base)' '\(secure)' '\(stack.authority)' "
                    + "'\(stack.inbox.base)' '\(try await expiredToken())' \(options)"
            ).show()
        }

        private static let all = "okhttp,jdk,fetch,axios,go,python,curl"

        @Test func `clients that read nothing before they have sent all see the 401`() async throws {
            try await drive("--clients curl,python,fetch,axios --proxies nginx")
        }

        @Test(.enabled(if: LongRun.isOn)) func `six clients sign in, refresh and see the 401, also behind proxies`()
            async throws
        {
            try await drive("--clients \(Self.all) --proxies nginx,nginx11,haproxy,caddy --runs 3")
        }

        /// A hundred uploads of each client, and twenty more at 1 MB/s.
        @Test(.enabled(if: LongRun.isOn))
        func `clients that upload 3 to 30 MB see their refusal, also over a slow line`() async throws {
            try await drive("--clients \(Self.all) --refused 50 --slow 10")
        }
    }
}
