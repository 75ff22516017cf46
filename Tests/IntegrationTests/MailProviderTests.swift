import AuthAPI
import FoundationEssentials
import TestSupport
import Testing

extension Live {
    /// Mail through a provider that speaks Resend's interface, with its errors and webhooks.
    @Suite(
        .serialized, .timeLimit(.minutes(5)),
        .stack(["LATCHKEY_FAKES": "1", "MAIL_SENDER": "resend"]))
    struct MailByResendTests {
        let stack: LatchkeyStack
        let fakes: FakeProviders

        init() throws {
            stack = try #require(RunningStack.current)
            fakes = try FakeProviders(of: stack)
        }

        @Test func `a mail goes out once though its answer is lost`() async throws {
            let address = LatchkeyStack.freshAddress()
            try await fakes.script(#"[{"provider":"resend","drop":true}]"#)
            #expect(try await stack.requestMail(address).status == 200)
            let mails = try await fakes.mails(to: address)
            #expect(mails.count == 1 && mails[0].from == "Latchkey <login@latchkey.example>")
            let code = String(mails[0].subject.prefix(6))
            let answer = try await stack.gateway.post(
                "/auth/magic-link/verify", #"{"email":"\#(address)","code":"\#(code)"}"#)
            #expect(answer.status == 200)
        }

        @Test(arguments: [
            (422, "validation_error", 503, 1), (403, "invalid_api_key", 503, 1), (429, "daily_quota_exceeded", 503, 1),
            (451, "security_error", 503, 1), (429, "rate_limit_exceeded", 200, 2), (500, "application_error", 200, 2),
            (409, "concurrent_idempotent_requests", 200, 2), (409, "invalid_idempotent_request", 503, 1),
        ])
        func `each of the provider's errors has its answer`(
            status: Int, name: String, answer: Int, tries: Int
        ) async throws {
            let address = LatchkeyStack.freshAddress()
            try await fakes.script(#"[{"provider":"resend","status":\#(status),"name":"\#(name)"}]"#)
            let reply = try await stack.requestMail(address)
            #expect(reply.status == answer, "\(name)")
            #expect((reply.headers["retry-after"] != nil) == (answer == 503))
            #expect(try await fakes.mails(to: address).count == (answer == 200 ? 1 : 0))
        }

        @Test func `an address to which mail came back gets none until the operator clears it`() async throws {
            let address = LatchkeyStack.freshAddress()
            #expect(try await stack.requestMail(address).status == 200)
            try await fakes.tell(#"{"type":"email.bounced","to":"\#(address)"}"#)
            let refused = try await stack.requestMail(address)
            #expect(refused.status == 422 && refused.text.contains("undeliverable_email"))
            let cleared = try await stack.control("messages clear \(address)")
            #expect(cleared.isSuccess && cleared.output.contains("messages are sent there again"))
            #expect(try await stack.requestMail(address).status == 200)
            #expect(try await fakes.mails(to: address).count == 2)
        }

        @Test func `a webhook of a stranger is refused`() async throws {
            let body = #"{"type":"email.bounced","created_at":"2026-01-01T00:00:00Z","data":{"to":["a@example.com"]}}"#
            #expect(try await stack.gateway.post("/webhooks/resend", body).status == 400)
            let forged = try await stack.gateway.send(
                "POST", "/webhooks/resend",
                headers: [
                    ("svix-id", "msg_1"), ("svix-timestamp", "\(Int(Date().timeIntervalSince1970))"),
                    ("svix-signature", "v1,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="),
                ], body: Array(body.utf8))
            #expect(forged.status == 400)
        }

        @Test func `who gives his account up hears of it by mail, once, though the provider was away`() async throws {
            let address = LatchkeyStack.freshAddress()
            let tokens = try await stack.signInByMail(address, through: fakes).tokens
            try await fakes.script(#"[{"provider":"resend","status":500,"name":"application_error","always":true}]"#)
            #expect(
                try await stack.gateway.send(
                    "DELETE", "/users/me", headers: [("Authorization", "Bearer \(tokens.accessToken)")]
                ).status == 200)
            try await eventually("a failure is noted") {
                let list = try await stack.control("outbox list")
                return list.output.split(separator: "\n").contains { $0.contains("notice") && !$0.contains(" 0 ") }
            }
            #expect(try await !stack.control("outbox list").output.contains(address))
            try await fakes.clearScript()
            try await eventually("the mail arrives") {
                try await fakes.mails(to: address).contains { $0.subject.contains("will be deleted") }
            }
            try await eventually("nothing waits") {
                try await !stack.control("outbox list").output.contains("notice")
            }
            #expect(try await fakes.mails(to: address).count { $0.subject.contains("will be deleted") } == 1)
        }

        @Test func `the operator sees whether mail goes out, and what to mend`() async throws {
            let sent = try await stack.control("messages send-test --to ops@example.com")
            #expect(sent.isSuccess && sent.output.contains("resend has accepted the message"))
            try await fakes.script(#"[{"provider":"resend","status":403,"name":"invalid_api_key"}]"#)
            let refused = try await stack.control("messages send-test --to ops@example.com")
            #expect(!refused.isSuccess && refused.output.contains("resend_api_key"))
        }
    }

    /// Mail through a mail server with STARTTLS.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack(["LATCHKEY_FAKES": "1", "MAIL_SENDER": "smtp"]))
    struct MailBySMTPTests {
        let stack: LatchkeyStack
        let fakes: FakeProviders

        init() throws {
            stack = try #require(RunningStack.current)
            fakes = try FakeProviders(of: stack)
        }

        @Test func `a mail signs in`() async throws {
            let address = LatchkeyStack.freshAddress()
            let signIn = try await stack.signInByMail(address, through: fakes)
            #expect(signIn.user.email == address && signIn.isNewUser)
            let log = try String(contentsOfFile: stack.dataDirectory + "/log/otp.log", encoding: .utf8)
            #expect(!log.contains(address))
        }

        @Test func `whom the server does not know is not asked for again`() async throws {
            let address = LatchkeyStack.freshAddress()
            try await fakes.script(#"[{"provider":"smtp","at":"RCPT","reply":"550 5.1.1 no such user"}]"#)
            for _ in 0..<2 { #expect(try await stack.requestMail(address).status == 422) }
            #expect(try await fakes.mails(to: address).isEmpty)
        }

        @Test func `a server that hangs is not waited for, and costs a 503`() async throws {
            try await fakes.script(#"[{"provider":"smtp","at":"MAIL","hang":20,"always":true}]"#)
            // After twenty seconds the mail would have gone out.
            #expect(try await stack.requestMail(LatchkeyStack.freshAddress()).status == 503)
            try await fakes.clearScript()
        }
    }
}
