import AuthAPI
import FoundationEssentials
import Glibc
import StrictJSON
import TestSupport
import Testing

// Cited by Tests/Compat/statements.md for H10, H58, H67.

extension Live {
    /// Codes by Twilio Messaging, which latchkey-fakes play, with its callbacks.
    @Suite(
        .serialized, .timeLimit(.minutes(5)),
        .stack(["LATCHKEY_FAKES": "1", "OTP_SENDER": "twilio-messaging"]))
    struct TwilioMessagingTests {
        let stack: LatchkeyStack
        let fakes: FakeProviders

        init() throws {
            stack = try #require(RunningStack.current)
            fakes = try FakeProviders(of: stack)
        }

        @Test func `a code goes out in our words and signs in, and what became of it is counted`() async throws {
            let phone = LatchkeyStack.freshPhone()
            try await stack.requestCode(for: phone)
            let message = try #require(try await fakes.messages(to: phone).first)
            #expect(message.text.contains("Your HowRU code is") && message.channel == "sms")
            #expect(message.fields["StatusCallback"]?.hasSuffix("/webhooks/twilio/status") == true)
            let code = try #require(message.code)
            let body = OTPVerifyBody(phoneNumber: phone, code: code)
            #expect(try await stack.gateway.post("/auth/otp/verify", encoding: body).status == 200)
            try await eventually("the callback is counted") {
                try await stack.operations("otp").get("/metrics").text.split(separator: "\n").contains {
                    $0.hasPrefix("auth_otp_delivery_total") && $0.contains("status=\"delivered\"")
                        && !$0.hasSuffix(" 0")
                }
            }
        }

