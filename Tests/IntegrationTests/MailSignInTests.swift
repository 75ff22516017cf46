import AuthAPI
import CryptoPrimitives
import FoundationEssentials
import TestSupport
import Testing

extension Live {
    /// Signing in by mail, through all processes.
    @Suite(.serialized, .timeLimit(.minutes(2)), .stack()) struct MailSignInTests {
        private static let verifier = String(repeating: "v", count: 64)
        private static let challenge = Base64URL.encode(SHA256.hash(Array(verifier.utf8)))

        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        @Test func `asking answers alike for everybody, and the mail has code and link`() async throws {
            let address = Self.freshAddress()
            let mail = try await mail(to: address, locale: "de-AT")
            #expect(mail.channel == "email" && mail.to == address)
            let code = try #require(mail.code)
            #expect(mail.subject == "\(code) ist dein Code für HowRU")
            #expect(mail.html?.contains("dir=\"ltr\"") == true)
            #expect(mail.link?.hasPrefix("\(stack.gateway.base)/auth/magic-link?token=") == true)
        }

        @Test func `the code signs in: a new user without a number`() async throws {
            let address = Self.freshAddress()
            let code = try #require(try await mail(to: address).code)
            let answer = try await verify(#""email":"\#(address.uppercased())","code":"\#(code)","name":"Ann""#)
            #expect(answer.status == 200)
            #expect(answer.text.contains(#""phoneNumber":null"#))
            let signIn: SignInReply = try answer.decoded()
            #expect(signIn.isNewUser && signIn.user.email == address && signIn.user.name == "Ann")
            let next = try #require(try await mail(to: address).code)
            let again: SignInReply = try await verify(#""email":"\#(address)","code":"\#(next)""#).decoded()
            #expect(!again.isNewUser && again.user.id == signIn.user.id)
            let refreshed = try await stack.gateway.post(
                "/auth/refresh", #"{"refreshToken":"\#(again.tokens.refreshToken)"}"#)
            #expect(refreshed.status == 200)
        }

        @Test func `the link signs in whoever asked, once a robot has followed it`() async throws {
            let address = Self.freshAddress()
            let link = try #require(try await mail(to: address).link)
            let path = String(link.dropFirst(stack.gateway.base.count))
            for _ in 0..<20 {
                let page = try await stack.gateway.get(path)
                #expect(page.status == 200)
                #expect(page.headers["referrer-policy"] == "no-referrer")
                #expect(page.headers["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
                #expect(!page.text.contains("<script") && !page.text.contains("<form"))
            }
            let token = String(path.split(separator: "=")[1])
            let stranger = String(repeating: "s", count: 64)
            for _ in 0..<10 {
                #expect(try await verify(#""token":"\#(token)","verifier":"\#(stranger)""#).status == 401)
            }
            let signIn: SignInReply = try await verify(
                #""token":"\#(token)","verifier":"\#(Self.verifier)""#
            ).decoded()
            #expect(signIn.user.email == address)
        }

        @Test(arguments: [
            (#"{"email":"ann"}"#, "invalid_email"), (#"{"email":["a@x.io"]}"#, "invalid_request"),
            (#"{"email":"a@x.io, b@x.io"}"#, "invalid_email"), (#"{"email":"a\r\nBcc: b@x.io"}"#, "invalid_email"),
            (#"{"email":"a@x.io","challenge":"short"}"#, "invalid_request"), ("{}", "invalid_request"),
        ])
        func `what cannot be mailed is 400`(_ body: String, _ code: String) async throws {
            let answer = try await stack.gateway.post("/auth/magic-link/request", body)
            #expect(answer.status == 400)
            #expect(answer.text.contains("\"\(code)\""), "\(answer.text)")
        }

        @Test(arguments: [
            "{}", #"{"email":"a@x.io"}"#, #"{"code":"123456"}"#, #"{"token":"x"}"#, #"{"verifier":"x"}"#,
            #"{"token":"x","verifier":"y","email":"a@x.io","code":"123456"}"#,
        ])
        func `half a proof, or two, is 400`(_ body: String) async throws {
            #expect(try await stack.gateway.post("/auth/magic-link/verify", body).status == 400)
        }

        private static func freshAddress() -> String { "ann.\(UUID().uuidString.lowercased())@example.com" }

        /// Asks for a mail, and waits for it.
        private func mail(to address: String, locale: String? = nil) async throws -> LatchkeyStack.Message {
            let before = try await stack.messages(to: address).count
            let answer = try await stack.gateway.post(
                "/auth/magic-link/request",
                encoding: MailRequestBody(email: address, challenge: Self.challenge, locale: locale))
            #expect(answer.status == 200)
            let expected = MailRequestReply(
                success: true, status: "pending", message: "Sign-in mail sent", expiresIn: 600)
            #expect(try answer.decoded(MailRequestReply.self) == expected)
            var messages: [LatchkeyStack.Message] = []
            try await eventually("the mail arrives", within: .seconds(10)) {
                messages = try await stack.messages(to: address)
                return messages.count > before
            }
            return try #require(messages.first)
        }

        private func verify(_ members: String) async throws -> HTTPAnswer {
            try await stack.gateway.post("/auth/magic-link/verify", "{\(members)}")
        }
    }
}
