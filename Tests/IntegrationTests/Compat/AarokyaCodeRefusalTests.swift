import StrictJSON
import TestSupport
import Testing

/// "Error Responses" of codes: each at each endpoint that can give it.
extension Live.AarokyaTests.InUAT {
    @Test func `a code that is wrong, used or was never asked for is INVALID_OTP`() async throws {
        let phone = AarokyaCalls.freshPhone()
        await show("A24") {
            try AarokyaCalls.invalidOTP.check(try await calls.verify(phone))
            try AarokyaCalls.success.check(try await calls.trigger(phone))
            try AarokyaCalls.invalidOTP.check(try await calls.verify(phone, "654321"))
            try AarokyaCalls.signedIn(isNew: true).check(try await calls.verify(phone))
            try AarokyaCalls.invalidOTP.check(try await calls.verify(phone))
        }
    }

    @Test func `five wrong codes spoil their OTP session and no other`() async throws {
        let phone = AarokyaCalls.freshPhone()
        await show("A28") {
            try AarokyaCalls.success.check(try await calls.trigger(phone))
            for _ in 0..<5 { try AarokyaCalls.invalidOTP.check(try await calls.verify(phone, "654321")) }
            for code in ["654321", AarokyaCalls.code] {
                let answer = try await calls.verify(phone, code)
                try AarokyaCalls.tooManyAttempts.check(answer)
                try #require(answer.retryAfter > 0)
            }
        }
        await show("A30") {
            try AarokyaCalls.success.check(try await calls.trigger(phone))
            try AarokyaCalls.signedIn(isNew: true).check(try await calls.verify(phone))
        }
    }

    @Test func `twenty wrong codes a day are all that a number allows, whatever the session`() async throws {
        let phone = AarokyaCalls.freshPhone()
        for _ in 0..<4 {
            try AarokyaCalls.success.check(try await calls.trigger(phone))
            for _ in 0..<5 { try AarokyaCalls.invalidOTP.check(try await calls.verify(phone, "654321")) }
        }
        try AarokyaCalls.success.check(try await calls.trigger(phone))
        let answer = try await calls.verify(phone)
        try AarokyaCalls.tooManyAttempts.check(answer)
        #expect(answer.retryAfter > 3600)
    }

    @Test func `too many triggers are RATE_LIMIT_EXCEEDED`() async throws {
        let phone = AarokyaCalls.freshPhone()
        await show("A29") {
            var answer = try await calls.trigger(phone)
            for _ in 0..<20 where answer.status == 200 { answer = try await calls.trigger(phone) }
            try AarokyaCalls.rateLimited.check(answer)
            try #require((1...86_400).contains(answer.retryAfter))
        }
    }

    @Test func `what is no number, or one of another country, has our codes in capitals`() async throws {
        for phone in ["", "12", "98765432101234567", "ninety"] {
            try AarokyaCalls.refusal(400, "INVALID_PHONE").check(try await calls.trigger(phone))
        }
        try AarokyaCalls.refusal(422, "BLOCKED_COUNTRY").check(try await calls.trigger("+15551234567"))
    }

    @Test(arguments: ["/auth/otp/trigger", AarokyaCalls.verifyPath, "/auth/token/refresh"])
    func `a body that does not fit is INVALID_REQUEST, another method METHOD_NOT_ALLOWED`(path: String) async throws {
        for body in ["", "{}", "[]", "{", #"{"phone":1,"refresh_token":1}"#, #""phone""#] {
            try AarokyaCalls.invalidRequest.check(try await stack.gateway.post(path, body))
        }
        let large = #"{"phone":""# + String(repeating: "9", count: 70_000) + #""}"#
        try AarokyaCalls.refusal(413, "BODY_TOO_LARGE").check(try await stack.gateway.post(path, large))
        try AarokyaCalls.refusal(405, "METHOD_NOT_ALLOWED").check(try await stack.gateway.get(path))
    }

    @Test func `an account that is not active is ACCOUNT_INACTIVE wherever it is asked for`() async throws {
        let phone = AarokyaCalls.freshPhone()
        let tokens = try await calls.signIn(phone)
        let user = try #require(try TokenParts(tokens.accessToken).claims["user_id"]?.stringValue)
        try await calls.change(user, isActive: false)
        try await Task.sleep(for: .milliseconds(100))
        let inactive = AarokyaCalls.refusal(403, "ACCOUNT_INACTIVE")
        try inactive.check(try await calls.profile(tokens.accessToken))
        try inactive.check(try await stack.gateway.get("/api/hello", bearer: tokens.accessToken))
        try inactive.check(try await calls.refresh(tokens.refreshToken))
        try AarokyaCalls.success.check(try await calls.trigger(phone))
        try inactive.check(try await calls.verify(phone))
    }
}
