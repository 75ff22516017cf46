import AuthAPI
import FoundationEssentials
import TestSupport
import Testing

/// howru with accounts by password and the API for administrators.
private enum AdminPasswordPolicyFile {
    static let path = KeyPolicy.write(
        "admin-passwords", changing: PasswordPolicyFile.changes.merging(["  api: false": "  api: true"]) { $1 })
}

extension Live {
    /// Administrators who sign in by password.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack(["LATCHKEY_POLICY": AdminPasswordPolicyFile.path]))
    struct AdminPasswordTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        private func admin() async throws -> (address: String, id: String, token: String) {
            let user = try await stack.newPasswordUser()
            try await stack.change(user.signIn.user.id, role: "admin")
            let login: LoginReply = try await stack.logIn(user.address, user.password).decoded()
            return (user.address, login.user.id, login.tokens.access)
        }

        private func delete(_ token: String, _ password: String) async throws -> HTTPAnswer {
            try await stack.gateway.send(
                "DELETE", "/auth/account",
                headers: [("Authorization", "Bearer \(token)"), ("Content-Type", "application/json")],
                body: Array(#"{"password":"\#(password)"}"#.utf8))
        }

        @Test func `the last administrator cannot delete the account by the password either`() async throws {
            _ = try await stack.sql("users", "UPDATE users SET role = 'user'")
            let last = try await admin()
            let wrong = try await delete(last.token, "another long password")
            #expect(wrong.status == 400 && !wrong.text.contains("last_admin"), "\(wrong.text)")
            let refused = try await delete(last.token, LatchkeyStack.freshPassword)
            #expect(refused.status == 409 && refused.text.contains("last_admin"), "\(refused.status) \(refused.text)")
            #expect(try await stack.gateway.get("/users/me", bearer: last.token).status == 200)
            let scheduled = try await stack.sql("users", "SELECT 1 FROM users WHERE deletion_due_at IS NOT NULL")
            #expect(scheduled.isEmpty)
            // With another administrator they can, and then that one is the last.
            let other = try await admin()
            #expect(try await delete(last.token, LatchkeyStack.freshPassword).status == 200)
            #expect(try await delete(other.token, LatchkeyStack.freshPassword).status == 409)
        }

        @Test func `a user who was created without a password gets one by the mail of a reset`() async throws {
            let (admin, address) = (try await admin(), LatchkeyStack.freshAddress())
            func create(_ address: String, verified: Bool) async throws -> HTTPAnswer {
                try await stack.gateway.send(
                    "POST", "/admin/users",
                    headers: [("Authorization", "Bearer \(admin.token)"), ("Content-Type", "application/json")],
                    body: Array(#"{"email":"\#(address)","emailVerified":\#(verified)}"#.utf8))
            }
            let created = try await create(address, verified: true)
            #expect(created.status == 201 && created.text.contains(address), "\(created.text)")
            for spelling in [address, address.uppercased()] {
                let taken = try await create(spelling, verified: true)
                #expect(taken.status == 409, "\(spelling): \(taken.status) \(taken.text)")
            }
            #expect(try await stack.logIn(address).status == 401)
            let asked = try await stack.gateway.post("/auth/forgot-password", encoding: AccountMailBody(email: address))
            #expect(asked.status == 200)
            let link = try await stack.mailedLink(to: address, at: "/auth/reset-password")
            let reset = AccountLinkBody(token: link.token, password: LatchkeyStack.freshPassword)
            #expect(try await stack.gateway.post(link.path, encoding: reset).status == 200)
            let login: LoginReply = try await stack.logIn(address).decoded()
            #expect(created.text.contains(login.user.id))
        }
    }
}
