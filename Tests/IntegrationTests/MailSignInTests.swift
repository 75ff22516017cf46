import AuthAPI
import Foundation
import TestSupport
import Testing

// Cited by Tests/Compat/statements.md for H3.

extension Live {
    /// Signing in by mail, through all processes.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack()) struct MailSignInTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        @Test func `asking answers alike for everybody, and the mail has code and link`() async throws {
            let answer = try await stack.gateway.post(
                "/auth/magic-link/request", encoding: MailRequestBody(email: LatchkeyStack.freshAddress()))
            let expected = MailRequestReply(
                success: true, status: "pending", message: "Sign-in mail sent", expiresIn: 600)
            #expect(try answer.decoded(MailRequestReply.self) == expected)
            let mail = try await stack.askForMail(locale: "de-AT")
            #expect(mail.message.channel == "email" && mail.message.to == mail.address)
            let code = try #require(mail.message.code)
            #expect(mail.message.subject == "\(code) ist dein Code für HowRU")
            #expect(mail.message.html?.contains("dir=\"ltr\"") == true)
            #expect(mail.message.link == "\(stack.gateway.base)/auth/magic-link?token=\(mail.token)")
        }

        @Test func `the code signs in: a new user without a number`() async throws {
            let mail = try await stack.askForMail()
            let code = try #require(mail.message.code)
            let body = MailVerifyBody(email: mail.address.uppercased(), code: code, name: "Ann")
            let answer = try await verify(body)
            #expect(answer.status == 200)
            #expect(answer.text.contains(#""phoneNumber":null"#))
            let signIn: SignInReply = try answer.decoded()
            #expect(signIn.isNewUser && signIn.user.email == mail.address && signIn.user.name == "Ann")
            let next = try await stack.askForMail(to: mail.address)
            let again: SignInReply = try await verify(next.byCode).decoded()
            #expect(!again.isNewUser && again.user.id == signIn.user.id)
            let refreshed = try await stack.gateway.post(
                "/auth/refresh", encoding: RefreshBody(refreshToken: again.tokens.refreshToken))
            #expect(refreshed.status == 200)
        }

        @Test func `robots and strangers do a link nothing, and whoever asked signs in`() async throws {
            let mail = try await stack.askForMail()
            let path = "/auth/magic-link?token=\(mail.token)"
            for _ in 0..<20 {
                let page = try await stack.gateway.get(path)
                #expect(page.status == 200)
                #expect(page.headers["referrer-policy"] == "strict-origin")
                #expect(page.headers["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
                #expect(!page.text.contains("<script") && !page.text.contains("<form"))
                #expect(try await stack.gateway.send("HEAD", path).status == 200)
            }
            let statuses = try await inParallel(LongRun.isOn ? 1_000 : 60, lanes: 8) { number in
                let stranger = String(repeating: "s", count: 60) + String(1_000 + number)
                return try await verify(MailVerifyBody(token: mail.token, verifier: stranger)).status
            }
            #expect(statuses.allSatisfy { $0 == 401 || $0 == 429 })
            let answer = try await verify(mail.byLink)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(try answer.decoded(SignInReply.self).user.email == mail.address)
        }

        @Test func `fifty redemptions of a link at once open one session, and none is left for the code`() async throws
        {
            let mail = try await stack.askForMail()
            let statuses = try await inParallel(50, lanes: 50) { _ in try await verify(mail.byLink).status }
            #expect(statuses.count { $0 == 200 } == 1)
            #expect(statuses.allSatisfy { [200, 401, 429].contains($0) }, "\(Set(statuses))")
            #expect(try await verify(mail.byCode).status != 200)
        }

        @Test func `a stranger who asks for a victim's mail gets nothing by what the victim does with it`() async throws
        {
            let mail = try await stack.askForMail()
            let page = try await stack.gateway.get("/auth/magic-link?token=\(mail.token)")
            #expect(page.status == 200)
            // The attacker has the verifier and knows the address; only the victim gets the token.
            let tries = [
                MailVerifyBody(verifier: mail.verifier, email: mail.address), MailVerifyBody(verifier: mail.verifier),
                MailVerifyBody(token: String(repeating: "A", count: mail.token.count), verifier: mail.verifier),
            ]
            for body in tries { #expect([400, 401].contains(try await verify(body).status)) }
            // The link of the attacker's request opens nothing for the victim's own request, nor the other way round.
            let own = try await stack.askForMail(to: mail.address)
            let mixed = [
                MailVerifyBody(token: mail.token, verifier: own.verifier),
                MailVerifyBody(token: own.token, verifier: mail.verifier),
            ]
            for body in mixed { #expect(try await verify(body).status == 401) }
            #expect(try await verify(own.byLink).status == 200)
            #expect(try await verify(mail.byLink).status == 401)
        }

        @Test(arguments: [
            (#"{"email":"ann"}"#, "invalid_email"), (#"{"email":["a@x.io"]}"#, "invalid_request"),
            (#"{"email":"a@x.io, b@x.io"}"#, "invalid_email"), (#"{"email":"a\r\nBcc: b@x.io"}"#, "invalid_email"),
            (#"{"email":"Ann <a@x.io>"}"#, "invalid_email"), ("{\"email\":\"a\u{200B}@x.io\"}", "invalid_email"),
            (#"{"email":"a\u0000@x.io"}"#, "invalid_email"),
            (#"{"email":"a@x.io","challenge":"short"}"#, "invalid_request"), ("{}", "invalid_request"),
        ])
        func `what cannot be mailed is 400`(_ body: String, _ code: String) async throws {
            let answer = try await stack.gateway.post("/auth/magic-link/request", body)
            #expect(answer.status == 400)
            #expect(answer.text.contains("\"\(code)\""), "\(answer.text)")
        }

        @Test func `no link is made of what a client says of the host`() async throws {
            let address = LatchkeyStack.freshAddress()
            let challenge = String(repeating: "c", count: 43)
            let answer = try await stack.gateway.send(
                "POST", "/auth/magic-link/request",
                headers: [
                    ("Host", "evil.example"), ("X-Forwarded-Host", "evil.example"),
                    ("Content-Type", "application/json"),
                    ("Forwarded", "host=evil.example"),
                ], body: Array(#"{"email":"\#(address)","challenge":"\#(challenge)"}"#.utf8))
            #expect(answer.status == 200)
            try await eventually("the mail arrives") {
                try await stack.messages(to: address).count == 1
            }
            let message = try await stack.messages(to: address)[0]
            #expect(message.link?.hasPrefix("\(stack.gateway.base)/auth/magic-link?token=") == true)
            #expect(!message.text.contains("evil") && message.html?.contains("evil") == false)
        }

        @Test(arguments: [
            "{}", #"{"email":"a@x.io"}"#, #"{"code":"123456"}"#, #"{"token":"x"}"#, #"{"verifier":"x"}"#,
            #"{"token":"x","verifier":"y","email":"a@x.io","code":"123456"}"#,
        ])
        func `half a proof, or two, is 400`(_ body: String) async throws {
            #expect(try await stack.gateway.post("/auth/magic-link/verify", body).status == 400)
        }

        private func verify(_ body: MailVerifyBody) async throws -> HTTPAnswer {
            try await stack.gateway.post("/auth/magic-link/verify", encoding: body)
        }
    }
}
