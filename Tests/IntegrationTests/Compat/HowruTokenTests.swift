import AccessTokens
import AuthAPI
import FoundationEssentials
import StrictJSON
import TestSupport
import Testing

extension Live.HowruTests {
    /// Section 4 and section 6: what tokens are, and what is left of them.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack()) struct Tokens {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        @Test func `an access token has the printed claims and a signature by a published key`() async throws {
            let session = try await stack.signIn(name: "Betty")
            let token = session.tokens.accessToken
            let parts = try TokenParts(token)
            await show("H22") {
                try #require(parts.claims["sub"]?.stringValue == session.user.id)
                try #require(parts.claims["iss"]?.stringValue == "howru.app")
                try #require(parts.claims["aud"]?.stringValue == "howru-api")
                try #require(parts.claims["phone"]?.stringValue == session.user.phoneNumber)
                try #require(parts.claims["role"]?.stringValue == "user")
            }
            await show("H23") { try #require(parts.lifetime == 3600 && session.tokens.expiresIn == 3600) }
            await show("H24") {
                try #require(parts.header["alg"]?.stringValue == "RS256")
                let set = try await stack.gateway.get("/.well-known/jwks.json").decoded(JSONWebKeySet.self)
                let jwk = try #require(set.keys.first { $0.kid == parts.header["kid"]?.stringValue })
                let key = try VerificationKey(jwk: jwk)
                try #require(!(try CompactJWS(Array(token.utf8)).payload(verifiedWith: key)).isEmpty)
            }
        }

        @Test func `a refresh token is rt_ and hexadecimal, and lives for thirty days`() async throws {
            let token = try await stack.signIn().tokens.refreshToken
            await show("H17") {
                try #require(token.hasPrefix("rt_") && token.dropFirst(3).allSatisfy(\.isHexDigit))
            }
            await show("H25") {
                let row =
                    "SELECT idle_expires_at - last_used_at FROM sessions WHERE \(try LatchkeyStack.row(of: token))"
                try #require(try await stack.sql("tokens", row) == ["2592000"])
            }
        }

        @Test func `a revoked session stands in Redis' list and its access token is refused`() async throws {
            let tokens = try await stack.signIn().tokens
            await show("H27") {
                try #require(try await stack.gateway.get("/api/hello", bearer: tokens.accessToken).status == 200)
                _ = try await stack.gateway.post(
                    "/auth/logout", encoding: LogoutBody(refreshToken: tokens.refreshToken))
                // The promised bound is 100 ms after the answer.
                try await Task.sleep(for: .milliseconds(100))
                try #require(try await stack.gateway.get("/api/hello", bearer: tokens.accessToken).status == 401)
                try await eventually("Redis' file has the revocation") {
                    try Trace.files(in: stack.dataDirectory) { $0.hasPrefix("redis/") }.contains { $0.holds("rev:") }
                }
            }
        }

        @Test func `neither a token nor a code in a URL is read`() async throws {
            let phone = LatchkeyStack.freshPhone()
            let tokens = try await stack.signIn(phone: phone).tokens
            await show("H44") {
                for path in ["/users/me", "/api/hello"] {
                    let answer = try await stack.gateway.get("\(path)?access_token=\(tokens.accessToken)")
                    try #require(answer.status == 401)
                }
                let refresh = "/auth/refresh?refreshToken=\(tokens.refreshToken)"
                try #require(try await stack.gateway.post(refresh, "{}").status == 400)
                let verify = "/auth/otp/verify?phoneNumber=%2B\(phone.dropFirst())&code=123456"
                try #require(try await stack.gateway.post(verify, "{}").status == 400)
            }
        }

        @Test func `what happens is in the audit, whose rows are linked`() async throws {
            let user = try await stack.signIn().user
            await show("H65") {
                try await eventually("the sign-in is in the audit") {
                    let id = user.id.dropFirst(4)
                    let count = "SELECT count(*) FROM audit WHERE event = 'session.opened' AND user_id = x'\(id)'"
                    return try await stack.sql("tokens", count) == ["1"]
                }
                for name in ["tokens", "users"] { try await stack.expectSoundAudit(of: name) }
            }
        }
    }
}
