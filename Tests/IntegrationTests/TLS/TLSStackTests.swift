import AuthAPI
import Foundation
import Glibc
import TestSupport
import Testing

// Cited by Tests/Compat/statements.md for V37, G22, T36, T37.

extension Live {
    /// The gateway's own TLS, through real processes and curl.
    @Suite(.serialized, .timeLimit(.minutes(6))) struct TLSStackTests {
        @Test func `ten renewals under load, three of them refused, and a restart fail no request`() async throws {
            try await TLSStack.run("TLSStackTests-load") { stack, folder in
                let signIn = try await stack.signIn()
                let load = TLSLoad(stack: stack, token: signIn.tokens.accessToken)
                try await load.during {
                    for round in 1...10 { try await folder.renew(round, on: stack) }
                    try await stack.restart("gateway", by: SIGTERM)
                    try await load.untilMoreSucceed(100)
                }
                #expect(load.progress.failures.isEmpty, "\(load.progress.failures.prefix(5))")
                #expect(load.progress.successes > 300)
            }
        }

        @Test func `a pinned client connects with the right pin alone, and no renewal locks it out`() async throws {
            try await TLSFolderOfTests.run { folder in
                let used = try await folder.authority.issue("used")
                let backup = try await folder.authority.issue("backup")
                let pins = "    minimum: \"1.3\" \n    pins: [\"\(used.pin)\", \"\(backup.pin)\"] "
                try used.place(in: folder.path, as: "default")
                try await TLSStack.run("TLSStackTests-pins", folder, policy: ["    minimum: \"1.3\"": pins]) { stack in
                    #expect(try await stack.curl("--pinnedpubkey 'sha256//\(used.pin)'") == "401")
                    #expect(try await stack.curl("--pinnedpubkey 'sha256//\(backup.pin)'") == "curl 90")
                    // A key that no app knows.
                    try await folder.authority.issue("foreign").place(in: folder.path, as: "default")
                    try await stack.hangUp(expecting: "tls.refused", naming: "unpinned")
                    #expect(try await stack.curl("--pinnedpubkey 'sha256//\(used.pin)'") == "401")
                    // The same key again, then the one that was held ready.
                    let again = try await folder.authority.issue("again", .init(lifetimeSeconds: 86_400), key: used.key)
                    try again.place(in: folder.path, as: "default")
                    try await stack.hangUp(expecting: "tls.reloaded")
                    #expect(try await stack.curl("--pinnedpubkey 'sha256//\(used.pin)'") == "401")
                    try backup.place(in: folder.path, as: "default")
                    try await stack.hangUp(expecting: "tls.reloaded")
                    #expect(try await stack.curl("--pinnedpubkey 'sha256//\(backup.pin)'") == "401")
                    #expect(try await stack.curl("--pinnedpubkey 'sha256//\(used.pin)'") == "curl 90")
                }
            }
        }

        @Test func `a changed pair is shown within a minute, without a signal`() async throws {
            try await TLSStack.run("TLSStackTests-change") { stack, folder in
                let before = try await stack.certificate()
                try await folder.authority.issue("other", .init(lifetimeSeconds: 200_000)).place(
                    in: folder.path, as: "default")
                try await eventually("another certificate", every: .milliseconds(500)) {
                    try await stack.certificate() != before
                }
            }
        }

        @Test func `sessions are resumed, and nothing is sent before the handshake has ended`() async throws {
            try await TLSStack.run("TLSStackTests-resumption") { stack, _ in
                let script = """
                    ask() { printf 'GET /users/me HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' |
                      openssl s_client -connect "$TARGET" -servername localhost -CAfile "$CA" -ign_eof "$@" 2>&1; }
                    ask -sess_out session >first; ask -sess_in session
                    openssl sess_id -in session -noout -text
                    rm session first
                    """
                let outcome = try await stack.shell(script)
                #expect(outcome.output.contains("Reused, TLSv1.3"), "\(outcome.output)")
                #expect(!outcome.output.contains("Max Early Data: 16384"))
                #expect(outcome.output.contains("HTTP/1.1 401"))
            }
        }

        @Test func `upstreams and browsers are told of https, and plain HTTP leads there`() async throws {
            let settings = ["LATCHKEY_PLAIN": "redirect", "LATCHKEY_ACME_UPSTREAM": "http://127.0.0.1:1"]
            try await TLSStack.run(
                "TLSStackTests-redirect", environment: settings, policy: ["hstsSeconds: 0": "hstsSeconds: 600"]
            ) { stack, _ in
                let https = try await stack.curl("-D - -o /dev/null")
                #expect(https.lowercased().contains("strict-transport-security: max-age=600"))
                let port = try #require(stack.tls?.split(separator: ":").last)
                // One that follows no redirects.
                try await stack.gateway.withConnections(1) { plain in
                    let there = [("Host", "localhost")]
                    let moved = try await plain.send("GET", "/users/me?a=b", headers: there)
                    #expect(moved.status == 308)
                    #expect(moved.headers["location"] == "https://localhost:\(port)/users/me?a=b")
                    #expect(moved.headers["strict-transport-security"] == nil)
                    let literal = try await plain.send("GET", "/x", headers: [("Host", "[::1]:8080")])
                    #expect(literal.status == 308 && literal.headers["location"] == "https://[::1]:\(port)/x")
                    let below = try await plain.send("HEAD", "/x", headers: [("Host", "a.wild.example")])
                    #expect(below.status == 308 && below.headers["location"] == "https://a.wild.example:\(port)/x")
                    for refused in [
                        try await plain.send("GET", "/users/me", headers: there + [("Authorization", "Bearer x")]),
                        try await plain.send("GET", "/users/me", headers: there + [("Cookie", "a=b")]),
                        try await plain.send("GET", "/users/me", headers: [("Host", "elsewhere.example")]),
                        try await plain.send("GET", "/users/me", headers: [("Host", "*.wild.example")]),
                        try await plain.send("GET", "/users/me", headers: [("Host", "[::2]")]),
                        try await plain.send("POST", "/auth/refresh", headers: there, body: Array("{}".utf8)),
                    ] {
                        #expect(refused.status == 403 && refused.text.contains("https_required"))
                        #expect(refused.headers["location"] == nil)
                    }
                    for host in ["localhost", "elsewhere.example"] {
                        #expect(try await plain.send("GET", "/healthz", headers: [("Host", host)]).status == 200)
                        #expect(try await plain.send("HEAD", "/healthz", headers: [("Host", host)]).status == 200)
                    }
                    // No server answers challenges here, but the gateway forwarded the request.
                    let challenge = try await plain.send("GET", "/.well-known/acme-challenge/x", headers: there)
                    #expect(challenge.status == 503)
                }
            }
        }

        @Test func `a trusted proxy's word decides what is led to https, and who is told to come by it alone`()
            async throws
        {
            let settings = ["LATCHKEY_PLAIN": "redirect", "LATCHKEY_TRUSTED_PROXIES": "127.0.0.1"]
            try await TLSStack.run(
                "TLSStackTests-word", environment: settings, policy: ["hstsSeconds: 0": "hstsSeconds: 600"]
            ) { stack, _ in
                try await stack.gateway.withConnections(1) { plain in
                    let said = [("Host", "localhost"), ("X-Forwarded-Proto", "https")]
                    let secure = try await plain.send("GET", "/users/me", headers: said)
                    #expect(secure.status == 401 && secure.headers["strict-transport-security"] == "max-age=600")
                    let silent = try await plain.send("GET", "/users/me", headers: [said[0]])
                    #expect(silent.status == 308 && silent.headers["strict-transport-security"] == nil)
                }
                let denied = try await stack.curl("-D - -o /dev/null -H 'X-Forwarded-Proto: http'").lowercased()
                #expect(denied.hasPrefix("http/2 308") && !denied.contains("strict-transport-security"), "\(denied)")
            }
        }

        @Test func `handshakes and certificates are in the metrics`() async throws {
            try await TLSStack.run("TLSStackTests-metrics") { stack, folder in
                _ = try await stack.curl()
                #expect(try await stack.curl("--tls-max 1.2") == "curl 35")
                let target = try #require(stack.tls).replacing("https://", with: "http://")
                let plain = try await TestHTTPClient(base: target).get("/")
                #expect(plain.status == 400 && plain.text.contains("https_required"))
                for (result, count) in [("ok", 1), ("refused", 1), ("not_tls", 1)] {
                    #expect(try await stack.metric("tls_handshakes_total{result=\"\(result)\"}") == count, "\(result)")
                }
                let notAfter = try await stack.metric("tls_certificate_not_after_seconds{name=\"default\"}")
                #expect(abs(notAfter - Int(Date().timeIntervalSince1970) - 30 * 86_400) < 300)
                let log = try stack.log
                #expect(!log.contains("tls.expiring"))
                // The second replaces a certificate that was warned of just now.
                for days in [13, 12] {
                    try await folder.authority.issue("short", .init(lifetimeSeconds: days * 86_400)).place(
                        in: folder.path, as: "default")
                    try await stack.hangUp(expecting: "tls.expiring")
                }
            }
        }

        @Test func `the end of a pair that is taken away is shown no more`() async throws {
            try await TLSStack.run("TLSStackTests-gone") { stack, folder in
                let series = "tls_certificate_not_after_seconds{name=\"other\"}"
                try await folder.authority.issue("other", .otherName).place(in: folder.path, as: "other")
                try await stack.hangUp(expecting: "tls.reloaded", naming: "other")
                try await eventually("it is shown") { try await stack.metric(series) > 0 }
                for file in ["other.crt", "other.key"] {
                    try FileManager.default.removeItem(atPath: "\(folder.path)/\(file)")
                }
                try await stack.hangUp(expecting: "tls.reloaded")
                try await eventually("it is gone") { try await stack.metric(series) == 0 }
                #expect(try await stack.metric("tls_certificate_not_after_seconds{name=\"default\"}") > 0)
            }
        }

        @Test func `a key that every user of the host can read is refused, and served again once it is mended`()
            async throws
        {
            try await TLSStack.run("TLSStackTests-exposed") { stack, folder in
                let before = try await stack.certificate()
                try await folder.authority.issue("other").place(in: folder.path, as: "default")
                try folder.expose("default.key")
                try await stack.hangUp(expecting: "tls.refused", naming: "exposed_key")
                #expect(try await stack.certificate() == before)
                try folder.setMode(0o600, of: "default.key")
                try await stack.hangUp(expecting: "tls.reloaded")
                #expect(try await stack.certificate() != before)
            }
        }

        @Test func `with LATCHKEY_LISTEN=none TLS alone is served, and the process listens nowhere else`() async throws
        {
            try await TLSStack.run("TLSStackTests-alone") { stack, _ in
                let port = try await FreePort.find()
                let settings = ["LATCHKEY_LISTEN": "none", "LATCHKEY_TLS_LISTEN": "127.0.0.1:\(port)"]
                try await ProcessTwin(of: "gateway", in: stack).run(settings: settings) { twin in
                    let ask = """
                        curl -s --cacert "$CA" -o /dev/null -w '%{http_code}' https://localhost:\(port)/users/me
                        """
                    try await eventually("it serves") {
                        try await stack.shell(ask).output == "401"
                    }
                    let ports = try await twin.listeningPorts()
                    #expect(ports == [port, twin.operationsPort])
                }
            }
        }

        @Test func `an expired certificate does not stop the start, and is told`() async throws {
            try await TLSFolderOfTests.run { folder in
                try await folder.authority.issue("old", .expired).place(in: folder.path, as: "default")
                try await TLSStack.run("TLSStackTests-expired", folder) { stack in
                    #expect(try await stack.curl("--insecure") == "401")
                    #expect(try await stack.curl() == "curl 60")
                    let log = try stack.log
                    #expect(log.contains("tls.expired"))
                }
            }
        }
    }
}