        @Test func `why a code did not arrive is one line for each reason`() async throws {
            let phone = LatchkeyStack.freshPhone()
            try await fakes.script(
                #"[{"provider":"twilio-messaging","at":"callback","name":"undelivered","code":30003}]"#)
            try await stack.requestCode(for: phone)
            let message = try #require(try await fakes.messages(to: phone).first)
            try await fakes.script(#"[{"provider":"twilio-messaging","at":"create","code":21408,"status":400}]"#)
            let blocked = try await stack.gateway.post(
                "/auth/otp/request", encoding: OTPRequestBody(phoneNumber: phone))
            #expect(blocked.status == 422 && blocked.text.contains("blocked_country"))
            let wrong = String(format6((Int(message.code ?? "0") ?? 0) + 1))
            let guess = OTPVerifyBody(phoneNumber: phone, code: wrong)
            #expect(try await stack.gateway.post("/auth/otp/verify", encoding: guess).status == 401)
            try await stack.requestCode(for: phone)
            for _ in 0..<3 {
                let refused = try await stack.gateway.post(
                    "/auth/otp/request", encoding: OTPRequestBody(phoneNumber: phone))
                #expect(refused.status == 429)
            }
            var lines: [String] = []
            try await eventually("the trace is written") {
                let trace = try await stack.control("otp trace \(phone)")
                lines = trace.output.split(separator: "\n").map(String.init)
                return lines.contains { $0.contains("refused by the limit phone until") && $0.contains("(3 times)") }
                    && lines.contains { $0.contains("the provider reports delivered") }
            }
            #expect(lines.count { $0.contains("the provider reports undelivered (30003), message \(message.id)") } == 1)
            #expect(lines.count { $0.contains("may not send to this country (21408)") } == 1, "\(lines)")
            #expect(lines.count { $0.contains("code not accepted: wrong_code") } == 1, "\(lines)")
            #expect(lines.count { $0.contains("accepted by the provider, message SM") } == 2, "\(lines)")
            #expect(lines.contains { $0.contains(message.id) && $0.contains("request ") }, "\(lines)")
            #expect(!lines.contains { $0.contains(message.code ?? "-") || $0.contains(phone) })
        }

        @Test func `a forged or foreign callback is refused, and counted for its sender alone`() async throws {
            func call(
                _ body: String, type: String = "application/x-www-form-urlencoded", signature: String?
            ) async throws
                -> Int
            {
                let signed = signature.map { [("X-Twilio-Signature", $0)] } ?? []
                return try await stack.gateway.send(
                    "POST", "/webhooks/twilio/status", headers: [("Content-Type", type)] + signed,
                    body: Array(body.utf8)
                ).status
            }
            let forged = "MessageSid=SM1&MessageStatus=delivered&To=%2B1&AccountSid=AC1"
            #expect(try await call(forged, signature: "AAAAAAAAAAAAAAAAAAAAAAAAAAA=") == 403)
            #expect(try await call(forged, signature: nil) == 403)
            #expect(try await call(#"{"MessageSid":"SM1"}"#, type: "application/json", signature: "AA==") == 400)
            #expect(try await call("a=%zz", signature: "AA==") == 400)
            #expect(try await call("", signature: "AA==") == 400)
        }

        @Test func `a provider that hangs is answered for in time, after one message`() async throws {
            let phone = LatchkeyStack.freshPhone()
            try await fakes.script(#"[{"provider":"twilio-messaging","at":"create","hang":20}]"#)
            // After twenty seconds the message would have gone out.
            let answer = try await stack.gateway.post(
                "/auth/otp/request", encoding: OTPRequestBody(phoneNumber: phone))
            #expect(answer.status == 503 && answer.headers["retry-after"] != nil)
            #expect(try await fakes.messages(to: phone).count == 1)
        }

        @Test func `a test message says whether it goes out, by a code that opens nothing`() async throws {
            let phone = LatchkeyStack.freshPhone()
            let sent = try await stack.control("messages send-test --to \(phone)")
            #expect(sent.isSuccess && sent.output.contains("twilio-messaging has accepted the message: SM"))
            let code = try #require(try await fakes.messages(to: phone).first?.code)
            let body = OTPVerifyBody(phoneNumber: phone, code: code)
            #expect(try await stack.gateway.post("/auth/otp/verify", encoding: body).status == 401)
            let call = try await stack.control("messages send-test --to \(phone) --channel call")
            #expect(!call.isSuccess)
        }

        @Test func `a number that a provider calls bad gets nothing until the operator clears it`() async throws {
            let phone = LatchkeyStack.freshPhone()
            try await fakes.script(#"[{"provider":"twilio-messaging","at":"create","code":21211,"status":400}]"#)
            let wish = OTPRequestBody(phoneNumber: phone)
            #expect(try await stack.gateway.post("/auth/otp/request", encoding: wish).status == 400)
            #expect(try await stack.gateway.post("/auth/otp/request", encoding: wish).status == 400)
            #expect(try await fakes.messages(to: phone).isEmpty)
            let cleared = try await stack.control("messages clear \(phone)")
            #expect(cleared.isSuccess && cleared.output.contains("messages are sent there again"))
            #expect(try await stack.gateway.post("/auth/otp/request", encoding: wish).status == 200)
        }

        @Test func `a code for reviewers holds at its number alone, and opens nobody's account`() async throws {
            let phone = LatchkeyStack.freshPhone()
            let end = Date().addingTimeInterval(86_400).formatted(.iso8601)
            let opened = try await stack.control("otp review-access \(phone) --until \(end)")
            let line = opened.output.split(separator: "\n").first { $0.hasPrefix("code ") }
            let code = String(try #require(line, "\(opened.output)").split(separator: " ")[1])
            let (body, wish) = (OTPVerifyBody(phoneNumber: phone, code: code), OTPRequestBody(phoneNumber: phone))
            #expect(try await stack.gateway.post("/auth/otp/request", encoding: wish).status == 200)
            #expect(try await fakes.messages(to: phone).isEmpty)
            let reviewers = try await signedIn(body)
            let ended = try await stack.control("otp review-access \(phone) --end")
            #expect(ended.output.contains("the access is closed") && ended.output.contains("sessions revoked: 1"))
            #expect(try await me(reviewers.token).status == 401)
            #expect(try await stack.gateway.post("/auth/otp/request", encoding: wish).status == 200)
            #expect(try await stack.gateway.post("/auth/otp/verify", encoding: body).status == 401)
            // The message that the owner gets now opens an account of their own.
            let own = try #require(try await fakes.messages(to: phone).last?.code)
            let owner = try await signedIn(OTPVerifyBody(phoneNumber: phone, code: own))
            #expect(owner.id != reviewers.id)
            #expect(try await me(owner.token).status == 200)
            let customer = LatchkeyStack.freshPhone()
            try await stack.requestCode(for: customer)
            let sent = try #require(try await fakes.messages(to: customer).first?.code)
            let theirs = OTPVerifyBody(phoneNumber: customer, code: sent)
            #expect(try await stack.gateway.post("/auth/otp/verify", encoding: theirs).status == 200)
            let refused = try await stack.control("otp review-access \(customer) --until \(end)")
            #expect(!refused.isSuccess && refused.output.contains("has an account"), "\(refused.output)")
        }

        @Test func `an app that the policy does not name is refused, and costs nothing`() async throws {
            let phone = LatchkeyStack.freshPhone()
            let wish = Array(#"{"phoneNumber":"\#(phone)","appHash":"AAAAAAAAAAA"}"#.utf8)
            let answer = try await stack.gateway.send(
                "POST", "/auth/otp/request", headers: [("Content-Type", "application/json")], body: wish)
            #expect(answer.status == 400)
            #expect(try await fakes.messages(to: phone).isEmpty)
        }

        private func signedIn(_ body: OTPVerifyBody) async throws -> (id: String, token: String) {
            let answer = try await stack.gateway.post("/auth/otp/verify", encoding: body)
            #expect(answer.status == 200, "\(answer.text)")
            let (user, token) = (
                try answer.json["user"]?["id"]?.stringValue, try answer.json["tokens"]?["accessToken"]?.stringValue
            )
            return (try #require(user), try #require(token))
        }

        private func me(_ token: String) async throws -> HTTPAnswer {
            try await stack.gateway.get("/users/me", bearer: token)
        }

        private func format6(_ number: Int) -> String {
            let digits = String(number % 1_000_000)
            return String(repeating: "0", count: 6 - digits.utf8.count) + digits
        }
    }

    /// howru's calls, on demand and as the fallback, with two senders through all processes.
    @Suite(
        .serialized, .timeLimit(.minutes(5)),
        .stack([
            "LATCHKEY_FAKES": "1", "OTP_SENDER": "twilio-messaging,twilio-verify",
        ]))
    struct TwilioFallbackTests {
        let stack: LatchkeyStack
        let fakes: FakeProviders

        init() throws {
            stack = try #require(RunningStack.current)
            fakes = try FakeProviders(of: stack)
        }

        @Test func `what one does not bring the next does, with the same code, and Twilio hears that it was right`()
            async throws
        {
            let phone = LatchkeyStack.freshPhone()
            try await fakes.script(#"[{"provider":"twilio-messaging","at":"create","code":30450,"status":403}]"#)
            try await stack.requestCode(for: phone)
            let message = try #require(try await fakes.messages(to: phone).first)
            #expect(message.provider == "twilio-verify" && message.channel == "sms")
            let body = OTPVerifyBody(phoneNumber: phone, code: try #require(message.code))
            #expect(try await stack.gateway.post("/auth/otp/verify", encoding: body).status == 200)
            try await eventually("the verification is closed as approved") {
                let account = Data(("AC" + String(repeating: "0123456789abcdef", count: 2) + ":x").utf8)
                return try await stack.service("fakes").send(
                    "GET", "/v2/Services/VA1/Verifications/\(phone.replacing("+", with: "%2B"))",
                    headers: [("Authorization", "Basic " + account.base64EncodedString())]
                ).status == 404
            }
        }

        @Test func `answers that are lost cost one message for each pair of channel and sender`() async throws {
            let phone = LatchkeyStack.freshPhone()
            try await fakes.script(
                #"[{"provider":"twilio-messaging","at":"create","drop":true},"#
                    + #"{"provider":"twilio-verify","at":"create","drop":true},"#
                    + #"{"provider":"twilio-verify","at":"create","drop":true}]"#)
            let answer = try await stack.gateway.post(
                "/auth/otp/request", encoding: OTPRequestBody(phoneNumber: phone))
            #expect(answer.status == 503)
            let messages = try await fakes.messages(to: phone)
            #expect(
                messages.reversed().map { "\($0.provider) \($0.channel)" } == [
                    "twilio-messaging sms", "twilio-verify sms", "twilio-verify call",
                ])
            #expect(Set(messages.map(\.code)).count == 1)
        }

        @Test func `a test message says what the Service lacks, before anything is sent`() async throws {
            let phone = LatchkeyStack.freshPhone()
            try await fakes.script(
                #"[{"provider":"twilio-verify","at":"service","status":200,"#
                    + #""body":"{\"sid\":\"VA1\",\"code_length\":6,\"custom_code_enabled\":false}"}]"#)
            let off = try await stack.control("messages send-test --to \(phone) --channel call")
            #expect(!off.isSuccess && off.output.contains("custom_codes_off"))
            #expect(try await fakes.messages(to: phone).isEmpty)
            let sent = try await stack.control("messages send-test --to \(phone) --channel call")
            #expect(sent.isSuccess && sent.output.contains("twilio-verify has accepted the message: VE"))
            #expect(try await fakes.messages(to: phone).map(\.channel) == ["call"])
        }

        @Test func `a token in rotation is read again, and both are believed`() async throws {
            let path = stack.dataDirectory + "/secrets/twilio_auth_token"
            let old = try String(contentsOfFile: path, encoding: .utf8)
            try await rotate(path, to: "fedcba9876543210fedcba9876543210\n" + old)
            // The provider still signs with the old one.
            let phone = LatchkeyStack.freshPhone()
            try await stack.requestCode(for: phone)
            let message = try #require(try await fakes.messages(to: phone).first)
            try await fakes.tellTwilio(#"{"sid":"\#(message.id)","status":"delivered"}"#)
            try await rotate(path, to: "fedcba9876543210fedcba9876543210\n")
            await #expect(throws: UnexpectedAnswer.self) {
                try await fakes.tellTwilio(#"{"sid":"\#(message.id)","status":"delivered"}"#)
            }
            try await rotate(path, to: old)
            try await fakes.tellTwilio(#"{"sid":"\#(message.id)","status":"delivered"}"#)
        }

        private func rotate(_ path: String, to text: String) async throws {
            func reloads() throws -> Int {
                let log = try String(contentsOfFile: stack.dataDirectory + "/log/otp.log", encoding: .utf8)
                return log.split(separator: "\n").count { $0.contains("secrets.reloaded") }
            }
            let before = try reloads()
            try text.write(toFile: path, atomically: false, encoding: .utf8)
            try stack.signal("otp", SIGHUP)
            try await eventually("the token is read again") { try reloads() > before }
        }

        @Test func `a landline is called`() async throws {
            let phone = LatchkeyStack.freshPhone()
            try await fakes.script(#"[{"provider":"twilio-messaging","at":"create","code":21614,"status":400}]"#)
            try await stack.requestCode(for: phone)
            #expect(try await fakes.messages(to: phone).map(\.channel) == ["call"])
        }

        @Test func `a client may ask for a call, and for nothing that the policy does not name`() async throws {
            let phone = LatchkeyStack.freshPhone()
            let call = try await stack.gateway.post(
                "/auth/otp/request", encoding: OTPRequestBody(phoneNumber: phone, channel: "call"))
            #expect(call.status == 200)
            #expect(try await fakes.messages(to: phone).map(\.channel) == ["call"])
            let other = try await stack.gateway.post(
                "/auth/otp/request", encoding: OTPRequestBody(phoneNumber: phone, channel: "whatsapp"))
            #expect(other.status == 400 && other.text.contains("unsupported_channel"))
        }
    }

    /// The cost of callbacks for their sender.
    @Suite(
        .serialized, .timeLimit(.minutes(5)),
        .stack([
            "LATCHKEY_FAKES": "1", "OTP_SENDER": "twilio-messaging", "LATCHKEY_LIMIT_LOCAL": "1",
            "LATCHKEY_POLICY": KeyPolicy.write(
                "callbacks",
                changing: [
                    "authLimit: { max: 1200, windowSeconds: 60 }": "authLimit: { max: 3, windowSeconds: 86400 }"
                ]),
        ]))
    struct TwilioCallbackLimitTests {
        @Test func `only refused callbacks count, and then hold up their sender`() async throws {
            let stack = try #require(RunningStack.current)
            let fakes = try FakeProviders(of: stack)
            let phone = LatchkeyStack.freshPhone()
            try await stack.requestCode(for: phone)
            let id = try #require(try await fakes.messages(to: phone).first).id
            for _ in 0..<8 { try await fakes.tellTwilio(#"{"sid":"\#(id)","status":"delivered"}"#) }
            var statuses: [Int] = []
            for _ in 0..<6 {
                statuses.append(
                    try await stack.gateway.send(
                        "POST", "/webhooks/twilio/status",
                        headers: [
                            ("Content-Type", "application/x-www-form-urlencoded"), ("X-Twilio-Signature", "AA=="),
                        ], body: Array("MessageSid=SM1".utf8)
                    ).status)
            }
            #expect(Array(statuses.prefix(3)) == [403, 403, 403] && statuses.last == 429, "\(statuses)")
        }
    }

    /// Codes that Twilio makes and checks, through all processes.
    @Suite(
        .serialized, .timeLimit(.minutes(5)),
        .stack(["LATCHKEY_FAKES": "1", "OTP_SENDER": "twilio-verify-managed"]))
    struct ManagedVerifyTests {
        let stack: LatchkeyStack
        let fakes: FakeProviders

        init() throws {
            stack = try #require(RunningStack.current)
            fakes = try FakeProviders(of: stack)
        }

        private func verify(_ phone: String, _ code: String, key: String? = nil) async throws -> HTTPAnswer {
            try await stack.gateway.send(
                "POST", "/auth/otp/verify",
                headers: [("Content-Type", "application/json")] + (key.map { [("Idempotency-Key", $0)] } ?? []),
                body: Array(#"{"phoneNumber":"\#(phone)","code":"\#(code)"}"#.utf8))
        }

        /// The code that Twilio has sent last.
        private func sentCode(_ phone: String) async throws -> String {
            try await stack.requestCode(for: phone)
            return try #require(try await fakes.messages(to: phone).first?.code)
        }

        private static func wrong(_ code: String, _ number: Int = 0) -> String {
            String(100_000 + ((Int(code) ?? 0) + 1 + number) % 900_000)
        }

        @Test func `Twilio's code signs in, once`() async throws {
            let phone = LatchkeyStack.freshPhone()
            let code = try await sentCode(phone)
            let message = try #require(try await fakes.messages(to: phone).first)
            #expect(message.provider == "twilio-verify" && message.fields["CustomCode"] == nil)
            #expect(try await verify(phone, Self.wrong(code)).status == 401)
            let answer = try await verify(phone, code)
            #expect(answer.status == 200)
            let tokens: SignInReply = try answer.decoded()
            let me = try await stack.gateway.send(
                "GET", "/users/me", headers: [("Authorization", "Bearer \(tokens.tokens.accessToken)")])
            #expect(me.status == 200)
        }

        @Test func `where no callbacks are asked for there is nothing to call`() async throws {
            let answer = try await stack.gateway.send(
                "POST", "/webhooks/twilio/status",
                headers: [("Content-Type", "application/x-www-form-urlencoded"), ("X-Twilio-Signature", "AA==")],
                body: Array("MessageSid=SM1".utf8))
            #expect(answer.status == 404)
        }

        @Test func `the gateway waits for a provider that takes its time`() async throws {
            let phone = LatchkeyStack.freshPhone()
            let code = try await sentCode(phone)
            try await fakes.script(#"[{"provider":"twilio-verify","at":"check","hang":3.5}]"#)
            #expect(try await verify(phone, code).status == 200)
        }

        @Test func `a lost answer is 503, for its repeat too, and opens nothing`() async throws {
            let phone = LatchkeyStack.freshPhone()
            let code = try await sentCode(phone)
            let key = UUID().uuidString
            try await fakes.script(#"[{"provider":"twilio-verify","at":"check","drop":true}]"#)
            let lost = try await verify(phone, code, key: key)
            #expect(lost.status == 503 && lost.headers["retry-after"] != nil)
            #expect(try await verify(phone, code, key: key).status == 503)
            // Twilio has approved and forgotten it: only another code opens anything.
            #expect(try await verify(phone, code).status == 401)
            let next = try await sentCode(phone)
            #expect(try await verify(phone, next).status == 200)
        }

        @Test func `a stranger who uses up Twilio's checks costs the owner a message, not the sign-in`() async throws {
            let phone = LatchkeyStack.freshPhone()
            let code = try await sentCode(phone)
            try await fakes.script(#"[{"provider":"twilio-verify","at":"check","code":60202,"status":429}]"#)
            #expect(try await verify(phone, code).status == 429)
            let next = try await sentCode(phone)
            #expect(next != code)
            #expect(try await verify(phone, next).status == 200)
        }

        @Test func `a process that is killed before or after Twilio's answer gives no guess back`() async throws {
            let phone = LatchkeyStack.freshPhone()
            let code = try await sentCode(phone)
            for number in 0..<2 {
                // Twilio counts the guess at once, or after the process is gone.
                try await fakes.clearScript()
                try await fakes.script(#"[{"provider":"twilio-verify","at":"check","hang":20}]"#)
                async let guess = verify(phone, Self.wrong(code, number))
                try await eventually("Twilio has the guess") { try await fakes.usedSteps() == 1 }
                try await stack.restart("otp", by: SIGKILL)
                #expect(try await guess.status == 503)
            }
            for number in 2..<5 { #expect(try await verify(phone, Self.wrong(code, number)).status == 401) }
            #expect(try await verify(phone, code).status == 429)
        }
    }
}
