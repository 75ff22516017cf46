import Foundation
import Glibc
import NIOCore
import TestSupport
import Testing

extension Live {
    /// HTTP/2 at the gateway, through real processes, curl and raw frames.
    @Suite(.serialized, .timeLimit(.minutes(6))) struct HTTP2StackTests {
        /// Sends a request by curl, and returns its body, version and status in three lines.
        private func curl(
            _ path: String, _ options: String = "", on stack: LatchkeyStack
        ) async throws -> [Substring] {
            let outcome = try await stack.shell(
                "curl -s --cacert \"$CA\" -w '\\n%{http_version}\\n%{http_code}' \(options) \"$URL\(path)\"")
            try #require(outcome.isSuccess, "\(outcome.output)")
            return outcome.output.split(separator: "\n")
        }

        private func post(_ path: String, _ json: String, on stack: LatchkeyStack) async throws -> [Substring] {
            try await curl(path, "-H 'Content-Type: application/json' -d '\(json)'", on: stack)
        }

        private func client(of stack: LatchkeyStack) async throws -> RawHTTP2Client {
            let port = try #require(stack.tls?.split(separator: ":").last.flatMap { Int($0) })
            return try await RawHTTP2Client.connect(
                to: try SocketAddress(ipAddress: "127.0.0.1", port: port), authority: TLSStackContext.authority)
        }

        @Test func `curl signs in over HTTP/2, and the log tells the version`() async throws {
            try await TLSStack.run("HTTP2StackTests-sign-in") { stack, _ in
                let phone = LatchkeyStack.freshPhone()
                let number = "\"phoneNumber\":\"\(phone)\",\"countryCode\":\"US\""
                let requested = try await post("/auth/otp/request", "{\(number)}", on: stack)
                #expect(requested.suffix(2) == ["2", "200"], "\(requested)")
                let code = try await stack.code(for: phone)
                let verified = try await post("/auth/otp/verify", "{\(number),\"code\":\"\(code)\"}", on: stack)
                #expect(verified.suffix(2) == ["2", "200"])
                let body = try #require(verified.first)
                let token = try #require(body.firstMatch(of: #/"accessToken"\s*:\s*"([^"]+)"/#)?.output.1)
                let own = try await curl("/users/me", "-H 'Authorization: Bearer \(token)'", on: stack)
                #expect(own.suffix(2) == ["2", "200"])
                let old = try await curl("/users/me", "--http1.1 -H 'Authorization: Bearer \(token)'", on: stack)
                #expect(old.suffix(2) == ["1.1", "200"])
                try await eventually("the log lines") {
                    let log = try stack.log
                    return log.contains("\"http.protocol\":\"2\"") && log.contains("\"http.protocol\":\"1.1\"")
                }
            }
        }

        @Test func `a host of another certificate is 421`() async throws {
            try await TLSStack.run("HTTP2StackTests-421") { stack, _ in
                let client = try await client(of: stack)
                for (id, host, status) in [
                    (1, "localhost", 401), (3, "a.wild.example", 401), (5, "other.example", 421),
                    (7, "[::1]:8443", 401),
                ] {
                    let answer = try await client.answer(
                        UInt32(id), HTTP2Bytes.usual("/users/me", authority: host))
                    #expect(answer.status == status, "\(host) \(answer.text)")
                    if status == 421 { #expect(answer.text.contains("misdirected_request")) }
                }
                await client.close()
                #expect(try await stack.metric("http_server_violations_total{reason=\"misdirected\"}") == 1)
            }
        }

        @Test(arguments: ["resets", "continuations"])
        func `a flood ends its connection, and others sign in meanwhile`(kind: String) async throws {
            try await TLSStack.run("HTTP2StackTests-\(kind)") { stack, _ in
                let attacker = try await client(of: stack)
                try await eventually("the settings") { !attacker.state.settings.isEmpty }
                async let sent: Void = flood(attacker, kind)
                for _ in 0..<5 { _ = try await stack.signIn() }
                await sent
                try await attacker.waitForEnd()
                #expect(attacker.state.goAways.last?.code == 11)
                let (me, version) = ((try await curl("/users/me", on: stack)).suffix(2), "2")
                #expect(Array(me) == [Substring(version), "401"])
                #expect(try await stack.metric("http_server_violations_total{reason=\"excessiveFrames\"}") == 1)
            }
        }

        private func flood(_ client: RawHTTP2Client, _ kind: String) async {
            let usual = HTTP2Bytes.usual("/users/me")
            if kind == "continuations" {
                await client.send(HTTP2Bytes.frame(.headers, flags: 1, stream: 1, HTTP2Bytes.block(usual)))
            }
            for number in UInt32(0)..<10_000 where !client.hasEnded {
                let (id, more) = (2 * number + 1, HTTP2Bytes.block([("x-a", "b")]))
                await client.send(
                    kind == "resets"
                        ? HTTP2Bytes.request(id, usual) + HTTP2Bytes.reset(id)
                        : HTTP2Bytes.frame(.continuation, stream: 1, more))
            }
        }

        @Test func `a restart finishes requests of HTTP/2, and a reload turns it off for new connections`() async throws
        {
            let old = "  http2: true"
            try await TLSStack.run("HTTP2StackTests-end", policy: [old: old]) { stack, _ in
                let client = try await client(of: stack)
                #expect(try await client.answer(1, HTTP2Bytes.usual("/users/me")).status == 401)
                try PolicyText.howru(changing: [old: "  http2: false"])
                    .write(toFile: stack.dataDirectory + "/policy.yaml", atomically: true, encoding: .utf8)
                try await stack.hangUp(expecting: "policy.reloaded")
                #expect(try await curl("/users/me", on: stack).suffix(2) == ["1.1", "401"])
                #expect(try await client.answer(3, HTTP2Bytes.usual("/users/me")).status == 401)
                try stack.signal("gateway", SIGTERM)
                try await client.waitForEnd()
                #expect(client.state.goAways.map(\.code) == [0, 0] && client.state.goAways.last?.last == 3)
            }
        }
    }
}
