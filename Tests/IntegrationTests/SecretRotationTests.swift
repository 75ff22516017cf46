import AuthAPI
import CryptoPrimitives
import FoundationEssentials
import Glibc
import InternalAPI
import TestSupport
import Testing

extension Live {
    /// HS256: the secrets of a file, changed while all runs.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack(["LATCHKEY_POLICY": KeyPolicy.secrets]))
    struct SecretRotationTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        private func hello(_ token: String) async throws -> Int {
            try await stack.gateway.get("/api/hello", bearer: token).status
        }

        /// Writes the file and tells its readers; returns once token-service has taken or refused it.
        private func write(_ lines: [String], then condition: () async throws -> Bool) async throws {
            try writeSecret(lines.joined(separator: "\n"), to: stack.dataDirectory + "/secrets/jwt_hs256")
            for name in ["gateway", "user", "token"] { try stack.signal(name, 1) }
            try await eventually("the new file is read", condition)
        }

        /// Replaces the file in one step, for its owner alone.
        private func writeSecret(_ text: String, to path: String) throws {
            let draft = path + ".new"
            #expect(
                FileManager.default.createFile(
                    atPath: draft, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600]))
            #expect(unsafe rename(draft, path) == 0)
        }

        private func kids() async throws -> [String] { try await KeyControl(stack: stack).list().map(\.kid) }

        private func signer(of token: String) throws -> String {
            let header = try #require(token.split(separator: ".").first.flatMap { Base64URL.decode($0) })
            return String(decoding: header, as: UTF8.self)
        }

        @Test func `a secret is changed without anybody noticing, and never published`() async throws {
            let path = stack.dataDirectory + "/secrets/jwt_hs256"
            let line = try String(contentsOfFile: path, encoding: .utf8).filter { !$0.isNewline }
            let next = "k2 " + Hex.encode(SecureRandom.bytes(32))
            let old = try await stack.signIn().tokens.accessToken
            #expect(try await hello(old) == 200)
            try await write([line, next]) { try await kids() == ["k1", "k2"] }
            try await write([next, line]) { try await kids() == ["k2", "k1"] }
            let new = try await stack.signIn().tokens.accessToken
            #expect(try signer(of: new).contains("\"k2\""))
            #expect(try await stack.gateway.get("/users/me", bearer: new).status == 200)
            for token in [old, new] { #expect(try await hello(token) == 200) }
            #expect(try await stack.gateway.get("/.well-known/jwks.json").text == #"{"keys":[]}"#)
            // A file that is no good changes nothing.
            let before = try stack.processIDs
            try await write(["k3 your-256-bit-secret"]) {
                try String(contentsOfFile: stack.dataDirectory + "/log/gateway.log", encoding: .utf8)
                    .contains("secrets.refused")
            }
            #expect(try await kids() == ["k2", "k1"])
            for token in [old, new] { #expect(try await hello(token) == 200) }
            #expect(try stack.processIDs == before)
            try await write([next]) { try await kids() == ["k2"] }
            try await eventually("the old secret is good no more") { try await hello(old) == 401 }
            #expect(try await hello(new) == 200)
        }

        @Test(arguments: [
            ("k1 short", "fewer than 32 bytes"), ("k1 a-string-secret-at-least-256-bits-long", "well-known"),
            ("k1 " + String(repeating: "0123456789abcdef", count: 4), "well-known"), ("", "holds no key"),
            ("k1 9a1c5e7b2d4860a1b3c5d7e9f0123456789\nk1 8a1c5e7b2d4860a1b3c5d7e9f0123456789", "kid was used"),
        ])
        func `a bad secret stops the start with a clear message`(text: String, message: String) async throws {
            let secrets = stack.dataDirectory + "/bad-\(UUID().uuidString)"
            try FileManager.default.copyItem(atPath: stack.dataDirectory + "/secrets", toPath: secrets)
            try writeSecret(text, to: secrets + "/jwt_hs256")
            for name in ["token-service", "gateway", "user-service"] {
                let data = secrets + "-" + name
                try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
                let outcome = try await Shell.run(
                    "timeout 10 '\(LatchkeyStack.binaries)/\(name)'; test $? -eq 78", in: stack.dataDirectory,
                    environment: [
                        "LATCHKEY_POLICY": KeyPolicy.secrets, "LATCHKEY_SECRETS_DIR": secrets,
                        "LATCHKEY_POLICIES_DIR": LatchkeyStack.root + "deploy/policies",
                        "LATCHKEY_DATA_DIR": data, "LATCHKEY_LISTEN": "127.0.0.1:0",
                        "LATCHKEY_OPS_LISTEN": "127.0.0.1:0",
                    ])
                #expect(outcome.isSuccess && outcome.output.contains(message), "\(name): \(outcome.output)")
                #expect(outcome.output.contains("jwt_hs256"))
            }
        }
    }
}
