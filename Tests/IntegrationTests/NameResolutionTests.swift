import AuthAPI
import TestSupport
import Testing

extension Live {
    /// Names of hosts that are gone, whose DNS never replies: no process waits for them.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack()) struct NameResolutionTests {
        private static let recovery: Duration = .seconds(30)

        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        /// Runs `body` with processes to which one Sentinel and one replica of each service have names that hang.
        private func withHangingNames(
            _ body: (TwinServices, RedisGroup, ShiftedNames) async throws -> Void
        ) async throws {
            let names = try await ShiftedNames(["sentinel.test": "hang", "gone.test": "hang"])
            try await RedisGroup.with(users: try TwinServices.accounts(of: stack)) { group in
                let ports = group.sentinels.map(\.port)
                let url =
                    "redis+sentinel://sentinel.test:\(ports[0]),127.0.0.1:\(ports[1]),127.0.0.1:\(ports[2])/"
                    + RedisGroup.name
                try await TwinServices.loadFunctions(into: group.url, of: stack)
                let settings = names.environment.merging(["REDIS_URL": url]) { $1 }
                func own(_: String) -> [String: String] { settings }
                func listed(_ url: String) -> String { "http://gone.test:1,\(url)" }
                try await TwinServices.run(in: stack, settings: own, url: listed) { try await body($0, group, names) }
            }
            try names.remove()
        }

        @Test func `users sign in, and Redis fails over, while names of hosts that are gone are never resolved`()
            async throws
        {
            try await withHangingNames { services, group, names in
                let session = try await services.stack.signIn().tokens
                #expect(await services.call(session.accessToken) == 200)

                try await group.first.kill()
                try await eventually("the session is let in again", within: Self.recovery) {
                    await services.call(session.accessToken) == 200
                }
                for name in ["otp", "token", "user", "gateway"] {
                    try await eventually("\(name) is ready again", within: Self.recovery) {
                        await services.isReady(name)
                    }
                }
                _ = try await services.stack.signIn()

                // With one Sentinel less it is that one's name that counts.
                try group.sentinels[1].freeze()
                try await eventually("no majority", within: Self.recovery) {
                    await services.call(session.accessToken) == 503
                }
                try names.set(["sentinel.test": "127.0.0.1", "gone.test": "none"])
                try await eventually("the name is resolved again", within: Self.recovery) {
                    await services.call(session.accessToken) == 200
                }
                try group.sentinels[1].thaw()
            }
        }

        @Test
        func `each process names the node that refuses its account, serves nevertheless, and forgets it once repaired`()
            async throws
        {
            try await withHangingNames { services, group, _ in
                let peer = ["--user", "peer", "--pass", "peer"]
                let accounts = ["otp", "token", "user", "gateway"]
                try await group.second.command(peer + ["ACL", "DELUSER"] + accounts)
                for name in accounts {
                    try await eventually("\(name) names the node", within: Self.recovery) {
                        try await services.readiness(name).contains(
                            "caution: redis nodes (redis://127.0.0.1:\(group.second.port) refuses this account: WRONGPASS"
                        )
                    }
                    #expect(await services.isReady(name))
                }
                _ = try await services.stack.signIn()
                try await group.second.command(peer + ["ACL", "LOAD"])
                for name in accounts {
                    try await eventually("\(name) has no caution", within: Self.recovery) {
                        try await services.readiness(name) == "ready\n"
                    }
                }
            }
        }

        @Test func `user-service follows a name to another address`() async throws {
            let names = try await ShiftedNames(["service.test": "127.0.0.1"])
            func settings(of _: String) -> [String: String] { names.environment }
            func named(_ url: String) -> String { url.replacing("127.0.0.1", with: "service.test") }
            try await TwinServices.run(in: stack, settings: settings, url: named) { services in
                _ = try await services.stack.signIn()
                // Nothing listens there: kept connections to the former address are not used any longer.
                try names.set(["service.test": "127.0.0.9"])
                try await Task.sleep(for: .seconds(6))
                await #expect(throws: UnexpectedAnswer.self) { _ = try await services.stack.signIn() }
                try names.set(["service.test": "127.0.0.1"])
                try await eventually("sign-ins work again", within: .seconds(10)) {
                    do {
                        _ = try await services.stack.signIn()
                        return true
                    } catch is UnexpectedAnswer { return false }
                }
            }
            try names.remove()
        }
    }
}
