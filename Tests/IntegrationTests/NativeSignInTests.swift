import AuthAPI
import CryptoPrimitives
import FoundationEssentials
import StrictJSON
import TestSupport
import Testing

extension Live {
    /// The native flow in the shapes of the howru document, section 3.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack()) struct NativeSignInTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        @Test func `asking for a code answers as documented and sends the policy's text`() async throws {
            let phone = LatchkeyStack.freshPhone()
            let answer = try await stack.gateway.post(
                "/auth/otp/request", #"{"phoneNumber":"\#(phone)","countryCode":"US"}"#)
            #expect(answer.status == 200)
            #expect(try answer.json.memberNames == ["message", "status", "success"])
            let reply: OTPRequestReply = try answer.decoded()
            #expect(reply == OTPRequestReply(success: true, status: "pending", message: "Verification code sent"))
            let code = try await stack.code(for: phone)
            #expect(code.utf8.count == 6)
            #expect(code.allSatisfy { "0123456789".contains($0) })
            let message = try #require(try await stack.messages(to: phone).first)
            #expect(message.text.hasPrefix("Your HowRU code is \(code)"))
            #expect(message.channel == "sms")
            #expect(message.to == phone)
        }

        @Test func `a new number makes a user, whom the next sign-in finds`() async throws {
            let phone = LatchkeyStack.freshPhone()
            let first = try await stack.signIn(phone: phone, name: "Betty")
            #expect(first.success)
            #expect(first.isNewUser)
            #expect(first.user.phoneNumber == phone)
            #expect(first.user.name == "Betty")
            #expect(first.user.id.hasPrefix("usr_"))
            #expect(first.tokens.expiresIn == 3600)
            let second = try await stack.signIn(phone: phone)
            #expect(!second.isNewUser)
            #expect(second.user.id == first.user.id)
            #expect(second.user.name == "Betty")
            #expect(second.tokens.refreshToken != first.tokens.refreshToken)
        }

