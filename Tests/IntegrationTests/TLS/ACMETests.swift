import FoundationEssentials
import TestSupport
import Testing

extension Live {
    /// A gateway that gets its certificate itself (RFC 8555, RFC 8737), from pebble or from a directory that lies.
    @Suite(.serialized, .timeLimit(.minutes(10))) struct ACMETests {
        private static let host = "auth.latchkey.test"

        /// A second gateway of a stack, with `edge.tls.acme`.
        private struct Gateways {
            let stack: LatchkeyStack
            let folder: String
            /// The folder that gateways share.
            var shared: String { folder + "/acme" }

            /// Runs `body` with a gateway whose policy names a directory.
            func run(
                directory: String, authority: String, tlsPort: Int, settings: [String: String] = [:],
                _ body: (ProcessTwin.Running) async throws -> Void
            ) async throws {
                let file = folder + "/policy-\(tlsPort).yaml"
                let acme = "    acme: { directory: \"\(directory)\", agree: true, ca: \"\(authority)\" }"
                let line = "    minimum: \"1.3\""
                try PolicyText.howru(changing: [line: line + "\n" + acme])
                    .write(toFile: file, atomically: true, encoding: .utf8)
                let own = [
                    "LATCHKEY_POLICY": file, "LATCHKEY_ACME_DIR": shared,
                    "LATCHKEY_TLS_LISTEN": "127.0.0.1:\(tlsPort)", "LATCHKEY_PUBLIC_URL": "https://\(host)",
                    "LATCHKEY_PLAIN": "redirect",
                ]
                try await ProcessTwin(of: "gateway", in: stack).run(settings: own.merging(settings) { $1 }, body)
            }

            /// The serial and the key of the certificate that is served at a port, if `root` has issued it for the host.
            func certificate(at port: Int, root: String) async throws -> String? {
                let script = """
                    openssl s_client -connect 127.0.0.1:\(port) -servername \(host) -verify_hostname \(host) \
                    -verify_return_error -CAfile '\(root)' </dev/null 2>/dev/null | openssl x509 -noout -serial -pubkey
                    """
                let outcome = try await Shell.run("set -o pipefail; " + script, in: "/")
                return outcome.isSuccess ? outcome.output : nil
            }

            /// Checks that a challenge in the folder is answered over TLS, also to a hello that arrives in two parts.
            func expectAnswer(at port: Int) async throws {
                let script = """
                    import socket, ssl, time
                    context = ssl.create_default_context()
                    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
                    context.set_alpn_protocols(["acme-tls/1"])
                    received, sent = ssl.MemoryBIO(), ssl.MemoryBIO()
                    tls = context.wrap_bio(received, sent, server_hostname="\(ACMETests.host)")
                    peer = socket.create_connection(("127.0.0.1", \(port)), 5)
                    try: tls.do_handshake()
                    except ssl.SSLWantReadError: pass
                    hello = sent.read()
                    for part in hello[:40], hello[40:]:
                        peer.sendall(part)
                        time.sleep(0.3)
                    while True:
                        received.write(peer.recv(65536) or exit("refused"))
                        try: tls.do_handshake()
                        except ssl.SSLWantReadError: continue
                        break
                    print(tls.selected_alpn_protocol())
                    """
                let line = "\(ACMETests.host) token.thumbprint\n"
                try line.write(toFile: shared + "/challenges", atomically: true, encoding: .utf8)
                try script.write(toFile: folder + "/hello.py", atomically: true, encoding: .utf8)
                try await eventually("the challenge is answered", every: .milliseconds(500)) {
                    try await Shell.run("python3 hello.py", in: folder).output == "acme-tls/1\n"
                }
            }
        }

        private func withGateways(_ name: String, _ body: (Gateways) async throws -> Void) async throws {
            try await LatchkeyStack.run(name: "ACMETests-\(name)") { stack in
                try await withScratchFolder { try await body(Gateways(stack: stack, folder: $0)) }
            }
        }

        /// The orders that a gateway has counted: those that succeeded, and those that failed.
        private func orders(_ gateway: ProcessTwin.Running) async throws -> [Int] {
            let lines = try await gateway.operations.get("/metrics").text.split(separator: "\n")
            return ["ok", "failed"].map { result in
                let line = lines.first { $0.hasPrefix("acme_orders_total{result=\"\(result)\"} ") }
                return line?.split(separator: " ").last.flatMap { Int($0) } ?? -1
            }
        }

        /// Waits for the certificate, which takes the gateway about ten seconds.
        private func certificate(_ gateways: Gateways, at port: Int, _ pebble: Pebble) async throws -> String {
            let root = try await pebble.root()
            var found: String?
            try await eventually("there is a certificate at \(port)", within: .seconds(60), every: .milliseconds(500)) {
                found = try await gateways.certificate(at: port, root: root)
                return found != nil
            }
            return try #require(found)
        }

        @Test func `from nothing to https by HTTP-01, and until then nothing else is served`() async throws {
            try await withGateways("http") { gateways in
                let (port, tlsPort) = (try await FreePort.find(), try await FreePort.find())
                // Nothing listens where pebble would look over TLS.
                let elsewhere = try await FreePort.find()
                try await Pebble.run(.init(http: port, tls: elsewhere), in: gateways.folder) { pebble in
                    try await gateways.run(
                        directory: pebble.directory, authority: pebble.authority, tlsPort: tlsPort,
                        settings: ["LATCHKEY_LISTEN": "127.0.0.1:\(port)"]
                    ) { gateway in
                        let plain = TestHTTPClient(base: "http://127.0.0.1:\(port)")
                        try await eventually("it listens") { (try? await plain.get("/healthz").status) == 200 }
                        #expect(try await plain.get("/users/me").status == 503)
                        let unknown = try await plain.get("/.well-known/acme-challenge/unknown")
                        #expect(unknown.status == 503)
                        let handshake = try await Shell.run("curl -sk https://127.0.0.1:\(tlsPort)/; echo $?", in: "/")
                        #expect(handshake.output != "0\n")
                        let readiness = try await gateway.operations.get("/readyz")
                        #expect(readiness.status == 503 && readiness.text.contains("certificate"))
                        _ = try await certificate(gateways, at: tlsPort, pebble)
                        try await eventually("it is ready") {
                            try await gateway.operations.get("/readyz").status == 200
                        }
                        #expect(try await orders(gateway) == [1, 0])
                        #expect(try await plain.get("/.well-known/acme-challenge/unknown").status != 503)
                        let modes = try await Shell.run("stat -c %a . *", in: gateways.shared)
                        #expect(modes.output == "700\n600\n600\n600\n600\n", "\(modes.output)")
                    }
                }
            }
        }

        @Test(arguments: [true, false])
        func `from nothing to https by TLS-ALPN-01, without plain HTTP or when the authority cannot reach it`(
            listensPlain: Bool
        ) async throws {
            try await withGateways("tls-\(listensPlain)") { gateways in
                let (tlsPort, elsewhere) = (try await FreePort.find(), try await FreePort.find())
                try await Pebble.run(.init(http: elsewhere, tls: tlsPort), in: gateways.folder) { pebble in
                    try await gateways.run(
                        directory: pebble.directory, authority: pebble.authority, tlsPort: tlsPort,
                        settings: listensPlain ? [:] : ["LATCHKEY_LISTEN": "none", "LATCHKEY_PLAIN": "serve"]
                    ) { gateway in
                        _ = try await certificate(gateways, at: tlsPort, pebble)
                        #expect(try await orders(gateway) == [1, 0])
                    }
                }
            }
        }

        @Test func `gateways that share the folder order once, any of them answers, and all serve the certificate`()
            async throws
        {
            try await withGateways("shared") { gateways in
                let (first, second, port) = (
                    try await FreePort.find(), try await FreePort.find(), try await FreePort.find()
                )
                try await Pebble.run(.init(http: port, tls: second), in: gateways.folder) { pebble in
                    try await gateways.run(
                        directory: pebble.directory, authority: pebble.authority, tlsPort: first
                    ) { one in
                        // The authority comes to this one alone.
                        try await gateways.run(
                            directory: pebble.directory, authority: pebble.authority, tlsPort: second,
                            settings: ["LATCHKEY_LISTEN": "127.0.0.1:\(port)"]
                        ) { other in
                            let served = try await certificate(gateways, at: first, pebble)
                            #expect(try await certificate(gateways, at: second, pebble) == served)
                            let counts = [try await orders(one), try await orders(other)]
                            #expect(counts.contains([1, 0]) && counts.contains([0, 0]), "\(counts)")
                        }
                    }
                }
            }
        }

        @Test func `a certificate is renewed in time with the same key`() async throws {
            try await withGateways("renewal") { gateways in
                let (tlsPort, elsewhere) = (try await FreePort.find(), try await FreePort.find())
                try await Pebble.run(.init(http: elsewhere, tls: tlsPort), in: gateways.folder) { pebble in
                    let settings = ["LATCHKEY_LISTEN": "none", "LATCHKEY_PLAIN": "serve"]
                    try await gateways.run(
                        directory: pebble.directory, authority: pebble.authority, tlsPort: tlsPort, settings: settings
                    ) { _ in _ = try await certificate(gateways, at: tlsPort, pebble) }
                    // A certificate for the same key, with one of its ninety days left.
                    let authority = try await TestAuthority.make("old", in: gateways.folder)
                    let request = TestCertificate.Request(
                        names: [Self.host], lifetimeSeconds: 86_400, beginsAfterSeconds: -89 * 86_400)
                    let old = try await authority.issue("old-leaf", request, key: gateways.shared + "/acme.key")
                    let copied = try await Shell.run(
                        "install -m 600 '\(old.certificate)' acme.crt", in: gateways.shared)
                    #expect(copied.isSuccess)
                    try await gateways.run(
                        directory: pebble.directory, authority: pebble.authority, tlsPort: tlsPort, settings: settings
                    ) { gateway in
                        try await eventually("the old one is served") {
                            try await gateways.certificate(at: tlsPort, root: authority.certificate) != nil
                        }
                        let renewed = try await certificate(gateways, at: tlsPort, pebble)
                        let key = try await Shell.run("openssl pkey -in acme.key -pubout", in: gateways.shared)
                        #expect(renewed.contains(key.output))
                        #expect(try await orders(gateway) == [1, 0])
                    }
                }
            }
        }

        @Test(arguments: [
            ("HTTP/1.1 302 Found\r\nLocation: /dir2\r\nContent-Length: 0\r\n\r\n", "status"),
            ("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\n{}", "content_type"),
            ("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}", "malformed"),
            ("giant", "too_large"),
            (
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{\"newNonce\":\"https://127.0.0.1/n\","
                    + "\"newAccount\":\"https://127.0.0.1/a\",\"newOrder\":\"https://127.0.0.1/o\"}", "foreign_url"
            ),
        ])
        func `a directory that lies is told once, the next order waits, and SIGHUP tries again`(
            response: String, reason: String
        ) async throws {
            try await withGateways("lie-\(reason)") { gateways in
                let giant =
                    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + String(repeating: "[", count: 1 << 20)
                let tlsPort = try await FreePort.find()
                try await LyingDirectory.run(
                    sending: response == "giant" ? giant : response, in: gateways.folder
                ) { directory in
                    try await gateways.run(directory: directory.url, authority: directory.authority, tlsPort: tlsPort) {
                        gateway in
                        try await gateway.log.waitForLine(with: "acme.failed", "\"reason\":\"\(reason)\"")
                        try await Task.sleep(for: .seconds(3))
                        #expect(gateway.log.lines.count { $0.contains("acme.failed") } == 1)
                        #expect(try await orders(gateway) == [0, 1])
                        #expect(try await gateway.operations.get("/readyz").text.contains("certificate (\(reason))"))
                        gateway.signal(1)
                        try await eventually("it tries again") { try await orders(gateway) == [0, 2] }
                    }
                }
            }
        }

        @Test func `an order that cannot be counted is not made, and one that failed holds back the next process`()
            async throws
        {
            try await withGateways("counted") { gateways in
                let tlsPort = try await FreePort.find()
                let response = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
                try await LyingDirectory.run(sending: response, in: gateways.folder) { directory in
                    // No draft of the file can be written, as if the disk were full.
                    let made = try await Shell.run("mkdir -p -m 700 acme/failures.new", in: gateways.folder)
                    #expect(made.isSuccess)
                    try await gateways.run(directory: directory.url, authority: directory.authority, tlsPort: tlsPort) {
                        gateway in
                        try await gateway.log.waitForLine(with: "acme.failed", "\"reason\":\"files\"")
                        try await Task.sleep(for: .seconds(3))
                        #expect(gateway.log.lines.count { $0.contains("acme.failed") } == 1)
                        #expect(try await orders(gateway) == [0, 0])
                        #expect(try await Shell.run("rmdir acme/failures.new", in: gateways.folder).isSuccess)
                        try await eventually("it orders") { try await orders(gateway) == [0, 1] }
                    }
                    try await gateways.run(directory: directory.url, authority: directory.authority, tlsPort: tlsPort) {
                        gateway in
                        try await gateway.log.waitForLine(with: "acme.waiting")
                        #expect(try await orders(gateway) == [0, 0])
                        #expect(try await gateway.operations.get("/readyz").text.contains("certificate (waiting)"))
                        try await gateways.expectAnswer(at: tlsPort)
                    }
                }
            }
        }
    }
}
