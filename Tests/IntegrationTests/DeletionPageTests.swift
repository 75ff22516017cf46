import AuthAPI
import TestSupport
import Testing

extension Live {
    /// The page that deletes an account without the app, through all processes.
    @Suite(
        .serialized, .timeLimit(.minutes(5)),
        .stack(["LATCHKEY_POLICY": KeyPolicy.write("deletion-page", changing: ["page: false": "page: true"])]))
    struct DeletionPageTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        private func send(_ form: String, language: String = "en") async throws -> HTTPAnswer {
            try await stack.gateway.send(
                "POST", "/account/delete",
                headers: [("Content-Type", "application/x-www-form-urlencoded"), ("Accept-Language", language)],
                body: Array(form.utf8))
        }

        @Test func `a person deletes their account by a code to their number`() async throws {
            let phone = LatchkeyStack.freshPhone()
            let signIn = try await stack.signIn(phone: phone)
            let recipient = "recipient=\(phone.replacing("+", with: "%2B"))"
            #expect(try await stack.gateway.get("/account/delete").text.contains("Delete your HowRU account"))
            let sent = try await send(recipient, language: "de")
            #expect(
                sent.status == 200 && sent.text.contains("Ein Code ist unterwegs")
                    && sent.text.contains("name=\"code\""))
            let message = try #require(try await stack.messages(to: phone).first)
            let code = try #require(message.code)
            #expect(
                message.text.contains("the code to delete your HowRU account")
                    || message.text.contains("zum Löschen deines Kontos"))
            // It opens no session.
            let body = OTPVerifyBody(phoneNumber: phone, code: code)
            #expect(try await stack.gateway.post("/auth/otp/verify", encoding: body).status == 401)
            let wrong = try await send("\(recipient)&code=\(code == "000000" ? "000001" : "000000")")
            #expect(
                wrong.status == 401 && wrong.text.contains("wrong or has expired")
                    && wrong.text.contains("name=\"code\""))
            for _ in 0..<2 {
                let done = try await send("\(recipient)&code=\(code)")
                #expect(done.status == 200 && done.text.contains("Your account will be deleted on"), "\(done)")
            }
            let profile = try await stack.gateway.send(
                "GET", "/users/me", headers: [("Authorization", "Bearer \(signIn.tokens.accessToken)")])
            #expect(profile.status == 401)
        }

        @Test func `what the page says before the code tells nothing of accounts`() async throws {
            let known = LatchkeyStack.freshPhone()
            _ = try await stack.signIn(phone: known)
            let unknown = LatchkeyStack.freshPhone()
            var pages: [String] = []
            for phone in [known, unknown] {
                let answer = try await send("recipient=\(phone.replacing("+", with: "%2B"))")
                pages.append("\(answer.status) " + answer.text.replacing(phone, with: ""))
            }
            #expect(pages[0] == pages[1])
            let code = try #require(try await stack.messages(to: unknown).first?.code)
            let answer = try await send("recipient=\(unknown.replacing("+", with: "%2B"))&code=\(code)")
            #expect(answer.status == 200 && answer.text.contains("No account uses"))
            #expect(try await send("recipient=nobody").status == 400)
        }
    }
}
