import AuthAPI
import FoundationEssentials
import StrictJSON
import TestSupport
import Testing

extension Live {
    /// The operator looks at sessions and ends them with latchkeyctl.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack()) struct SessionControlTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        private func control(_ arguments: String) async throws -> Shell.Outcome {
            try await Shell.run(
                "'\(LatchkeyStack.binaries)/latchkeyctl' sessions \(arguments)", in: stack.dataDirectory,
                environment: [
                    "TOKEN_URL": try stack.service("token").base,
                    "LATCHKEY_SECRETS_DIR": stack.dataDirectory + "/secrets",
                ])
        }

        private func hello(_ session: SignInReply) async throws -> Int {
            try await stack.gateway.get("/api/hello", bearer: session.tokens.accessToken).status
        }

        @Test func `a user's sessions are listed, and ended one by one or all at once`() async throws {
            let phone = LatchkeyStack.freshPhone()
            let (first, second) = (try await stack.signIn(phone: phone), try await stack.signIn(phone: phone))
            let bystander = try await stack.signIn()
            let sessions: SessionList = try await stack.gateway.get(
                "/sessions", bearer: first.tokens.accessToken
            ).decoded()
            let listed = try await control("list --user \(first.user.id)")
            #expect(listed.isSuccess)
            for session in sessions.sessions { #expect(listed.output.contains(session.id)) }
            let id = try #require(sessions.sessions.first { $0.current }).id
            let one = try await control("revoke --session \(id)")
            #expect(one.isSuccess && one.output.contains("revoked: 1"))
            try await Task.sleep(for: .milliseconds(100))
            #expect(try await hello(first) == 401)
            #expect(try await hello(second) == 200)
            let all = try await control("revoke --user \(first.user.id)")
            #expect(all.isSuccess && all.output.contains("revoked: 1"))
            try await Task.sleep(for: .milliseconds(100))
            #expect(try await hello(second) == 401)
            #expect(try await hello(bystander) == 200)
            #expect(try await control("revoke --user \(first.user.id)").output.contains("revoked: 0"))
        }

        @Test(arguments: ["revoke", "revoke --user u --session s", "revoke --session x", "list"])
        func `a command that names nobody, or two, or no session fails`(arguments: String) async throws {
            #expect(try await !control(arguments).isSuccess)
        }
    }
}
