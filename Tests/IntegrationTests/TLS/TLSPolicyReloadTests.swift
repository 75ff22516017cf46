import Foundation
import TestSupport
import Testing

extension Live {
    /// The rules of TLS in a policy that the gateway reads again.
    @Suite(.timeLimit(.minutes(5))) struct TLSPolicyReloadTests {
        /// SHA-256 of keys that the gateway does not have.
        private static let pins = ["A", "B"].map { "\"\($0)\(String(repeating: "A", count: 42))=\"" }

        private func write(_ rules: String, for stack: LatchkeyStack) throws {
            try PolicyText.howru(changing: ["    minimum: \"1.3\"": rules])
                .write(toFile: stack.dataDirectory + "/policy.yaml", atomically: true, encoding: .utf8)
        }

        @Test func `the least version changes, and pins of other keys are refused`() async throws {
            let unchanged = ["    minimum: \"1.3\"": "    minimum: \"1.3\""]
            try await TLSStack.run("TLSPolicyReloadTests", policy: unchanged) { stack, _ in
                #expect(try await stack.curl("--tls-max 1.2").hasPrefix("curl"))
                try write("    minimum: \"1.2\"", for: stack)
                try await stack.hangUp(expecting: "policy.reloaded")
                #expect(try await stack.curl("--tls-max 1.2") == "401")
                try write(
                    "    minimum: \"1.3\"\n    pins: [\(Self.pins.joined(separator: ", "))]", for: stack)
                try await stack.hangUp(expecting: "policy.refused", naming: "edge.tls.pins")
                #expect(try await stack.curl("--tls-max 1.2") == "401")
            }
        }
    }
}
