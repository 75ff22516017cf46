import AuthAPI
import FoundationEssentials
import InternalAPI
import TestSupport
import Testing

extension Live {
    /// The responses and effects of signing out, in any state of the tokens (security guide R-18, R-35; RFC 7009 section
    /// 2.2).
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack())
    struct RevokedTokenTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        private func logOut(
            _ refresh: String? = nil, bearer: String? = nil, scope: LogoutScope? = nil
        ) async throws -> Int {
            let headers = bearer.map { [("Authorization", "Bearer \($0)")] } ?? []
            return try await stack.gateway.post(
                "/auth/logout", encoding: LogoutBody(refreshToken: refresh, scope: scope), headers: headers
            ).status
        }

        private func hello(_ token: String) async throws -> Int {
            try await stack.gateway.get("/api/hello", bearer: token).status
        }

        /// Waits until the gateway has heard of the latest end of a session, and so of all before it. How soon it does is measured by
        /// `deploy/faults revocation`.
        private func untilRefused(_ accessToken: String) async throws {
            try await eventually("the gateway refuses the session") { try await hello(accessToken) == 401 }
        }

        @Test func `every access token of an ended session is refused in every spelling, from everywhere`() async throws
        {
            let first = try await stack.openSession()
            let second: TokenReply = try await stack.gateway.post(
                "/auth/refresh", encoding: RefreshBody(refreshToken: first.refreshToken)
            ).decoded()
            let bystander = try await stack.openSession()
            #expect(try await hello(first.accessToken) == 200)
            #expect(try await hello(second.accessToken) == 200)
            #expect(try await logOut(second.refreshToken) == 200)
            try await untilRefused(second.accessToken)
            try await withThrowingTaskGroup(of: Set<Int>.self) { group in
                for _ in 0..<10 {
                    group.addTask {
                        var statuses: Set<Int> = []
                        for number in 0..<20 {
                            statuses.insert(
                                try await hello(number.isMultiple(of: 2) ? first.accessToken : second.accessToken))
                        }
                        return statuses
                    }
                }
                for try await statuses in group { #expect(statuses == [401]) }
            }
            let token = first.accessToken
            let spellings = [
                "Bearer \(token)=", "Bearer \(token.dropLast())\(Self.looseTwin(of: token.last))", "bearer \(token)",
                "Bearer \(token.replacing("-", with: "+").replacing("_", with: "/"))", "Bearer  \(token) ",
            ]
            for spelling in spellings {
                let answer = try await stack.gateway.send("GET", "/api/hello", headers: [("Authorization", spelling)])
                #expect((400..<500).contains(answer.status), "\(answer.status)")
            }
            #expect(try await hello(bystander.accessToken) == 200)
        }

        /// Another last character that a careless decoder reads as the same bytes.
        private static func looseTwin(of last: Character?) -> Character {
            let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
            let index = last.flatMap { alphabet.firstIndex(of: $0) } ?? 0
            return alphabet[index ^ 1]
        }

        @Test func `a logout is 200 whatever the tokens are, and ends what they prove`() async throws {
            let user = LatchkeyStack.freshUser()
            let byRefresh = try await stack.openSession(of: user)
            let byBearer = try await stack.openSession(of: user)
            for _ in 0..<2 { #expect(try await logOut(byRefresh.refreshToken) == 200) }
            for _ in 0..<2 { #expect(try await logOut(bearer: byBearer.accessToken) == 200) }
            #expect(try await logOut("rt_" + String(repeating: "0", count: 64)) == 200)
            #expect(try await logOut("nonsense", bearer: "a.b.c") == 200)
            #expect(try await logOut("nonsense", bearer: "a.b.c", scope: .all) == 401)
            #expect(try await logOut() == 400)
            #expect(
                try await stack.gateway.post("/auth/logout", #"{"refreshToken":"x","scope":"world"}"#).status == 400)
            try await untilRefused(byBearer.accessToken)
            for session in [byRefresh, byBearer] { #expect(try await hello(session.accessToken) == 401) }
        }

        @Test func `the others and all sessions end by one token, and the same again is 200`() async throws {
            let user = LatchkeyStack.freshUser()
            let mine = try await stack.openSession(of: user)
            var others = [try await stack.openSession(of: user), try await stack.openSession(of: user)]
            let stranger = try await stack.openSession()
            for _ in 0..<2 { #expect(try await logOut(mine.refreshToken, scope: .others) == 200) }
            for other in others { try await untilRefused(other.accessToken) }
            for other in others { #expect(try await hello(other.accessToken) == 401) }
            #expect(try await hello(mine.accessToken) == 200)
            others = [try await stack.openSession(of: user)]
            for _ in 0..<2 { #expect(try await logOut(bearer: mine.accessToken, scope: .all) == 200) }
            // Signed in again within the second in which all was ended.
            let again = try await stack.openSession(of: user)
            for ended in others + [mine] { try await untilRefused(ended.accessToken) }
            for ended in others + [mine] { #expect(try await hello(ended.accessToken) == 401) }
            #expect(try await hello(again.accessToken) == 200)
            #expect(try await hello(stranger.accessToken) == 200)
        }

        @Test func `the gateway tells how old and how large its list is, and why it refuses`() async throws {
            let session = try await stack.openSession()
            #expect(try await logOut(session.refreshToken) == 200)
            try await untilRefused(session.accessToken)
            for _ in 0..<20 { #expect(try await hello(session.accessToken) == 401) }
            try await eventually("the gauges are set") {
                let text = try await stack.operations("gateway").get("/metrics").text
                let refused = #"auth_token_rejections_total{reason="revoked",revocation="logout"}"#
                return try await stack.metric(refused) > 0 && text.contains("auth_revocation_replica_age_seconds 0.0")
                    && text.contains("auth_revocation_entries ") && !text.contains("auth_revocation_entries 0\n")
            }
            // A look at the very moment of a logout counts that one, until the next.
            var tokenService = ""
            try await eventually("nothing is unpublished") {
                tokenService = try await stack.operations("token").get("/metrics").text
                return tokenService.contains("auth_revocations_unpublished 0")
            }
            #expect(tokenService.contains("auth_revocation_rebuilds_total "))
            #expect(try await stack.metric(#"auth_sessions_revoked_total{reason="logout"}"#, of: "token") > 0)
        }
    }
}
