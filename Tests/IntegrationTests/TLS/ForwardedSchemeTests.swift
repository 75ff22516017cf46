import AuthAPI
import Foundation
import Subprocess
import TestSupport
import Testing

extension Live {
    /// The headers by which an upstream over https learns the client's scheme.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct ForwardedSchemeTests {
        /// Answers every GET with the `X-Forwarded-Proto` that came.
        private static let upstream = """
            import http.server, ssl, sys
            class Teller(http.server.BaseHTTPRequestHandler):
                protocol_version = "HTTP/1.1"
                def do_GET(self):
                    said = ",".join(self.headers.get_all("X-Forwarded-Proto", ["none"])).encode()
                    self.send_response(200)
                    self.send_header("Content-Length", str(len(said)))
                    self.end_headers()
                    self.wfile.write(said)
                def log_message(self, *words): pass
            server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Teller)
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(sys.argv[1], sys.argv[2])
            server.socket = context.wrap_socket(server.socket, server_side=True)
            print(server.server_address[1], flush=True)
            server.serve_forever()
            """

        /// Runs `body` with a stack whose app is such an upstream, and with an access token.
        private func withStack(
            _ environment: [String: String] = [:], isBelieved: Bool = true,
            _ body: (LatchkeyStack, String) async throws -> Void
        ) async throws {
            try await TLSFolderOfTests.run { folder in
                try await folder.authority.issue("first").place(in: folder.path, as: "default")
                let own = try await folder.authority.issue("upstream", .init(names: ["localhost"]))
                let foreign = try await TestAuthority.make("foreign", in: folder.authority.folder)
                let arguments = ["-c", Self.upstream, own.certificate, own.key]
                try await ChildProcess(executable: "/usr/bin/python3", arguments: arguments).run { _, output in
                    var lines = output.strings().makeAsyncIterator()
                    let port = try #require(try await lines.next()).filter(\.isNumber)
                    let settings = [
                        "LATCHKEY_UPSTREAM": "https://localhost:\(port)",
                        "LATCHKEY_UPSTREAM_CA": isBelieved ? folder.authority.certificate : foreign.certificate,
                    ]
                    try await TLSStack.run(
                        "ForwardedSchemeTests", folder, environment: settings.merging(environment) { $1 }
                    ) { stack in
                        try await body(stack, try await stack.signIn().tokens.accessToken)
                    }
                }
            }
        }

        /// Returns the headers that the upstream got, or the status of a refusal.
        private func told(
            _ base: String, _ token: String, _ options: String = "", _ stack: LatchkeyStack
        ) async throws
            -> String
        {
            let url = "\(base)/api/anything"
            let outcome = try await stack.shell(
                "curl -s --cacert \"$CA\" -H 'Authorization: Bearer \(token)' \(options) -w ' %{http_code}' '\(url)'")
            let words = outcome.output.split(separator: " ").map(String.init)
            return words.last == "200" ? words.first ?? "" : words.last ?? outcome.output
        }

        @Test func `the connection decides, and no client's word changes it`() async throws {
            try await withStack { stack, token in
                let (plain, https) = (stack.gateway.base, try #require(stack.tls))
                for word in ["", "-H 'X-Forwarded-Proto: http'", "-H 'X-Forwarded-Proto: https'"] {
                    #expect(try await told(https, token, word, stack) == "https", "\(word)")
                    #expect(try await told(plain, token, word, stack) == "http", "\(word)")
                }
            }
        }

        @Test func `a trusted proxy's word goes before, and its silence leaves it to the connection`() async throws {
            try await withStack(["LATCHKEY_TRUSTED_PROXIES": "127.0.0.1"]) { stack, token in
                let (plain, https) = (stack.gateway.base, try #require(stack.tls))
                #expect(try await told(https, token, "-H 'X-Forwarded-Proto: http'", stack) == "http")
                #expect(try await told(https, token, "", stack) == "https")
                #expect(try await told(plain, token, "-H 'X-Forwarded-Proto: https'", stack) == "https")
                #expect(try await told(plain, token, "", stack) == "http")
            }
        }

        @Test func `an upstream by an authority that is not named gets nothing, and its clients 503`() async throws {
            try await withStack(isBelieved: false) { stack, token in
                #expect(try await told(try #require(stack.tls), token, "", stack) == "503")
                try await eventually("it is said") {
                    try stack.log.split(separator: "\n").contains {
                        $0.contains("upstream.failed") && $0.contains("untrusted_certificate")
                    }
                }
                let failures = "upstream_failures_total{reason=\"untrusted_certificate\",service=\"app:app\"}"
                try await eventually("it is counted") { try await stack.metric(failures) > 0 }
            }
        }
    }
}
