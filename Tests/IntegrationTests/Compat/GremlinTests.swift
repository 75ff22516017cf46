import AuthAPI
import TestSupport
import Testing

extension LatchkeyStack {
    /// Somebody with the role that opens gremlin's list of users.
    func newAdministrator() async throws -> PasswordUser {
        let user = try await newPasswordUser(name: "Ann")
        try await change(user.signIn.user.id, role: "admin")
        return user
    }
}

extension Live.GremlinTests {
    /// The policy `gremlin`.
    @Suite(
        .serialized, .timeLimit(.minutes(10)),
        .stack(["LATCHKEY_POLICY": "gremlin", "LATCHKEY_LOG_LEVEL": "trace"]))
    struct PrintedRequests {
        let stack: LatchkeyStack
        let calls: GremlinCalls

        init() throws {
            stack = try #require(RunningStack.current)
            calls = GremlinCalls(gateway: stack.gateway)
        }

        @Test func `a life in the printed requests has the printed answers`() async throws {
            let (administrator, user) = (
                try await stack.newAdministrator(), try await stack.newPasswordUser(name: "Bo")
            )
            await GremlinLife(calls: calls, administrator: administrator, user: user).run()
        }

        @Test func `who is deactivated is told so everywhere, and may come back`() async throws {
            let user = try await stack.newPasswordUser(name: "Cy")
            let session = try await calls.signIn(user).session
            await show("G13", "G15", "G16") {
                try await stack.change(user.signIn.user.id, isActive: false)
                try await Task.sleep(for: .milliseconds(100))
                let inactive = GremlinCalls.forbidden("ACCOUNT_INACTIVE", isActive: false)
                try inactive.check(try await stack.gateway.get("/api/hello", bearer: session.token))
                try inactive.check(try await calls.users(session.token))
                try inactive.check(try await calls.refresh(session.refreshToken))
                try inactive.check(try await calls.signIn(user.address, user.password))
                try await stack.change(user.signIn.user.id, isActive: true)
                _ = try await calls.signIn(user)
            }
        }

        @Test func `a role that is taken opens nothing any more`() async throws {
            let administrator = try await stack.newAdministrator()
            let session = try await calls.signIn(administrator).session
            await show("G14", "G17") {
                try #require(try await calls.users(session.token).status == 200)
                try await stack.change(administrator.signIn.user.id, role: "user")
                try await Task.sleep(for: .milliseconds(100))
                try #require(try await calls.users(session.token).status == 401)
                let next = try await calls.refreshed(session.refreshToken)
                try GremlinCalls.forbidden("FORBIDDEN", isActive: true).check(try await calls.users(next.token))
            }
        }

        @Test func `no token is in a log`() async throws {
            let session = try await calls.signIn(try await stack.newPasswordUser(name: "Di")).session
            await show("G21") {
                let next = try await calls.refreshed(session.refreshToken)
                try #require(try await stack.gateway.get("/api/hello", bearer: next.token).status == 200)
                try stack.expectNoLog(
                    of: [session.token, session.refreshToken, next.token, next.refreshToken])
            }
        }

        @Test(arguments: PrintedClient.inThisRun)
        func `the printed client does what the document says`(_ client: PrintedClient) async throws {
            let (administrator, user) = (
                try await stack.newAdministrator(), try await stack.newPasswordUser(name: "Bo")
            )
            try await client.program("gremlin", "whole", at: stack.gateway.base, administrator, user).show()
        }
    }

    /// Statements that need time to pass, with a clock that is moved; in the long form only.
    @Suite(.serialized, .enabled(if: LongRun.isOn), .timeLimit(.minutes(5))) struct Waiting {
        @Test(arguments: PrintedClient.allCases)
        func `after an hour the token is refused, and a refresh brings another`(_ client: PrintedClient) async throws {
            try await withClock("gremlin", "expiry-\(client)") { stack, clock in
                let administrator = try await stack.newAdministrator()
                try await client.program("gremlin", "expiry", at: stack.gateway.base, administrator)
                    .show(["COMPAT_CLOCK": clock.file])
            }
        }
    }
}
