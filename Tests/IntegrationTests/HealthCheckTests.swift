import FoundationEssentials
import Glibc
import TestSupport
import Testing

extension Live {
    /// The path that load balancers ask, at both ports.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack(["LATCHKEY_TLS_PORT": "0"])) struct HealthCheckTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        /// Asks over one connection until the response is another than 200, and returns it.
        private func lastAnswer(_ client: TestHTTPClient) async throws -> HTTPAnswer {
            var answer = try await client.get("/healthz")
            try await eventually("the gateway drains", every: .milliseconds(10)) {
                if answer.status == 200 { answer = try await client.get("/healthz") }
                return answer.status != 200
            }
            return answer
        }

        @Test func `while the gateway drains its kept connections are told 503, and closed`() async throws {
            let secure = TestHTTPClient(base: try #require(stack.tls))
            try await stack.gateway.withConnections(1) { plain in
                try await secure.withConnections(1, trusting: stack.authority) { secure in
                    for client in [plain, secure] { #expect(try await client.get("/healthz").status == 200) }
                    async let overPlain = lastAnswer(plain)
                    async let overTLS = lastAnswer(secure)
                    try stack.signal("gateway", SIGTERM)
                    for answer in [try await overPlain, try await overTLS] {
                        #expect(answer.status == 503 && answer.headers["connection"] == "close", "\(answer.text)")
                    }
                }
            }
            try await stack.untilReady()
        }

        @Test func `the operations port listens at each address of a list, also at those of a block`() async throws {
            let (first, second) = (try await FreePort.find(), try await FreePort.find())
            let settings = [
                "LATCHKEY_OPS_LISTEN": "127.0.0.1:\(first), 127.0.0.0/8:\(second)", "LATCHKEY_TLS_LISTEN": "",
            ]
            try await ProcessTwin(of: "gateway", in: stack).run(settings: settings) { gateway in
                for port in [first, second] {
                    let operations = TestHTTPClient(base: "http://127.0.0.1:\(port)")
                    try await eventually("it is ready at \(port)") {
                        (try? await operations.get("/readyz").status) == 200
                    }
                }
                #expect(try await gateway.listeningPorts().isSuperset(of: [first, second]))
            }
        }

        @Test func `a proxy that is not trusted is told once`() async throws {
            let settings = ["LATCHKEY_TLS_LISTEN": ""]
            try await ProcessTwin(of: "gateway", in: stack).run(settings: settings) { gateway in
                try await eventually("it is ready") { (try? await gateway.operations.get("/readyz").status) == 200 }
                try await gateway.service.withConnections(1) { client in
                    for _ in 0..<300 {
                        _ = try await client.send("GET", "/healthz", headers: [("X-Forwarded-For", "203.0.113.7")])
                    }
                }
                try await gateway.log.waitForLine(with: "edge.untrusted_proxy", "127.0.0.1", "trustedProxies")
                #expect(gateway.log.lines.count { $0.contains("edge.untrusted_proxy") } == 1)
                let metrics = try await gateway.operations.get("/metrics").text
                #expect(metrics.contains("\nedge_untrusted_proxy 1\n"))
            }
        }

        @Test func `the gateway is not ready without its functions in Redis`() async throws {
            let operations = try stack.operations("gateway")
            #expect(try await operations.get("/readyz").status == 200)
            let password = try String(contentsOfFile: stack.dataDirectory + "/secrets/redis_functions", encoding: .utf8)
            let port = try String(contentsOfFile: stack.dataDirectory + "/run/redis.port", encoding: .utf8)
            let redis = "redis-cli -p \(port.filter(\.isNumber)) --user functions FUNCTION"
            let outcome = try await Shell.run(
                "\(redis) DELETE $(\(redis) LIST LIBRARYNAME 'latchkey_gateway_*' | grep -m1 '^latchkey_gateway_')",
                in: "/",
                environment: ["REDISCLI_AUTH": password.filter { !$0.isNewline }])
            #expect(outcome.output.contains("OK"), "\(outcome.output)")
            let answer = try await operations.get("/readyz")
            #expect(answer.status == 503 && answer.text.contains("redis functions"), "\(answer.text)")
            // The supervisor loads them after each start of Redis.
            try await stack.restart("redis", by: SIGKILL)
            try await eventually("the functions are there again") {
                try await operations.get("/readyz").status == 200
            }
        }
    }
}