        @Test func `a sign-in's answer has the documented members`() async throws {
            let phone = LatchkeyStack.freshPhone()
            try await stack.requestCode(for: phone)
            let code = try await stack.code(for: phone)
            let answer = try await stack.gateway.post(
                "/auth/otp/verify",
                #"{"phoneNumber":"\#(phone)","countryCode":"US","code":"\#(code)","name":"Betty"}"#)
            #expect(answer.status == 200)
            #expect(answer.headers["cache-control"]?.contains("no-store") == true)
            let reply = try answer.json
            #expect(reply.memberNames == ["isNewUser", "success", "tokens", "user"])
            #expect(reply["tokens"]?.memberNames == ["accessToken", "expiresIn", "refreshToken"])
            let user = try #require(reply["user"]?.memberNames)
            #expect(Set(user).isSuperset(of: ["id", "isChecker", "name", "phoneNumber"]))
        }

        @Test func `an access token has the documented claims, RS256, and a key in the JWKS`() async throws {
            let signIn = try await stack.signIn()
            let parts = signIn.tokens.accessToken.split(separator: ".")
            #expect(parts.count == 3)
            let limits = StrictJSON.Limits(bytesMax: 8192, depthMax: 8)
            let header = try StrictJSON.parse(try #require(Base64URL.decode(parts[0])), limits: limits)
            let claims = try StrictJSON.parse(try #require(Base64URL.decode(parts[1])), limits: limits)
            #expect(header["alg"]?.stringValue == "RS256")
            #expect(header["typ"]?.stringValue == "at+jwt")
            #expect(claims["iss"]?.stringValue == "howru.app")
            #expect(claims["aud"]?.stringValue == "howru-api")
            #expect(claims["sub"]?.stringValue == signIn.user.id)
            #expect(claims["phone"]?.stringValue == signIn.user.phoneNumber)
            #expect(claims["role"]?.stringValue == "user")
            let issuedAt = try #require(claims["iat"]?.integerValue)
            #expect(claims["exp"]?.integerValue == issuedAt + 3600)

            let keySet = try await stack.gateway.get("/.well-known/jwks.json")
            #expect(keySet.status == 200)
            let keys = try #require(try keySet.json["keys"]?.arrayValue)
            let keyIDs = keys.compactMap { $0["kid"]?.stringValue }
            #expect(keyIDs.contains(try #require(header["kid"]?.stringValue)))
            #expect(Set(keyIDs).count == keys.count)
            for key in keys {
                let names = Set(try #require(key.memberNames))
                #expect(names.isSuperset(of: ["alg", "kid", "kty", "use"]))
                #expect(names.isDisjoint(with: ["d", "p", "q", "dp", "dq", "qi", "k"]))
            }
        }

        @Test func `a wrong code is 401 in the documented shape, and the right one still works`() async throws {
            let phone = LatchkeyStack.freshPhone()
            try await stack.requestCode(for: phone)
            let code = try await stack.code(for: phone)
            let wrong = code == "000000" ? "000001" : "000000"
            let answer = try await stack.gateway.post(
                "/auth/otp/verify", encoding: OTPVerifyBody(phoneNumber: phone, countryCode: "US", code: wrong))
            #expect(answer.status == 401)
            #expect(try answer.json.memberNames == ["code", "error", "success"])
            #expect(try answer.json["code"]?.stringValue == "invalid_code")
            #expect(try answer.json["success"]?.boolValue == false)
            #expect(try answer.json["error"]?.stringValue == "Invalid or expired verification code")
            let right = try await stack.gateway.post(
                "/auth/otp/verify", encoding: OTPVerifyBody(phoneNumber: phone, countryCode: "US", code: code))
            #expect(right.status == 200)
        }

        @Test func `five wrong codes lock the number, for the right code too`() async throws {
            let phone = LatchkeyStack.freshPhone()
            try await stack.requestCode(for: phone)
            let code = try await stack.code(for: phone)
            let wrong = code == "000000" ? "000001" : "000000"
            for _ in 0..<5 {
                let answer = try await stack.gateway.post(
                    "/auth/otp/verify", encoding: OTPVerifyBody(phoneNumber: phone, code: wrong))
                #expect([401, 429].contains(answer.status))
            }
            let answer = try await stack.gateway.post(
                "/auth/otp/verify", encoding: OTPVerifyBody(phoneNumber: phone, code: code))
            #expect(answer.status == 429)
            #expect(try answer.json["error"]?.stringValue == "rate_limited")
            #expect(try answer.json["limit"]?.stringValue == "lockout")
            let another = try await stack.gateway.post(
                "/auth/otp/request", encoding: OTPRequestBody(phoneNumber: phone, countryCode: "US"))
            #expect(try another.status == 429 && another.json["limit"]?.stringValue == "lockout")
            #expect((Int(answer.headers["retry-after"] ?? "") ?? 0) > 3000)
        }

        @Test func `the fourth code within an hour is 429 with the time to wait`() async throws {
            let phone = LatchkeyStack.freshPhone()
            for _ in 0..<3 { try await stack.requestCode(for: phone) }
            let answer = try await stack.gateway.post(
                "/auth/otp/request", encoding: OTPRequestBody(phoneNumber: phone, countryCode: "US"))
            #expect(answer.status == 429)
            #expect(try answer.json.memberNames == ["code", "error", "limit", "retryAfter"])
            #expect(try answer.json["limit"]?.stringValue == "sends")
            #expect(try answer.json["error"]?.stringValue == "rate_limited")
            let seconds = try #require(try answer.json["retryAfter"]?.integerValue)
            #expect((1...3600).contains(seconds))
            #expect(answer.headers["retry-after"] == "\(seconds)")
            #expect(try await stack.messages(to: phone).count <= 3)
        }

        @Test func `a lost answer to a sign-in can be asked for again with its Idempotency-Key alone`() async throws {
            let phone = LatchkeyStack.freshPhone()
            try await stack.requestCode(for: phone)
            let body = OTPVerifyBody(phoneNumber: phone, countryCode: "US", code: try await stack.code(for: phone))
            let key = [("Idempotency-Key", UUID().uuidString)]
            let first = try await stack.gateway.post("/auth/otp/verify", encoding: body, headers: key)
            let second = try await stack.gateway.post("/auth/otp/verify", encoding: body, headers: key)
            #expect(first.status == 200)
            #expect(second.status == 200)
            let replies: [SignInReply] = [try first.decoded(), try second.decoded()]
            #expect(replies[0].tokens.refreshToken == replies[1].tokens.refreshToken)
            #expect(replies[0].isNewUser && replies[1].isNewUser)
            let third = try await stack.gateway.post("/auth/otp/verify", encoding: body)
            #expect(third.status == 401)
        }

        @Test func `a wrong code with the same Idempotency-Key is another call than the right one`() async throws {
            let phone = LatchkeyStack.freshPhone()
            try await stack.requestCode(for: phone)
            let code = try await stack.code(for: phone)
            let key = [("Idempotency-Key", UUID().uuidString), ("Content-Type", "application/json")]
            // Written out: an encoder may put the members in another order, and other bytes are another call.
            func body(_ code: String) -> [UInt8] { Array(#"{"phoneNumber":"\#(phone)","code":"\#(code)"}"#.utf8) }
            let (wrong, right) = (body(code == "000000" ? "1" : "000000"), body(code))
            // However often it is repeated, it is one guess: five would lock the code.
            for _ in 0..<6 {
                #expect(
                    try await stack.gateway.send("POST", "/auth/otp/verify", headers: key, body: wrong).status == 401)
            }
            #expect(try await stack.gateway.send("POST", "/auth/otp/verify", headers: key, body: right).status == 200)
        }

        @Test func `a request for a code is carried out once for one Idempotency-Key`() async throws {
            let phone = LatchkeyStack.freshPhone()
            let key = [("Idempotency-Key", UUID().uuidString), ("Content-Type", "application/json")]
            // Three codes within an hour are the limit.
            for _ in 0..<5 {
                let body = Array(#"{"phoneNumber":"\#(phone)","countryCode":"US"}"#.utf8)
                let answer = try await stack.gateway.send("POST", "/auth/otp/request", headers: key, body: body)
                #expect(answer.status == 200)
            }
            _ = try await stack.code(for: phone)
            #expect(try await stack.messages(to: phone).count == 1)
            let other = OTPRequestBody(phoneNumber: phone, countryCode: "US", locale: "en")
            #expect(try await stack.gateway.post("/auth/otp/request", encoding: other, headers: key).status == 200)
            try await eventually("another body is another call") { try await stack.messages(to: phone).count == 2 }
        }

        @Test func `a malformed Idempotency-Key is 400 before anything is sent or counted`() async throws {
            let phone = LatchkeyStack.freshPhone()
            for keys in [["a b"], [String(repeating: "k", count: 129)], ["a", "b"]] {
                let headers = keys.map { ("Idempotency-Key", $0) }
                for _ in 0..<2 {
                    let answer = try await stack.gateway.post(
                        "/auth/otp/request", encoding: OTPRequestBody(phoneNumber: phone, countryCode: "US"),
                        headers: headers)
                    #expect(answer.status == 400)
                }
            }
            try await stack.requestCode(for: phone)
            _ = try await stack.code(for: phone)
            #expect(try await stack.messages(to: phone).count == 1)
        }
    }
}
