import AuthAPI
import CryptoPrimitives
import Foundation
import TestSupport
import Testing

// Cited by Tests/Compat/statements.md for H38.

/// howru with accounts by password, and clients whose addresses `X-Forwarded-For` tells: many for one user, which is no anomaly here.
enum PasswordPolicyFile {
    static let changes = [
        "accounts:\n": "passwords: {}\naccounts:\n", "registration: closed": "registration: open",
        "trustedProxies: []": "trustedProxies: [127.0.0.0/8]", "anomalies: notify": "anomalies: \"off\"",
    ]
    static let open = KeyPolicy.write("passwords", changing: changes)
    static let sparing = KeyPolicy.write(
        "passwords-sparing", changing: changes.merging(["ends: all": "ends: others"]) { $1 })
    static let closed = KeyPolicy.write(
        "passwords-closed",
        changing: [
            "accounts:\n": "passwords: {}\naccounts:\n",
            "newUsers: { phone: open, email: open": "newUsers: { phone: invited, email: invited",
        ])
}

extension Live {
    /// Accounts by e-mail and password, through all processes.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack(["LATCHKEY_POLICY": PasswordPolicyFile.open]))
    struct PasswordSignInTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        private func form(_ path: String, _ body: String) async throws -> HTTPAnswer {
            try await stack.gateway.send(
                "POST", path, headers: [("Content-Type", "application/x-www-form-urlencoded")], body: Array(body.utf8))
        }

        private func forgot(_ address: String) async throws -> HTTPAnswer {
            try await stack.gateway.post("/auth/forgot-password", encoding: AccountMailBody(email: address))
        }

        @Test func `who registers and confirms logs in, with howru's members and two more`() async throws {
            let address = LatchkeyStack.freshAddress()
            #expect(try await stack.register(address.uppercased(), name: "Ann").status == 200)
            let before = try await stack.logIn(address)
            #expect(before.status == 401 && before.text.contains("invalid_credentials"))
            let link = try await stack.mailedLink(to: address, at: "/auth/verify-email")
            let wrong = AccountLinkBody(token: link.token, password: "another long password")
            let refused = try await stack.gateway.post(link.path, encoding: wrong)
            #expect(refused.status == 400 && refused.text.contains("wrong_password"))
            let right = AccountLinkBody(token: link.token, password: LatchkeyStack.freshPassword)
            #expect(try await stack.gateway.post(link.path, encoding: right).status == 200)
            let used = try await stack.gateway.post(link.path, encoding: right)
            #expect(used.status == 400 && used.text.contains("invalid_link"))
            let login: LoginReply = try await stack.logIn(address).decoded()
            #expect(login.success && login.user.email == address && login.user.name == "Ann")
            #expect(login.tokens.access == login.tokens.accessToken)
            #expect(login.tokens.refresh == login.tokens.refreshToken)
            let refreshed = try await stack.gateway.post(
                "/auth/refresh", encoding: RefreshBody(refreshToken: login.tokens.refresh))
            #expect(refreshed.status == 200)
            let me = try await stack.gateway.get("/users/me", bearer: login.tokens.access)
            #expect(try me.decoded(UserProfile.self).id == login.user.id)
        }

