import Foundation
import Subprocess
import TestSupport
import Testing

extension Live {
    /// Challenges of a certificate authority (RFC 8555 section 8.3), to the program that answers them.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct ChallengeTests {
        private static let folder = "/.well-known/acme-challenge"
        private static let token = "evaGxfADs6pSRb2LAv9IZf17Dt3juxGJ-PCt92wr-oA"
        private static let answer = "\(token).9jg46WB3rR_AHD-EBXdN7cBkH1WOu0tA3M9fm21mqTI"

        /// Runs `body` with the URL of a server of Python's, as certbot's own is, that answers one challenge.
        private func withAnswerer(_ body: (String) async throws -> Void) async throws {
            let root = FileManager.default.temporaryDirectory.appending(path: "challenge-\(UUID().uuidString)")
                .path(percentEncoded: false)
            defer { try? FileManager.default.removeItem(atPath: root) }
            try FileManager.default.createDirectory(atPath: root + Self.folder, withIntermediateDirectories: true)
            try Self.answer.write(
                toFile: "\(root)\(Self.folder)/\(Self.token)", atomically: true, encoding: .utf8)
            let arguments = ["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", root]
            try await ChildProcess(executable: "/usr/bin/python3", arguments: arguments).run { _, output in
                var lines = output.strings().makeAsyncIterator()
                let words = try #require(try await lines.next()).split(separator: " ")
                let place = try #require(words.firstIndex(of: "port"))
                try await body("http://127.0.0.1:\(words[place + 1])")
            }
        }

        /// The answers to this challenge and to another one, whatever host is asked.
        private func check(_ stack: LatchkeyStack) async throws {
            try await stack.gateway.withConnections(1) { plain in
                for host in ["localhost", "elsewhere.example"] {
                    let answered = try await plain.send(
                        "GET", "\(Self.folder)/\(Self.token)", headers: [("Host", host)])
                    #expect(answered.status == 200 && answered.text == Self.answer, "\(answered.text)")
                    let unknown = try await plain.send("GET", "\(Self.folder)/x", headers: [("Host", host)])
                    #expect(unknown.status == 404 && unknown.headers["server"]?.hasPrefix("SimpleHTTP") == true)
                }
            }
        }

        @Test func `without TLS a challenge is answered`() async throws {
            try await withAnswerer { url in
                try await LatchkeyStack.run(
                    name: "ChallengeTests-plain", environment: ["LATCHKEY_ACME_UPSTREAM": url]
                ) { try await check($0) }
            }
        }

        @Test(arguments: ["serve", "redirect"])
        func `beside TLS a challenge over plain HTTP is answered, before anything is led to https`(
            use: String
        ) async throws {
            try await withAnswerer { url in
                let settings = ["LATCHKEY_PLAIN": use, "LATCHKEY_ACME_UPSTREAM": url]
                try await TLSStack.run("ChallengeTests-\(use)", environment: settings) { stack, _ in
                    try await check(stack)
                    // Nothing else goes there, and nothing over https.
                    try await stack.gateway.withConnections(1) { plain in
                        let other = try await plain.send("GET", "/users/me", headers: [("Host", "localhost")])
                        #expect(other.status == (use == "serve" ? 401 : 308))
                    }
                    let secure = try await stack.shell(
                        "curl -s --cacert \"$CA\" \"$URL\(Self.folder)/\(Self.token)\"")
                    #expect(!secure.output.contains(Self.answer) && secure.output.contains("error"))
                }
            }
        }
    }
}
