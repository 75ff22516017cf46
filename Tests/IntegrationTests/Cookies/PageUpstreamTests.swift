import FoundationEssentials
import StrictJSON
import Subprocess
import TestSupport
import Testing

extension Live {
    /// An app's API behind a gateway whose pages have their access token in a cookie.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct PageUpstreamTests {
        /// Sends back the fields of each request as JSON, with the status and the `Cache-Control` that the query states, and tries to
        /// set and clear the gateway's cookies.
        private static let upstream = """
            import http.server, json, urllib.parse
            class Upstream(http.server.BaseHTTPRequestHandler):
                def do_GET(self):
                    wanted = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query))
                    self.protocol_version = wanted.get('version', 'HTTP/1.1')
                    stolen = (b'Set-Cookie: __Host-latchkey-access=stolen\\r\\nClear-Site-Data: "cookies"\\r\\n'
                              b'Set-Cookie: own=1\\r\\n')
                    if 'early' in wanted: self.wfile.write(b'HTTP/1.1 103 Early Hints\\r\\n' + stolen + b'\\r\\n')
                    body = json.dumps({name.lower(): value for name, value in self.headers.items()}).encode()
                    self.send_response(int(wanted.get('status', 200)))
                    self._headers_buffer.append(stolen)
                    self.send_header('Content-Length', str(len(body)))
                    if 'cache' in wanted: self.send_header('Cache-Control', wanted['cache'])
                    self.end_headers()
                    self.wfile.write(body)
                def log_message(self, *words): pass
            server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Upstream)
            print(server.server_port, flush=True)
            server.serve_forever()
            """

        private static let policy = PagePolicy.web("cookies").merging([
            "    access: bearer": """
                access: bearer
                keepAuthorization: true
              - path: /maybe/**
                upstream: app
                access: optional
            """
        ]) { $1 }

        /// Runs `body` with a page that is signed in.
        private func withPage(_ body: (PageClient, LatchkeyStack) async throws -> Void) async throws {
            try await ChildProcess(executable: "/usr/bin/python3", arguments: ["-c", Self.upstream]).run { _, output in
                var lines = output.strings().makeAsyncIterator()
                let port = try #require(try await lines.next()).filter(\.isNumber)
                try await LatchkeyStack.run(
                    name: "PageUpstreamTests", environment: ["LATCHKEY_UPSTREAM": "http://127.0.0.1:\(port)"],
                    policy: Self.policy
                ) { stack in
                    let page = PageClient(stack.gateway)
                    let answer = try await page.signIn(on: stack)
                    try #require(answer.status == 200 && answer.cookies.count == 3, "\(answer.text)")
                    try await body(page, stack)
                }
            }
        }

        @Test func `a response to one user's cookie is no other user's`() async throws {
            try await withPage { page, stack in
                for path in ["/api/a", "/maybe/a"] {
                    let own = try await page.get("\(path)?cache=max-age%3D60")
                    #expect(own.status == 200 && own.headers["vary"] == "Cookie")
                    #expect(own.headers["cache-control"] == "private")
                    for allowed in ["public", "s-maxage=9"] {
                        let shared = try await page.get("\(path)?cache=\(allowed.replacing("=", with: "%3D"))")
                        #expect(shared.headers["cache-control"] == allowed && shared.headers["vary"] == "Cookie")
                    }
                }
                let nobody = try await stack.gateway.get("/maybe/a?cache=max-age%3D60")
                #expect(nobody.headers["vary"] == "Cookie" && nobody.headers["cache-control"] == "max-age=60")
                let bearer = try await stack.gateway.get("/api/a?cache=max-age%3D60", bearer: page.value("access"))
                #expect(bearer.status == 200 && bearer.headers["vary"] == nil)
                #expect(bearer.headers["cache-control"] == "max-age=60")
            }
        }

        @Test func `an upstream learns the user, and none of our cookies`() async throws {
            try await withPage { page, stack in
                let ours = try #require(page.cookieField(for: "/"))
                let cookies = [("Cookie", "a=1; \(ours); b=2")]
                let user = try #require(
                    try await stack.gateway.get("/users/me", bearer: page.value("access")).json["id"])
                for (path, more) in [("/api/a", []), ("/maybe/a", []), ("/maybe/a", [("Authorization", "Basic YTpi")])]
                {
                    let got = try await stack.gateway.send("GET", path, headers: cookies + more).json
                    #expect(got["x-user-id"] == user && got["cookie"]?.stringValue == "a=1; b=2")
                    #expect(got["authorization"] == nil)
                }
                let nobody = try await stack.gateway.get("/maybe/a").json
                #expect(nobody["x-user-id"] == nil)
                // A route that keeps the field passes on a bearer, which goes before the cookie.
                let bearer = [("Authorization", "Bearer \(page.value("access") ?? "")")]
                let kept = try await stack.gateway.send("GET", "/api/a", headers: cookies + bearer).json
                #expect(kept["authorization"]?.stringValue?.hasPrefix("Bearer ") == true)
                #expect(try await page.get("/maybe/a", headers: [("Authorization", "Bearer x")]).status == 401)
            }
        }

        @Test func `no response of an upstream sets or clears our cookies`() async throws {
            try await withPage { page, stack in
                let ours = try #require(page.cookieField(for: "/"))
                for query in ["", "early=1", "version=HTTP/1.0", "status=404", "status=500", "early=1&status=503"] {
                    let command = "curl -si -H 'Cookie: \(ours)' '\(stack.gateway.base)/maybe/a?\(query)'"
                    let output = try await stack.shell(command).output
                    #expect(output.contains("x-user-id") && output.contains("Set-Cookie: own=1"), "\(query): \(output)")
                    #expect(!output.contains("stolen") && !output.contains("Clear-Site-Data"), "\(query): \(output)")
                }
            }
        }
    }
}
