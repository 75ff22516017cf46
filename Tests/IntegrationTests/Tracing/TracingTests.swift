import AuthAPI
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import BenchCore

extension Live {
    /// Traces of real processes, as a collector gets them.
    @Suite(.serialized, .timeLimit(.minutes(10))) struct TracingTests {
        private static let all = ["  oneIn: 0": "  oneIn: 1"]
        private static let sampled = (trace: "4bf92f3577b34da6a3ce929d0e0e4736", span: "00f067aa0ba902b7")

        /// Runs a stack that exports its spans to a receiver, which has all of them when this returns.
        private static func run(
            _ name: String, policy: [String: String], environment: [String: String] = [:],
            secrets: [String: String] = [:], _ body: (LatchkeyStack, SpanReceiver) async throws -> Void
        ) async throws -> SpanReceiver {
            let receiver = SpanReceiver()
            let answer: @Sendable (ServedRequest) -> ServedAnswer = { receiver.answer($0) }
            try await LoopbackServer.run(answer: answer) { server in
                let url = "http://127.0.0.1:\(server.port)"
                var variables = environment.mapValues { $0.replacing("$RECEIVER", with: url) }
                variables["OTEL_EXPORTER_OTLP_ENDPOINT"] = url
                try await LatchkeyStack.run(
                    name: "Tracing \(name)", environment: variables, policy: policy, secrets: secrets
                ) { try await body($0, receiver) }
            }
            return receiver
        }

        /// Requires that the spans of each trace are one tree, whose root only a client may have begun.
        private static func requireTrees(_ receiver: SpanReceiver) throws {
            for (id, spans) in try receiver.traces() {
                let known = Set(spans.map(\.content.spanId))
                #expect(known.count == spans.count, "\(id)")
                let roots = spans.filter { $0.content.parentSpanId.map { !known.contains($0) } ?? true }
                #expect(roots.count == 1, "\(id): \(roots.map(\.content.name))")
                #expect(roots.allSatisfy { $0.process == "latchkey-gateway" })
            }
        }

        @Test func `a sign-in is one tree over four processes, and no span has a value of the user`() async throws {
            let phone = LatchkeyStack.freshPhone()
            var canaries = Canary.number(phone) + ["Canaryname", "canaryquery", "127.0.0.1"].map { Canary($0) }
            let receiver = try await Self.run("sign-in", policy: Self.all) { stack, receiver in
                let reply = try await stack.signIn(phone: phone, name: "Canaryname")
                let token = reply.tokens.accessToken
                #expect(try await stack.gateway.get("/api/hello?q=canaryquery", bearer: token).status == 200)
                #expect(try await stack.gateway.get("/sessions", bearer: token).status == 200)
                let session = "/sessions/" + UUID().uuidString
                _ = try await stack.gateway.send("DELETE", session, headers: [("Authorization", "Bearer \(token)")])
                canaries += [token, reply.tokens.refreshToken, reply.user.id, session].map { Canary($0) }
                try await eventually("the sign-in's spans are there") {
                    try Set(receiver.trace(of: "POST /auth/otp/verify").map(\.process)).count == 4
                }
                // The trace of a request has its id.
                let trace = try #require(try receiver.trace(of: "POST /auth/otp/verify").first?.content.traceId)
                let line = try stack.log.split(separator: "\n").first { $0.contains("/auth/otp/verify") }
                for field in ["trace.id", "request.id"] {
                    #expect(line?.contains(#""\#(field)":"\#(trace)""#) == true, "\(field)")
                }
            }
            try Self.requireTrees(receiver)
            let spans = try receiver.trace(of: "POST /auth/otp/verify")
            #expect(
                Set(spans.map(\.process)) == [
                    "latchkey-gateway", "latchkey-otp", "latchkey-token", "latchkey-user",
                ])
            #expect(Set(spans.map(\.content.name)).isSuperset(of: ["redis", "database"]))
            #expect(try receiver.trace(of: "GET /api/**").map(\.content.name).contains("upstream app:app"))
            for body in receiver.bodies {
                for canary in canaries { #expect(!canary.stands(in: body), "\(canary)") }
            }
        }

        @Test func `with oneIn 0 nothing is sent, whatever a client's flag says, until a reload`() async throws {
            let field = [("traceparent", "00-\(Self.sampled.trace)-\(Self.sampled.span)-01")]
            let receiver = try await Self.run("off", policy: ["  oneIn: 0": "  oneIn: 0 "]) { stack, receiver in
                _ = try await stack.signIn()
                _ = try await stack.gateway.send("GET", "/api/hello", headers: field)
                // Two rounds of the exporter.
                try await Task.sleep(for: .seconds(1))
                #expect(receiver.bodies.isEmpty)
                let path = stack.dataDirectory + "/policy.yaml"
                try PolicyText.howru(changing: Self.all).write(toFile: path, atomically: true, encoding: .utf8)
                try await stack.hangUp(expecting: "policy.reloaded")
                _ = try await stack.gateway.send("GET", "/api/hello", headers: field)
                try await eventually("a span after the reload") { !receiver.bodies.isEmpty }
            }
            // It continues the client's trace.
            let spans = try #require(try receiver.traces()[Self.sampled.trace])
            #expect(spans.map(\.content.name) == ["GET /api/**"])
            #expect(spans.map(\.content.parentSpanId) == [Self.sampled.span])
            try Self.requireTrees(receiver)
        }

        @Test func `a hook gets the trace of the request that calls it`() async throws {
            let receiver = try await Self.run(
                "hook", policy: Self.all,
                environment: ["OTP_SENDER": "webhook", "SMS_HOOK_URL": "$RECEIVER/sms"],
                secrets: ["sms_hook_secret": EventBackEnd.secret + "\n"]
            ) { stack, receiver in
                try await stack.requestCode(for: LatchkeyStack.freshPhone())
                try await eventually("the hook is called") { !receiver.requests(to: "/sms").isEmpty }
            }
            let field = try #require(receiver.requests(to: "/sms").first?.headers["traceparent"])
            let spans = try receiver.trace(of: "POST /auth/otp/request")
            let called = try #require(spans.first { field.contains($0.content.spanId) })
            #expect(called.process == "latchkey-otp" && called.content.name == "POST" && field.hasSuffix("-01"))
            try Self.requireTrees(receiver)
        }

        @Test func `requests go on while the collector hangs, spans are dropped and counted, and a stop is short`()
            async throws
        {
            try await LoopbackServer.runStalled { port in
                try await LatchkeyStack.run(
                    name: "Tracing stalled",
                    environment: ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://127.0.0.1:\(port)/spans"],
                    policy: Self.all
                ) { stack in
                    let dropped = #"trace_spans_dropped_total{reason="queue_full"}"#
                    try await LoadConnection.with(4, port: stack.gatewayPort) { connections in
                        // More than the queue and the batch on its way hold.
                        for _ in 0..<800 {
                            for connection in connections {
                                try await connection.send(.get("/api/hello"), expecting: 401)
                            }
                        }
                    }
                    try await eventually("drops are counted") { try await stack.metric(dropped) > 0 }
                    _ = try await stack.signIn()
                    #expect(try await stack.metric("trace_spans_exported_total") == 0)
                    try await eventually("the log says why") { try stack.log.contains("trace.export_failed") }
                    try await promptly("the gateway stops") { try await stack.restart("gateway", by: SIGTERM) }
                }
            }
        }
    }
}
