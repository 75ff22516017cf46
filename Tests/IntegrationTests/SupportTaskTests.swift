import AuthAPI
import Foundation
import TestSupport
import Testing

/// The tasks of support.md, each from its command to what the user sees.
extension Live.SupportTests {
    private func shown(_ user: String) async throws -> String { try await control("users find \(user)").output }

    private func refreshed(_ tokens: TokenReply) async throws -> HTTPAnswer {
        try await stack.gateway.post("/auth/refresh", encoding: RefreshBody(refreshToken: tokens.refreshToken))
    }

    @Test func `a user who is deleted now is removed within seconds, and their number makes another one`() async throws
    {
        let phone = LatchkeyStack.freshPhone()
        let signIn = try await stack.signIn(phone: phone)
        let deleted = try await control("users delete \(signIn.user.id) --now")
        #expect(deleted.isSuccess && deleted.output.contains("removal within seconds"), "\(deleted.output)")
        #expect(try await refreshed(signIn.tokens).status == 401)
        try await eventually("the user is removed") {
            try await control("users removed").output.contains(signIn.user.id)
        }
        #expect(try await !control("users find \(signIn.user.id)").isSuccess)
        #expect(try await !control("users restore \(signIn.user.id)").isSuccess)
        #expect(try await stack.signIn(phone: phone).user.id != signIn.user.id)
    }

    @Test func `a country's numbers change once, however often the command runs, and no session ends`() async throws {
        let (old, new) = (LatchkeyStack.freshPhone(), LatchkeyStack.freshPhone())
        let signIn = try await stack.signIn(phone: old)
        let command = "users renumber --from '\(old)' --to '\(new)'"
        for (more, summary) in [
            (" --dry-run", "1 would be renamed, 0 taken"), ("", "1 renamed, 0 taken"), ("", "0 renamed, 0 taken"),
        ] {
            let outcome = try await control(command + more)
            #expect(outcome.isSuccess && outcome.output.contains(summary), "\(outcome.output)")
            #expect(try await shown(signIn.user.id).contains(more.isEmpty ? new : old))
        }
        #expect(try await refreshed(signIn.tokens).status == 200)
        #expect(try await stack.signIn(phone: new).user.id == signIn.user.id)
        #expect(try await stack.signIn(phone: old).user.id != signIn.user.id)
    }

    @Test func `another number ends all sessions, and the old one opens the account no more`() async throws {
        let (old, new) = (LatchkeyStack.freshPhone(), LatchkeyStack.freshPhone())
        let signIn = try await stack.signIn(phone: old)
        let changed = try await control("users change \(signIn.user.id) --phone '\(new)'")
        #expect(changed.isSuccess && changed.output.contains("signed out everywhere"), "\(changed.output)")
        #expect(try await refreshed(signIn.tokens).status == 401)
        #expect(try await stack.signIn(phone: new).user.id == signIn.user.id)
        #expect(try await stack.signIn(phone: old).user.id != signIn.user.id)
        let again = try await control("users change \(signIn.user.id) --phone '\(new)'; echo exit=$?")
        #expect(again.output == "nothing changed: \(signIn.user.id)\nexit=1\n", "\(again.output)")
    }

    @Test func `the number of an account that waits for its deletion is taken, and the sessions may stay`() async throws
    {
        let (phone, other) = (LatchkeyStack.freshPhone(), LatchkeyStack.freshPhone())
        let (user, leaving) = (try await stack.signIn(phone: phone), try await stack.signIn(phone: other))
        let command = "users change \(user.user.id) --phone '\(other)' --keep-sessions"
        let refused = try await control(command)
        #expect(!refused.isSuccess && refused.output.contains(leaving.user.id), "\(refused.output)")
        #expect(try await control("users delete \(leaving.user.id)").isSuccess)
        let changed = try await control(command)
        #expect(changed.isSuccess && changed.output.contains("was that of \(leaving.user.id)"), "\(changed.output)")
        #expect(!changed.output.contains("signed out"), "\(changed.output)")
        let waiting = try await shown(leaving.user.id)
        #expect(!waiting.contains(other) && waiting.contains(/deletion due: +20/), "\(waiting)")
        let refreshed: TokenReply = try await refreshed(user.tokens).decoded()
        let profile = try await stack.gateway.get("/users/me", bearer: refreshed.accessToken)
        #expect(profile.status == 200 && profile.text.contains(other), "\(profile.text)")
        #expect(try await stack.signIn(phone: other).user.id == user.user.id)
    }

