import AuthAPI
import Foundation
import Glibc
import InternalAPI
import ServiceCalls
import TestSupport
import Testing

extension Faults {
    /// Wall clocks of real processes are set, forwards and back, by seconds and by years: calls work again within five seconds, or the
    /// process whose clock differs is not ready and says by how much.
    @Suite(.serialized, .timeLimit(.minutes(60))) struct ClockRounds {
        /// The clocks that are set together, and by how much.
        struct Step: Sendable, CustomTestStringConvertible {
            let names: [String]
            let seconds: Int

            var testDescription: String { "\(names.joined(separator: "+")) \(seconds)" }
            /// Whether all services still agree, so that their calls must work.
            var leavesAgreement: Bool { Set(StackClocks.services).isSubset(of: names) }

            static let year = 365 * 86_400
            static let short = [
                Step(names: ["token"], seconds: -600), Step(names: StackClocks.services, seconds: -600),
                Step(names: StackClocks.services, seconds: 2 * year),
            ]
            static let all = [
                ["gateway"], ["otp"], ["token"], ["user"], StackClocks.services,
            ].flatMap { names in
                [20, 600, 86_400, 3 * year].flatMap {
                    [Step(names: names, seconds: $0), Step(names: names, seconds: -$0)]
                }
            }
        }

        private static let limit = Duration.seconds(5)

        @Test func `a clock that is set stops no call for longer than five seconds, or is named`() async throws {
            let run = FaultRun("clocks", shortRounds: 1)
            let clocks = try await StackClocks()
            try await LatchkeyStack.run(
                name: "clocks", binaries: clocks.binaries
            ) { stack in
                let session = try await stack.signIn()
                for step in FaultRun.isLong ? Step.all : Step.short {
                    try await clocks.set(step.names, to: step.seconds)
                    let result = await result(of: step, stack)
                    run.report("\(step.testDescription): \(result)")
                    #expect(result == (step.leavesAgreement ? "works" : "named"), "\(step.testDescription)")
                    try await clocks.set(step.names, to: 0)
                    try await eventually("calls work after \(step.testDescription)", within: Self.limit) {
                        await works(stack)
                    }
                    try await stack.untilReady()
                }
                // Nothing was removed meanwhile, and the session is as long as it was.
                let answer = try await stack.gateway.post(
                    "/auth/refresh", encoding: RefreshBody(refreshToken: session.tokens.refreshToken))
                #expect(answer.status == 200, "\(answer.text)")
            }
            try clocks.remove()
        }

        @Test func `no assertion from before a restart is accepted when the clock says the same again`() async throws {
            let clocks = try await StackClocks()
            try await LatchkeyStack.run(
                name: "clocks-replay", binaries: clocks.binaries
            ) { stack in
                let path = TokenOperations.revokeUser.path
                let caller = ServiceCaller(stack: stack, caller: .user)
                #expect(try await caller.send("GET", "token", ClockCheck.path).status == 204)
                let body = Array(#"{"userID":"usr_0","epoch":1,"reason":"deleted"}"#.utf8)
                let recorded = AssertionSigner(
                    caller: .user, service: "token", keys: try stack.keyRing("assertion_user_token")
                ).sign(AssertedRequest(method: "POST", path: path, body: body), wait: .seconds(30)).text
                let headers = [(AssertionSigner.header, recorded)]
                func replay() async throws -> Int {
                    let token = try stack.service("token")
                    return try await token.send("POST", path, headers: headers, body: body).status
                }
                #expect(try await replay() != 401)
                try await clocks.set(StackClocks.services, to: -3)
                try await stack.restart("token", by: SIGKILL)
                for _ in 0..<20 {
                    #expect(try await replay() == 401)
                    try await Task.sleep(for: .milliseconds(250))
                }
                // The caller has made itself known to the new process, and so the recorded one is old.
                #expect(try await caller.send("GET", "token", ClockCheck.path).status != 500)
                #expect(try await replay() == 401)
            }
            try clocks.remove()
        }

        @Test func `when the clock of Redis is set, calls go on, and what is revoked stays so`() async throws {
            let clocks = try await StackClocks()
            let clock = try clocks.shifted()
            let environment = try await clocks.addRedis(with: clock)
            try await LatchkeyStack.run(
                name: "clocks-redis", environment: environment, binaries: clocks.binaries
            ) { try await goesOn($0, whileSetting: clock) }
            try clocks.remove()
        }

        @Test func `when the clock of PostgreSQL is set, calls go on, and what is revoked stays so`() async throws {
            let clocks = try await StackClocks()
            let clock = try clocks.shifted()
            try await withPostgreSQLServer(clock: clock) { server in
                try await clock.set(to: Step.year)
                let seconds = try await Int(server.psql("SELECT extract(epoch FROM clock_timestamp())::bigint"))
                #expect(seconds.map { $0 - Int(Date().timeIntervalSince1970) > Step.year - 60 } == true)
                try await clock.set(to: 0)
                try await LatchkeyStack.run(
                    name: "clocks-postgresql", database: StackDatabase(on: server), binaries: clocks.binaries
                ) { try await goesOn($0, whileSetting: clock) }
            }
            try clocks.remove()
        }

        /// Sets the clock of what the services depend on: sessions are as long as they were and can be ended; what was ended stays so.
        private func goesOn(_ stack: LatchkeyStack, whileSetting clock: ShiftedClock) async throws {
            var tokens = try await stack.signIn().tokens
            let early = try await signedOut(stack)
            for seconds in FaultRun.isLong ? Step.all.map(\.seconds) : [600, -600, 2 * Step.year, -2 * Step.year] {
                let between = try await stack.signIn().tokens
                try await clock.set(to: seconds)
                try await eventually("calls work at \(seconds)", within: Self.limit) { await works(stack) }
                for name in StackClocks.services where name != "inbox" {
                    try await eventually("\(name) is ready at \(seconds)", within: Self.limit) {
                        try await stack.operations(name).get("/readyz").status == 200
                    }
                }
                tokens = try await refreshed(tokens, stack)
                try await signOut(between, stack)
                let late = try await signedOut(stack)
                for token in [early, between.accessToken, late] {
                    try await eventually("a revoked token is refused at \(seconds)", within: Self.limit) {
                        try await stack.gateway.get("/api/hello", bearer: token).status == 401
                    }
                }
                try await clock.set(to: 0)
                try await eventually("calls work after \(seconds)", within: Self.limit) { await works(stack) }
            }
            _ = try await refreshed(tokens, stack)
        }

        @Test func `a process that starts with a wrong clock is named until the clock is right`() async throws {
            let clocks = try await StackClocks()
            try await LatchkeyStack.run(name: "clocks-start", binaries: clocks.binaries) { stack in
                for (name, seconds) in [("token", -600), ("user", 600)] {
                    let before = stack.processID(of: name)
                    try await clocks.set([name], to: seconds)
                    try stack.signal(name, SIGKILL)
                    try await eventually("\(name) runs again") {
                        stack.processID(of: name).map { $0 != before } ?? false
                    }
                    let step = Step(names: [name], seconds: seconds)
                    try await eventually("\(name) says by how much its clock differs", within: .seconds(10)) {
                        await isNamed(step, stack)
                    }
                    let isWorking = await works(stack)
                    #expect(!isWorking)
                    try await clocks.set([name], to: 0)
                    try await eventually("calls work again", within: Self.limit) { await works(stack) }
                    try await stack.untilReady()
                }
            }
            try clocks.remove()
        }

        private func refreshed(_ tokens: TokenReply, _ stack: LatchkeyStack) async throws -> TokenReply {
            let answer = try await stack.gateway.post(
                "/auth/refresh", encoding: RefreshBody(refreshToken: tokens.refreshToken))
            try #require(answer.status == 200, "\(answer.text)")
            return try answer.decoded()
        }

        private func signOut(_ tokens: TokenReply, _ stack: LatchkeyStack) async throws {
            let answer = try await stack.gateway.post(
                "/auth/logout", encoding: LogoutBody(refreshToken: tokens.refreshToken))
            #expect([200, 204].contains(answer.status), "\(answer.text)")
        }

        /// Signs a user in and out, and returns the access token.
        private func signedOut(_ stack: LatchkeyStack) async throws -> String {
            let tokens = try await stack.signIn().tokens
            try await signOut(tokens, stack)
            return tokens.accessToken
        }

        /// `works`, `named`, or what is wrong five seconds after the clocks were set.
        private func result(of step: Step, _ stack: LatchkeyStack) async -> String {
            let deadline = ContinuousClock.now + Self.limit
            var last = "nothing"
            repeat {
                if await works(stack) {
                    last = "works"
                    if step.leavesAgreement { return last }
                } else {
                    last = "calls fail, and no process says why"
                }
                if !step.leavesAgreement, await isNamed(step, stack) { return "named" }
                try? await Task.sleep(for: .milliseconds(250))
            } while ContinuousClock.now < deadline
            return last
        }

        /// Whether a user signs in and calls the app's API.
        private func works(_ stack: LatchkeyStack) async -> Bool {
            do {
                let reply = try await stack.signIn()
                return try await stack.gateway.get("/api/hello", bearer: reply.tokens.accessToken).status == 200
            } catch { return false }
        }

        /// Whether every process whose clock was set is not ready, and says by how much.
        private func isNamed(_ step: Step, _ stack: LatchkeyStack) async -> Bool {
            for name in step.names {
                guard let answer = try? await stack.operations(name).get("/readyz"), answer.status == 503 else {
                    return false
                }
                let magnitude = step.seconds.magnitude
                // The others are behind if it was set forwards. Tenths of seconds may differ.
                let side = step.seconds > 0 ? "behind" : "ahead of"
                let words = [magnitude - 1, magnitude, magnitude + 1].flatMap { whole in
                    (0...9).map { "is \(whole).\($0) s \(side) this process's" }
                }
                guard words.contains(where: answer.text.contains) else { return false }
            }
            return true
        }
    }
}