        /// Requests for `resolve` that user-service has answered.
        private func resolveCount() async throws -> Double {
            try await stack.operations("user").get("/metrics").text.split(whereSeparator: \.isNewline)
                .filter { $0.hasPrefix("http_server_request_duration_seconds_count") && $0.contains("users/resolve") }
                .compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }.reduce(0, +)
        }

        @Test func `a login brings its grant along, and an account that waits for its removal is resolved`()
            async throws
        {
            let user = try await stack.newPasswordUser()
            let before = try await resolveCount()
            let login: LoginReply = try await stack.logIn(user.address, user.password).decoded()
            #expect(try await resolveCount() == before)
            let deleted = try await stack.gateway.send(
                "DELETE", "/auth/account",
                headers: [("Content-Type", "application/json"), ("Authorization", "Bearer \(login.tokens.access)")],
                body: Array(#"{"password":"\#(user.password)"}"#.utf8))
            #expect(deleted.status == 200)
            let back: LoginReply = try await stack.logIn(user.address, user.password).decoded()
            #expect(back.user.id == login.user.id)
            #expect(try await resolveCount() == before + 1)
        }

        @Test func `a login with a key that is repeated has the same answer, with another body it is another login`()
            async throws
        {
            let user = try await stack.newPasswordUser()
            let headers = [("Idempotency-Key", UUID().uuidString), ("Content-Type", "application/json")]
            func logIn(_ password: String) async throws -> HTTPAnswer {
                // To the byte: another order of members is another body.
                let body = #"{"email":"\#(user.address)","password":"\#(password)"}"#
                return try await patiently {
                    try await stack.gateway.send("POST", "/auth/login", headers: headers, body: Array(body.utf8))
                }
            }
            let (first, second) = (try await logIn(user.password), try await logIn(user.password))
            let tokens = [first, second].compactMap { try? $0.decoded(LoginReply.self).tokens.refresh }
            #expect(tokens.count == 2 && tokens[0] == tokens[1])
            #expect(try await logIn("another long password").status == 401)
        }

        @Test func `nobody learns who has an account, by registering, by asking for mails or by logging in`()
            async throws
        {
            let known = try await stack.newPasswordUser()
            let unknown = LatchkeyStack.freshAddress()
            func expectAlike(_ ask: (String) async throws -> HTTPAnswer) async throws {
                let (one, other) = (try await ask(known.address), try await ask(unknown))
                #expect(one.status == other.status && one.body == other.body, "\(one.text) \(other.text)")
            }
            try await expectAlike { try await stack.logIn($0, "another long password") }
            try await expectAlike(forgot)
            try await expectAlike {
                try await stack.gateway.post("/auth/verify-email/resend", encoding: AccountMailBody(email: $0))
            }
            try await expectAlike { try await stack.register($0) }
            // The owner is notified by mail, and nothing about the account has changed.
            try await eventually("the owner is told") {
                try await stack.messages(to: known.address).contains { $0.link == nil && $0.text.contains("account") }
            }
            #expect(try await stack.logIn(known.address).status == 200)
        }

        @Test func `a page confirms at the word of the password alone, however often it is opened`() async throws {
            let address = LatchkeyStack.freshAddress()
            _ = try await stack.register(address)
            let link = try await stack.mailedLink(to: address, at: "/auth/verify-email")
            for _ in 0..<20 {
                let page = try await stack.gateway.get("\(link.path)?token=\(link.token)")
                #expect(page.status == 200 && page.text.contains("<form method=\"post\" action=\"verify-email\">"))
                #expect(page.headers["content-security-policy"]?.contains("form-action 'self'") == true)
                #expect(!page.text.contains("<script"))
                #expect(try await stack.gateway.send("HEAD", "\(link.path)?token=\(link.token)").status == 200)
            }
            #expect(try await stack.logIn(address).status == 401)
            let wrong = try await form(link.path, "token=\(link.token)&password=another+long+password")
            #expect(wrong.status == 400 && wrong.headers["content-type"]?.hasPrefix("text/html") == true)
            #expect(wrong.text.contains("role=\"alert\"") && wrong.text.contains(link.token))
            let password = LatchkeyStack.freshPassword.replacing(" ", with: "+")
            let right = try await form(link.path, "token=\(link.token)&password=\(password)")
            #expect(right.status == 200 && right.headers["content-type"]?.hasPrefix("text/html") == true)
            #expect(!right.text.contains("<form"))
            #expect(try await stack.logIn(address).status == 200)
        }

        @Test(arguments: ["page", "app"])
        func `a victim who opens a stranger's registration makes the stranger no account`(_ way: String) async throws {
            let victim = LatchkeyStack.freshAddress()
            let (strangers, own) = ("the stranger's password", "the victim's own password")
            _ = try await stack.register(victim, password: strangers)
            let foreign = try await stack.mailedLink(to: victim, at: "/auth/verify-email")
            #expect(try await stack.gateway.get("\(foreign.path)?token=\(foreign.token)").status == 200)
            func open(_ link: LatchkeyStack.MailedLink, _ password: String) async throws -> HTTPAnswer {
                if way == "app" {
                    return try await stack.gateway.post(
                        link.path, encoding: AccountLinkBody(token: link.token, password: password))
                }
                let typed = password.replacing("'", with: "%27").replacing(" ", with: "+")
                return try await form(link.path, "token=\(link.token)&password=\(typed)")
            }
            #expect(try await open(foreign, own).status == 400)
            _ = try await stack.register(victim, password: own)
            let mine = try await stack.mailedLink(to: victim, at: "/auth/verify-email", after: [foreign.token])
            #expect(try await open(mine, own).status == 200)
            #expect(try await stack.logIn(victim, strangers).status == 401)
            // The victim's proof has voided the attacker's registration.
            #expect(try await open(foreign, strangers).status == 400)
            #expect(try await stack.logIn(victim, strangers).status == 401)
            #expect(try await stack.logIn(victim, own).status == 200)
        }

        @Test func `a reset ends every session and the old password, and fifty uses of its link have one effect`()
            async throws
        {
            let user = try await stack.newPasswordUser()
            #expect(try await forgot(user.address).status == 200)
            let link = try await stack.mailedLink(to: user.address, at: "/auth/reset-password")
            let weak = try await stack.gateway.post(
                link.path, encoding: AccountLinkBody(token: link.token, password: "password"))
            #expect(weak.status == 400 && weak.text.contains("weak_password"))
            let answers = try await inParallel(50, lanes: 50) { number in
                let body = AccountLinkBody(token: link.token, password: "the new password \(number)")
                let answer = try await stack.gateway.post(link.path, encoding: body)
                return (number, answer.status)
            }
            let used = answers.filter { $0.1 == 200 }.map(\.0)
            #expect(used.count == 1, "\(answers)")
            #expect(answers.allSatisfy { [200, 400, 429, 503].contains($0.1) })
            #expect(try await stack.logIn(user.address, user.password).status == 401)
            #expect(try await stack.logIn(user.address, "the new password \(used.first ?? 0)").status == 200)
            let old = try await stack.gateway.post(
                "/auth/refresh", encoding: RefreshBody(refreshToken: user.signIn.tokens.refresh))
            #expect(old.status == 401)
            try await eventually("he is told") {
                try await stack.messages(to: user.address).contains {
                    $0.subject?.contains("password was changed") == true
                }
            }
        }

        @Test func `a change needs the old password, is no reason to refresh, and signs out everywhere`() async throws {
            let user = try await stack.newPasswordUser()
            let other: LoginReply = try await stack.logIn(user.address).decoded()
            let bearer = [("Authorization", "Bearer \(user.signIn.tokens.access)")]
            func change(_ old: String, _ new: String) async throws -> HTTPAnswer {
                try await stack.gateway.post(
                    "/auth/change-password", encoding: ChangePasswordBody(oldPassword: old, newPassword: new),
                    headers: bearer)
            }
            let wrong = try await change("another long password", "the next password")
            #expect(wrong.status == 400 && wrong.text.contains("wrong_password"))
            #expect(try await change(user.password, user.address).text.contains("weak_password"))
            #expect(try await change(user.password, "the next password").status == 200)
            #expect(try await stack.gateway.get("/users/me", bearer: other.tokens.access).status == 401)
            for tokens in [other.tokens, user.signIn.tokens] {
                let refreshed = try await stack.gateway.post(
                    "/auth/refresh", encoding: RefreshBody(refreshToken: tokens.refresh))
                #expect(refreshed.status == 401)
            }
            #expect(try await stack.logIn(user.address, user.password).status == 401)
            #expect(try await stack.logIn(user.address, "the next password").status == 200)
        }

        @Test(arguments: ["change", "reset"])
        func `amid refreshes and logins with the old password nothing lives after the answer but what is new`(
            _ way: String
        ) async throws {
            let user = try await stack.newPasswordUser()
            let count = LongRun.isOn ? 50 : 8
            let sessions = try await inParallel(count, lanes: 4) { _ in
                try await stack.logIn(user.address).decoded(LoginReply.self).tokens
            }
            let renew = try await renewal(way, of: user)
            async let logins = inParallel(count, lanes: count) { number in
                // Each from a network of its own, so that no wait stands in for a refusal.
                try await stack.gateway.post(
                    "/auth/login", encoding: LoginBody(email: user.address, password: user.password),
                    headers: [("X-Forwarded-For", "100.\(way == "reset" ? 90 : 91).\(number).7")])
            }
            async let refreshes = inParallel(count, lanes: count) { number in
                try await stack.gateway.post(
                    "/auth/refresh", encoding: RefreshBody(refreshToken: sessions[number].refresh))
            }
            async let calls = inParallel(count, lanes: count) { number in
                try await stack.gateway.get("/users/me", bearer: sessions[number].access).status
            }
            let renewed = try await patiently { try await renew() }
            #expect(renewed.status == 200, "\(renewed.text)")
            var living = sessions.map { ($0.access, $0.refresh) }
            for answer in try await logins where answer.status == 200 {
                let tokens = try answer.decoded(LoginReply.self).tokens
                living.append((tokens.access, tokens.refresh))
            }
            for answer in try await refreshes where answer.status == 200 {
                let tokens = try answer.decoded(TokenReply.self)
                living.append((tokens.accessToken, tokens.refreshToken))
            }
            _ = try await calls
            for (access, refresh) in living {
                #expect(try await stack.gateway.get("/users/me", bearer: access).status == 401)
                let again = try await stack.gateway.post("/auth/refresh", encoding: RefreshBody(refreshToken: refresh))
                #expect(again.status == 401)
            }
            let last = try await stack.logIn(user.address, "the next password")
            #expect(last.status == 200, "\(last.status) \(last.text)")
        }

        /// Runs a renewal of the password up to its last step.
        private func renewal(
            _ way: String, of user: PasswordUser
        ) async throws -> @Sendable () async throws -> HTTPAnswer {
            if way == "change" {
                let body = ChangePasswordBody(oldPassword: user.password, newPassword: "the next password")
                return {
                    try await stack.gateway.post(
                        "/auth/change-password", encoding: body,
                        headers: [("Authorization", "Bearer \(user.signIn.tokens.access)")])
                }
            }
            _ = try await forgot(user.address)
            let link = try await stack.mailedLink(to: user.address, at: "/auth/reset-password")
            let body = AccountLinkBody(token: link.token, password: "the next password")
            return { try await stack.gateway.post(link.path, encoding: body) }
        }

        @Test func `a password manager is led to the page, which names the account to the holder of a link alone`()
            async throws
        {
            // One that follows no redirects.
            let known = try await stack.gateway.withConnections(1) { try await $0.get("/.well-known/change-password") }
            #expect(known.status == 302 && known.headers["location"] == "../auth/reset-password")
            let user = try await stack.newPasswordUser()
            _ = try await forgot(user.address)
            let link = try await stack.mailedLink(to: user.address, at: "/auth/reset-password")
            let field = "name=\"username\" value=\"\(user.address)\" autocomplete=\"username\""
            func page(_ token: String) async throws -> HTTPAnswer {
                try await stack.gateway.get("\(link.path)?token=\(token)")
            }
            for _ in 0..<2 { #expect(try await page(link.token).text.contains(field)) }
            let foreign = try await page(String(repeating: "A", count: link.token.count))
            #expect(foreign.status == 200 && !foreign.text.contains("value=\"\(user.address)"))
            // Still there when another password has to be chosen, and gone once the link is used.
            let weak = try await form(link.path, "token=\(link.token)&username=someone&password=password")
            #expect(weak.status == 400 && weak.text.contains(field))
            #expect(try await form(link.path, "token=\(link.token)&password=the+page%27s+password").status == 200)
            #expect(try await !page(link.token).text.contains(user.address))
        }

        @Test func `two clicks on one form are told that it is done, another password is not`() async throws {
            let user = try await stack.newPasswordUser()
            _ = try await forgot(user.address)
            let link = try await stack.mailedLink(to: user.address, at: "/auth/reset-password")
            func click(_ password: String) async throws -> HTTPAnswer {
                try await stack.gateway.send(
                    "POST", link.path, headers: [("Content-Type", "application/x-www-form-urlencoded")],
                    body: Array("token=\(link.token)&username=&password=\(password)".utf8))
            }
            async let first = click("the+form+password")
            async let second = click("the+form+password")
            let answers = [try await first, try await second, try await click("the+form+password")]
            #expect(answers.allSatisfy { $0.status == 200 && $0.text.contains("Your password is set") }, "\(answers)")
            #expect(try await click("another+password").status == 400)
            #expect(try await stack.logIn(user.address, "the form password").status == 200)
        }

        @Test func `an account is given up at the word of its password`() async throws {
            let user = try await stack.newPasswordUser()
            func delete(_ password: String) async throws -> HTTPAnswer {
                try await stack.gateway.send(
                    "DELETE", "/auth/account",
                    headers: [
                        ("Authorization", "Bearer \(user.signIn.tokens.access)"), ("Content-Type", "application/json"),
                    ], body: Array(try JSONEncoder().encode(PasswordBody(password: password))))
            }
            #expect(try await delete("another long password").status == 400)
            #expect(try await delete(user.password).status == 200)
            #expect(try await stack.gateway.get("/users/me", bearer: user.signIn.tokens.access).status == 401)
        }

        @Test func `who has no password is told so, and a reset gives him one`() async throws {
            let mail = try await stack.askForMail()
            let signIn: SignInReply = try await stack.gateway.post("/auth/magic-link/verify", encoding: mail.byLink)
                .decoded()
            let body = ChangePasswordBody(oldPassword: "whatever it was", newPassword: "the first password")
            let change = try await stack.gateway.post(
                "/auth/change-password", encoding: body,
                headers: [("Authorization", "Bearer \(signIn.tokens.accessToken)")])
            #expect(change.status == 409 && change.text.contains("no_password"))
            _ = try await forgot(mail.address)
            let link = try await stack.mailedLink(to: mail.address, at: "/auth/reset-password")
            let set = AccountLinkBody(token: link.token, password: "the first password")
            #expect(try await stack.gateway.post(link.path, encoding: set).status == 200)
            let login: LoginReply = try await stack.logIn(mail.address, "the first password").decoded()
            #expect(login.user.id == signIn.user.id)
        }
    }

    /// A change that spares the session that asks for it.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack(["LATCHKEY_POLICY": PasswordPolicyFile.sparing]))
    struct SparingPasswordChangeTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        @Test func `the session that asks goes on amid refreshes, all others end`() async throws {
            let user = try await stack.newPasswordUser()
            let others = try await inParallel(LongRun.isOn ? 50 : 8, lanes: 4) { _ in
                try await stack.logIn(user.address).decoded(LoginReply.self).tokens
            }
            let own = user.signIn.tokens
            async let refreshes = inParallel(others.count, lanes: others.count) { number in
                let answer = try await stack.gateway.post(
                    "/auth/refresh", encoding: RefreshBody(refreshToken: others[number].refresh))
                return answer.status == 200 ? try answer.decoded(TokenReply.self) : nil
            }
            let change = try await stack.gateway.post(
                "/auth/change-password",
                encoding: ChangePasswordBody(oldPassword: user.password, newPassword: "the next password"),
                headers: [("Authorization", "Bearer \(own.access)")])
            #expect(change.status == 200, "\(change.text)")
            for tokens in try await refreshes.compactMap({ $0 }) {
                #expect(try await stack.gateway.get("/users/me", bearer: tokens.accessToken).status == 401)
                let again = try await stack.gateway.post(
                    "/auth/refresh", encoding: RefreshBody(refreshToken: tokens.refreshToken))
                #expect(again.status == 401)
            }
            #expect(try await stack.gateway.get("/users/me", bearer: own.access).status == 200)
            let next = try await stack.gateway.post("/auth/refresh", encoding: RefreshBody(refreshToken: own.refresh))
            #expect(next.status == 200)
            #expect(try await stack.logIn(user.address, user.password).status == 401)
        }
    }

    /// An app for which one has to be invited.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack(["LATCHKEY_POLICY": PasswordPolicyFile.closed]))
    struct ClosedRegistrationTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        @Test func `strangers cannot register, and get no code, though the answer is as ever`() async throws {
            let address = LatchkeyStack.freshAddress()
            let registered = try await stack.register(address)
            #expect(registered.status == 403 && registered.text.contains("registration_closed"))
            let phone = LatchkeyStack.freshPhone()
            try await stack.requestCode(for: phone)
            let mail = try await stack.askForMail(to: address)
            let refused = try await stack.gateway.post("/auth/magic-link/verify", encoding: mail.byLink)
            #expect(refused.status == 403 && refused.text.contains("not_invited"))
            #expect(try await stack.messages(to: phone).isEmpty)
        }

        @Test func `whoever is invited by address sets a password and has the role, once`() async throws {
            let address = LatchkeyStack.freshAddress()
            let invited = try await stack.control("users invite \(address) --role editor")
            #expect(invited.isSuccess && invited.output.contains("a mail has been queued"), "\(invited)")
            let link = try await stack.mailedLink(to: address, at: "/auth/reset-password")
            let page = try await stack.gateway.get("\(link.path)?token=\(link.token)")
            #expect(page.text.contains("action=\"reset-password\""))
            let body = AccountLinkBody(token: link.token, password: LatchkeyStack.freshPassword)
            #expect(try await stack.gateway.post(link.path, encoding: body).status == 200)
            #expect(try await stack.gateway.post(link.path, encoding: body).status == 400)
            let login: LoginReply = try await stack.logIn(address).decoded()
            #expect(login.user.role == "editor" && login.user.email == address)
        }

        @Test func `whoever is invited by number gets a code`() async throws {
            let phone = LatchkeyStack.freshPhone()
            #expect(try await stack.control("users invite \(phone)").isSuccess)
            #expect(try await stack.signIn(phone: phone).isNewUser)
        }

        @Test func `the operator's first administrator logs in`() async throws {
            let address = LatchkeyStack.freshAddress()
            let file = stack.dataDirectory + "/password"
            try Data("\(LatchkeyStack.freshPassword)\n".utf8).write(to: URL(filePath: file))
            let made = try await stack.control("users create-admin \(address) < '\(file)'")
            #expect(made.isSuccess, "\(made)")
            let login: LoginReply = try await stack.logIn(address).decoded()
            #expect(login.user.role == "admin")
        }
    }
}
