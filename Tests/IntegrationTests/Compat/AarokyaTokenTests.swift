import CryptoPrimitives
import FoundationEssentials
import StrictJSON
import TestSupport
import Testing

/// "Token Reference": what tokens are, and where they stand.
extension Live.AarokyaTests.InUAT {
    @Test func `tokens are as the reference says, and the database has the refresh token's hash alone`() async throws {
        let phone = AarokyaCalls.freshPhone()
        let tokens = try await calls.signIn(phone)
        let parts = try TokenParts(tokens.accessToken)
        await show("A1", "A8") {
            try #require(tokens.isNewUser == true && AarokyaCalls.code.count == 6)
            try AarokyaCalls.signedIn(isNew: false).check(try await secondSignIn(phone))
        }
        await show("A11") { try #require(parts.lifetime == 86_400) }
        await show("A12") {
            try #require(parts.header["alg"]?.stringValue == "HS256")
            try #require(try AccessTokenCopy(tokens.accessToken).resigned(in: stack) == tokens.accessToken)
        }
        await show("A13", "A15") {
            let profile = try AarokyaCalls.profile.check(try await calls.profile(tokens.accessToken))
            try #require(parts.claims["user_id"]?.stringValue == profile["id"]?.stringValue)
            try #require(parts.claims["exp"]?.integerValue == tokens.accessTokenExpiresAt)
        }
        let row = try LatchkeyStack.row(of: tokens.refreshToken)
        await show("A16") {
            let lifetime = "SELECT idle_expires_at - last_used_at FROM sessions WHERE \(row)"
            try #require(try await stack.sql("tokens", lifetime) == ["2592000"])
        }
        await show("A17") {
            try #require(tokens.refreshToken.count == 64)
            try #require(tokens.refreshToken.allSatisfy { "0123456789abcdef".contains($0) })
        }
        await show("A18") {
            try #require(try await stack.sql("tokens", "SELECT count(*) FROM sessions WHERE \(row)") == ["1"])
            if stack.database == nil {
                try expectAbsence(of: tokens, from: "tokens.sqlite")
            } else {
                // Bytes are written in hex there, as a refresh token is.
                let matches = [tokens.refreshToken, tokens.accessToken].map { "sessions::text LIKE '%\($0)%'" }
                let sql = "SELECT count(*) FROM sessions WHERE \(matches.joined(separator: " OR "))"
                try #require(try await stack.sql("tokens", sql) == ["0"])
            }
        }
    }

    private func secondSignIn(_ phone: String) async throws -> HTTPAnswer {
        try AarokyaCalls.success.check(try await calls.trigger(phone))
        return try await calls.verify(phone)
    }

    /// Sees that neither token stands in the files whose names begin so, as text or as bytes.
    private func expectAbsence(of tokens: AarokyaCalls.Tokens, from files: String) throws {
        let bytes = try #require(Hex.decode(tokens.refreshToken[...]))
        let canaries = [Canary(tokens.refreshToken), Canary(bytes: bytes), Canary(tokens.accessToken)]
        let traces = try Trace.files(in: stack.dataDirectory) { $0.hasPrefix(files) }
        try #require(traces.contains { !$0.bytes.isEmpty })
        for trace in traces {
            for canary in canaries { try #require(!canary.stands(in: trace.bytes), "\(canary) is in \(trace.name)") }
        }
    }

    @Test func `no token is in a log, and none is read from a URL`() async throws {
        let tokens = try await calls.signIn()
        await show("A47") {
            for path in ["/user/profile", "/api/hello"] {
                let answer = try await stack.gateway.get("\(path)?access_token=\(tokens.accessToken)")
                try AarokyaCalls.missingToken.check(answer)
            }
            let refresh = "/auth/token/refresh?refresh_token=\(tokens.refreshToken)"
            try AarokyaCalls.invalidRequest.check(try await stack.gateway.post(refresh, "{}"))
        }
        await show("A46") {
            try AarokyaCalls.refreshed.check(try await calls.refresh(tokens.refreshToken))
            try AarokyaCalls.invalidToken.check(try await calls.refresh(tokens.refreshToken))
            try AarokyaCalls.success.check(try await calls.logOut(tokens.accessToken))
            try expectAbsence(of: tokens, from: "log/")
        }
    }

    @Test func `logout needs the bearer alone and ends the session`() async throws {
        let (ended, other) = (try await calls.signIn(), try await calls.signIn())
        await show("A22", "A23") {
            try AarokyaCalls.success.check(try await calls.logOut(ended.accessToken))
            // The promised bound is 100 ms after the answer.
            try await Task.sleep(for: .milliseconds(100))
            try AarokyaCalls.invalidToken.check(try await calls.profile(ended.accessToken))
            try AarokyaCalls.invalidToken.check(try await calls.refresh(ended.refreshToken))
            let again = try await stack.gateway.post("/auth/logout", "{}", bearer: other.accessToken)
            try AarokyaCalls.success.check(again)
        }
    }
}
