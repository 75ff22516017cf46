import CryptoPrimitives
import TestSupport
import Testing

/// "Error Responses" of tokens: each at each endpoint that can give it, and at the app's own API.
extension Live.AarokyaTests.InUAT {
    /// Where an access token is needed.
    private static let guarded = [("GET", "/user/profile"), ("GET", "/api/hello"), ("POST", "/auth/logout")]

    private func send(_ method: String, _ path: String, _ authorization: String?) async throws -> HTTPAnswer {
        try await stack.gateway.send(method, path, headers: authorization.map { [("Authorization", $0)] } ?? [])
    }

    @Test func `without Authorization it is MISSING_TOKEN everywhere`() async throws {
        await show("A27") {
            for (method, path) in Self.guarded {
                try AarokyaCalls.missingToken.check(try await send(method, path, nil))
            }
        }
    }

    @Test func `a token that is expired, incomplete, malformed or revoked is INVALID_TOKEN everywhere`() async throws {
        let token = try await calls.signIn().accessToken
        let revoked = try await calls.signIn().accessToken
        try AarokyaCalls.success.check(try await calls.logOut(revoked))
        try await Task.sleep(for: .milliseconds(100))
        var old = try AccessTokenCopy(token)
        try old.expire(token)
        let expired = try old.resigned(in: stack)
        let parts = token.split(separator: ".").map(String.init)
        let altered = "\(parts[0]).\(parts[1]).\(String(parts[2].reversed()))"
        let bad = [expired, revoked, parts[0] + "." + parts[1], parts[0], "x", altered, "\(parts[0])..\(parts[2])"]
        await show("A26") {
            for (method, path) in Self.guarded.dropLast() {
                for token in bad {
                    try AarokyaCalls.invalidToken.check(try await send(method, path, "Bearer \(token)"))
                }
            }
            for (method, path) in Self.guarded {
                for value in ["Bearer", "Bearer ", "Bearer \u{22}x\u{22}", "Basic \(token)", token] {
                    try AarokyaCalls.invalidToken.check(try await send(method, path, value))
                }
            }
            try AarokyaCalls.profile.check(try await calls.profile(token))
        }
    }

    @Test func `a refresh token that is used, revoked, expired or unknown is INVALID_TOKEN`() async throws {
        let (twice, revoked) = (try await calls.signIn(), try await calls.signIn())
        let (expired, phone) = (try await calls.signIn(), AarokyaCalls.freshPhone())
        await show("A19", "A20") {
            let successor: AarokyaCalls.Tokens = try await calls.refresh(twice.refreshToken).decoded()
            try AarokyaCalls.invalidToken.check(try await calls.refresh(twice.refreshToken))
            try AarokyaCalls.invalidToken.check(try await calls.refresh(successor.refreshToken))
            try AarokyaCalls.success.check(try await calls.logOut(revoked.accessToken))
            try AarokyaCalls.invalidToken.check(try await calls.refresh(revoked.refreshToken))
            let row = try LatchkeyStack.row(of: expired.refreshToken)
            _ = try await stack.sql("tokens", "UPDATE sessions SET idle_expires_at = unixepoch() - 1 WHERE \(row)")
            try AarokyaCalls.invalidToken.check(try await calls.refresh(expired.refreshToken))
            let unknown = Hex.encode(SecureRandom.bytes(32))
            for token in [unknown, "rt_" + unknown, String(unknown.dropLast()), "x", ""] {
                try AarokyaCalls.invalidToken.check(try await calls.refresh(token))
            }
        }
        await show("A21") {
            let first = try await calls.signIn(phone)
            let second: AarokyaCalls.Tokens = try await calls.refresh(first.refreshToken).decoded()
            try AarokyaCalls.invalidToken.check(try await calls.refresh(first.refreshToken))
            try await eventually("the session's access token is refused") {
                try await calls.profile(second.accessToken).status == 401
            }
            let again = try await calls.signIn(phone)
            try #require(again.isNewUser == false)
            try AarokyaCalls.profile.check(try await calls.profile(again.accessToken))
        }
    }

    @Test func `what nobody serves is NOT_FOUND, and a service that is away UNAVAILABLE`() async throws {
        let tokens = try await calls.signIn()
        let phone = AarokyaCalls.freshPhone()
        try AarokyaCalls.refusal(404, "NOT_FOUND").check(try await stack.gateway.get("/nothing/here"))
        try AarokyaCalls.refusal(405, "METHOD_NOT_ALLOWED").check(
            try await stack.gateway.post("/user/profile", "{}", bearer: tokens.accessToken))
        var answers: [HTTPAnswer] = []
        var hello = HTTPAnswer(status: 0, headers: [:], body: [])
        try await stack.without(["otp", "user", "token", "sample-api"]) {
            try await eventually("the app's API is away") {
                hello = try await stack.gateway.get("/api/hello", bearer: tokens.accessToken)
                // A connection that was open until now ends amid the request.
                if hello.status == 502 { answers.append(hello) }
                return hello.status == 503
            }
            answers += [
                hello, try await calls.trigger(phone), try await calls.verify(phone),
                try await calls.refresh(tokens.refreshToken), try await calls.profile(tokens.accessToken),
                try await calls.logOut(tokens.accessToken),
            ]
        }
        for answer in answers {
            let isCut = answer.status == 502
            let shape = isCut ? AarokyaCalls.refusal(502, "BAD_GATEWAY") : AarokyaCalls.refusal(503, "UNAVAILABLE")
            try shape.check(answer)
            #expect(isCut || answer.retryAfter > 0)
        }
    }
}