    @Test func `an unlocked number gets a new code, and the guesses at the old one still count`() async throws {
        let phone = LatchkeyStack.freshPhone()
        let user = try await stack.signIn(phone: phone).user
        try await stack.requestCode(for: phone)
        let code = try await stack.code(for: phone)
        func guess(_ code: String) async throws -> Int {
            try await stack.gateway.post(
                "/auth/otp/verify", encoding: OTPVerifyBody(phoneNumber: phone, countryCode: "US", code: code)
            ).status
        }
        for _ in 0..<5 { _ = try await guess(code == "000000" ? "000001" : "000000") }
        #expect(try await guess(code) == 429)
        let unlocked = try await control("otp unlock '\(phone)'")
        #expect(unlocked.isSuccess && unlocked.output.contains("unlocked"), "\(unlocked.output)")
        #expect(try await guess(code) != 200)
        #expect(try await stack.signIn(phone: phone).user.id == user.id)
        _ = try await control("otp unlock '\(phone)'")
        let idle = try await control("otp unlock '\(phone)'; echo exit=$?")
        #expect(idle.output == "nothing counts against this phone number\nexit=1\n", "\(idle.output)")
    }

    @Test func `users are counted as they are`() async throws {
        func count(_ row: String) async throws -> Int {
            let lines = try await control("users count").output.split(separator: "\n")
            let line = try #require(lines.first { $0.hasPrefix(row) })
            return try #require(line.split(separator: " ").last.flatMap { Int($0) })
        }
        let before = try await count("deactivated:")
        let (first, second) = (try await stack.signIn().user, try await stack.signIn().user)
        #expect(try await count("users:") >= 2)
        #expect(try await control("users change \(first.id) --active false").isSuccess)
        #expect(try await control("users delete \(second.id)").isSuccess)
        #expect(try await count("deactivated:") == before + 1)
        #expect(try await count("waiting for deletion:") >= 1)
        #expect(try await control("users count --json").output.contains(#""inactive":\#(before + 1)"#))
    }

    @Test func `a name is set and removed, and a second time changes nothing`() async throws {
        let signIn = try await stack.signIn(name: "Betty")
        for (name, code) in [("Bettina", 0), ("Bettina", 1), ("", 0), ("", 1)] {
            let outcome = try await control("users change \(signIn.user.id) --name '\(name)'; echo exit=$?")
            #expect(outcome.output.hasSuffix("exit=\(code)\n"), "\(outcome.output)")
            #expect(try await shown(signIn.user.id).contains("Bettina") == !name.isEmpty)
        }
        #expect(try await refreshed(signIn.tokens).status == 200)
    }

    @Test func `an address is the user's once the button of the mailed link is pressed`() async throws {
        let (signIn, address) = (try await stack.signIn(), LatchkeyStack.freshAddress())
        let command = "users change \(signIn.user.id) --email '\(address)'"
        let changed = try await control(command)
        #expect(changed.isSuccess && changed.output.contains("a link was mailed to \(address)"), "\(changed.output)")
        #expect(try await !shown(signIn.user.id).contains(address))
        let first = try await stack.mailedLink(to: address, at: "/auth/confirm-address")
        #expect(try await control(command).isSuccess)
        let link = try await stack.mailedLink(to: address, at: "/auth/confirm-address", after: [first.token])
        let page = try await stack.gateway.get("\(link.path)?token=\(link.token)")
        #expect(page.status == 200 && page.text.contains("<button>"), "\(page.text)")
        #expect(try await !shown(signIn.user.id).contains(address), "opening the page verifies nothing")
        func press(_ token: String) async throws -> HTTPAnswer {
            try await stack.gateway.send(
                "POST", link.path, headers: [("Content-Type", "application/x-www-form-urlencoded")],
                body: Array("token=\(token)".utf8))
        }
        #expect(try await press(first.token).status == 400)
        let done = try await press(link.token)
        #expect(done.status == 200 && done.text.contains("confirmed"), "\(done.text)")
        #expect(try await shown(signIn.user.id).contains(address))
        #expect(try await refreshed(signIn.tokens).status == 200)
        let mail = try await stack.askForMail(to: address)
        let byMail = try await stack.gateway.post("/auth/magic-link/verify", encoding: mail.byCode)
        #expect(try byMail.decoded(SignInReply.self).user.id == signIn.user.id)
        let again = try await control(command + "; echo exit=$?")
        #expect(again.output == "nothing changed: \(signIn.user.id)\nexit=1\n", "\(again.output)")
        let other = try await stack.signIn().user
        let taken = try await control("users change \(other.id) --email '\(address)'")
        #expect(!taken.isSuccess && taken.output.contains(signIn.user.id), "\(taken.output)")
        let audit = try await control("audit list --user \(signIn.user.id)").output
        #expect(audit.contains("user.address_verified") && audit.contains("user.rights_changed"), "\(audit)")
    }
}
