import AuthAPI
import TestSupport
import Testing

extension Live.HowruTests {
    /// The requests and answers of section 3, as printed.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack(["LATCHKEY_FAKES": "1"])) struct PrintedRequests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        /// The document's texts that a run replaces by its own.
        static let (phone, code) = ("+15551234567", "472918")
        static let refreshToken = "rt_abc123def456..."

        @Test func `one user's whole life in printed requests has the printed answers`() async throws {
            let phone = LatchkeyStack.freshPhone()
            let code = try await requestedCode(phone)
            let endpoint = try PrintedEndpoint("Verify OTP")
            var tokens = TokenReply(accessToken: "", refreshToken: "", expiresIn: 0)
            await show("H15") {
                let wrong = code == "000000" ? "111111" : "000000"
                let answer = try await endpoint.send([Self.phone: phone, Self.code: wrong], to: stack.gateway)
                try endpoint.answer(401).check(answer)
            }
            await show("H11", "H12", "H13", "H14") {
                let answer = try await endpoint.send([Self.phone: phone, Self.code: code], to: stack.gateway)
                try endpoint.answer(200).check(answer)
                let reply: SignInReply = try answer.decoded()
                try #require(reply.isNewUser && reply.user.phoneNumber == phone && reply.user.name == "Betty")
                try #require(reply.user.id.hasPrefix("usr_"))
                tokens = reply.tokens
            }
            await show("H36") {
                let answer = try await endpoint.send([Self.phone: phone, Self.code: code], to: stack.gateway)
                try endpoint.answer(401).check(answer)
            }
            try await refreshAndLogOut(tokens)
            try await deleteAccount(phone)
            await show("H72") {
                // The way has ended: the tokens that it began with open nothing.
                let own = try await stack.gateway.get("/users/me", bearer: tokens.accessToken)
                try #require(own.status == 401)
            }
        }

        private func requestedCode(_ phone: String) async throws -> String {
            let endpoint = try PrintedEndpoint("Request OTP")
            await show("H5", "H6") {
                try endpoint.answer(200).check(try await endpoint.send([Self.phone: phone], to: stack.gateway))
            }
            let code = try await stack.code(for: phone)
            await show("H1", "H9", "H34") {
                try #require(code.count == 6 && code.allSatisfy { "0123456789".contains($0) })
                let message = try #require(try await stack.messages(to: phone).first)
                try #require(message.text == "Your HowRU code is \(code)" && message.channel == "sms")
            }
            await show("H50") {
                try endpoint.answer(200).check(try await endpoint.send([Self.phone: phone], to: stack.gateway))
                try await eventually("the code comes again") { try await stack.messages(to: phone).count == 2 }
                try #require(try await stack.code(for: phone) == code)
            }
            return code
        }

        private func refreshAndLogOut(_ tokens: TokenReply) async throws {
            let (refresh, logOut) = (try PrintedEndpoint("Refresh Token"), try PrintedEndpoint("Logout"))
            var rotated = tokens
            await show("H16", "H26") {
                let old = [Self.refreshToken: tokens.refreshToken]
                let answer = try await refresh.send(old, to: stack.gateway)
                try refresh.answer(200).check(answer)
                rotated = try answer.decoded()
                try #require(
                    rotated.refreshToken != tokens.refreshToken && rotated.accessToken != tokens.accessToken)
            }
            await show("H18") {
                let new = [Self.refreshToken: rotated.refreshToken]
                try logOut.answer(200).check(try await logOut.send(new, to: stack.gateway))
                try #require(try await refresh.send(new, to: stack.gateway).status == 401)
            }
        }

        private func deleteAccount(_ phone: String) async throws {
            let endpoint = try PrintedEndpoint("Delete Account")
            let session = try await stack.signIn(phone: phone)
            await show("H19", "H20") {
                let bearer = session.tokens.accessToken
                try endpoint.answer(200).check(try await endpoint.send(bearer: bearer, to: stack.gateway))
                let refresh = try PrintedEndpoint("Refresh Token")
                let token = [Self.refreshToken: session.tokens.refreshToken]
                try #require([401, 403].contains(try await refresh.send(token, to: stack.gateway).status))
                try await eventually("the access token is refused") {
                    [401, 403].contains(try await stack.gateway.get("/api/hello", bearer: bearer).status)
                }
            }
        }
    }
}
