import RedisClient
import TestSupport
import Testing

extension Faults {
    /// The proxy does what it says, so that tests behind it mean what they say.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct FaultProxyTests {
        @Test func `bytes pass, late when they are to be late`() async throws {
            try await withRedisFixture { fixture async throws in
                #expect(try await fixture.client.send(["ECHO", "a"]).text == "a")
                fixture.proxy.delay(.milliseconds(60))
                let start = ContinuousClock.now
                #expect(try await fixture.client.send(["ECHO", "b"]).text == "b")
                #expect(ContinuousClock.now - start >= .milliseconds(120))
            }
        }

        @Test func `bytes keep their order while the latency goes up and down`() async throws {
            try await withRedisFixture { fixture async throws in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for task in 0..<8 {
                        group.addTask {
                            for number in 0..<100 {
                                if task == 0 { fixture.proxy.delay(.milliseconds(number % 3)) }
                                let value = "\(task)-\(number)"
                                let reply = try await fixture.client.send(["ECHO", RedisArgument(value)])
                                #expect(reply.text == value)
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }

        @Test func `a reset amid a reply loses that reply`() async throws {
            try await withRedisFixture { fixture async throws in
                fixture.proxy.reset(afterReplyBytes: 3)
                let error = await Self.error(of: fixture.client, ["ECHO", "lost"])
                #expect(error?.code == .connectionLost)
                #expect(error?.wasSent == true)
                #expect(fixture.proxy.resetCount == 1)
            }
        }

        @Test func `what is swallowed is not answered, and arrives when it is released`() async throws {
            try await withRedisFixture(timeout: .milliseconds(400)) { fixture async throws in
                fixture.proxy.swallow()
                #expect(await Self.error(of: fixture.client, ["SET", "late", "1"])?.code == .timeout)
                // The client gives up the connection: its bytes arrive all the same, as they would from a network.
                try await Task.sleep(for: .milliseconds(50))
                fixture.proxy.release()
                try await eventually("the command has arrived") {
                    do { return try await fixture.client.send(["GET", "late"]).text == "1" } catch { return false }
                }
            }
        }

        @Test func `a cut and a reset end connections`() async throws {
            try await withRedisFixture { fixture async throws in
                for end in [fixture.proxy.cut, fixture.proxy.reset] {
                    let code = await withTaskGroup(of: RedisError.Code?.self) { group in
                        group.addTask { await Self.firstError(of: fixture.client) }
                        group.addTask {
                            while !Task.isCancelled {
                                end()
                                do { try await Task.sleep(for: .milliseconds(5)) } catch { return nil }
                            }
                            return nil
                        }
                        let first = await group.next() ?? nil
                        group.cancelAll()
                        return first
                    }
                    #expect(code == .connectionLost)
                }
            }
        }

        private static func firstError(of client: RedisClient) async -> RedisError.Code? {
            for _ in 0..<100_000 {
                if let error = await error(of: client, ["ECHO", "a"]) { return error.code }
            }
            return nil
        }

        private static func error(of client: RedisClient, _ command: [RedisArgument]) async -> RedisError? {
            do throws(RedisError) {
                _ = try await client.send(command)
                return nil
            } catch {
                return error
            }
        }
    }
}
