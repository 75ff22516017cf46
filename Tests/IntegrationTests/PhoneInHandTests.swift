import AuthAPI
import CryptoPrimitives
import Foundation
import Glibc
import TestSupport
import Testing

extension Live {
    /// A phone in the same network, played by a network namespace, signs in at a stack of `LATCHKEY_BIND=lan`.
    @Suite(
        .serialized, .timeLimit(.minutes(5)),
        .enabled(if: geteuid() == 0, "SKIPPED: only root makes network namespaces"))
    struct PhoneInHandTests {
        private static let verifier = String(repeating: "v", count: 64)

        @Test func `a phone signs in by the link of a mail and refreshes; nothing but the gateway is there for it`()
            async throws
        {
            let name = "lk\(getpid())"
            let network = try await Shell.run(
                """
                ip netns add \(name) && ip link add \(name)a type veth peer name \(name)b netns \(name) &&
                ip addr add 10.231.77.1/30 dev \(name)a && ip link set \(name)a up &&
                ip -n \(name) addr add 10.231.77.2/30 dev \(name)b && ip -n \(name) link set \(name)b up &&
                ip -n \(name) route add default via 10.231.77.1
                """, in: "/")
            try #require(network.isSuccess, "\(network.output)")
            do {
                try await LatchkeyStack.run(name: "PhoneInHand", environment: ["LATCHKEY_BIND": "lan"]) { stack in
                    try await signIn(at: stack, from: name)
                }
            } catch {
                _ = try await Shell.run("ip netns del \(name)", in: "/")
                throw error
            }
            _ = try await Shell.run("ip netns del \(name)", in: "/")
        }

        private func signIn(at stack: LatchkeyStack, from network: String) async throws {
            func phone(_ url: String, _ body: String? = nil) async throws -> Shell.Outcome {
                let data = body.map { "-H 'Content-Type: application/json' -d '\($0)'" } ?? ""
                return try await Shell.run("ip netns exec \(network) curl -sf -m 5 \(data) '\(url)'", in: "/")
            }
            let challenge = Base64URL.encode(SHA256.hash(Array(Self.verifier.utf8)))
            let asked = try await stack.gateway.post(
                "/auth/magic-link/request", #"{"email":"lan@example.com","challenge":"\#(challenge)"}"#)
            #expect(asked.status == 200)
            var link: String?
            try await eventually("the mail arrives") {
                link = try await stack.messages(to: "lan@example.com").first?.link
                return link != nil
            }
            let parts = try #require(link).components(separatedBy: "/auth/magic-link?token=")
            let (base, token) = (parts[0], parts[1])
            #expect(!base.contains("127.0.0.1"))
            #expect(try await phone(try #require(link)).output.contains("Sign in to HowRU"))
            let signIn = try await phone(
                base + "/auth/magic-link/verify", #"{"token":"\#(token)","verifier":"\#(Self.verifier)"}"#)
            #expect(signIn.isSuccess, "\(signIn.output)")
            let reply = try HTTPAnswer(status: 200, headers: [:], body: Array(signIn.output.utf8))
                .decoded(SignInReply.self)
            let refreshed = try await phone(
                base + "/auth/refresh", #"{"refreshToken":"\#(reply.tokens.refreshToken)"}"#)
            #expect(refreshed.isSuccess && refreshed.output.contains("accessToken"))
            let host = try #require(base.split(separator: ":").dropLast().last).dropFirst(2)
            for other in [stack.inbox.base] + (try ["otp", "token", "user"].map { try stack.service($0).base }) {
                let port = try #require(other.split(separator: ":").last)
                #expect(try await !phone("http://\(host):\(port)/").isSuccess)
                // A refused connection, and not merely an answer that curl calls a failure.
                let status = try await Shell.run(
                    "ip netns exec \(network) curl -s -m 5 -o /dev/null -w '%{http_code}' 'http://\(host):\(port)/'",
                    in: "/")
                #expect(status.output.hasSuffix("000"))
            }
        }
    }
}
