import AccessTokens
import AuthAPI
import FoundationEssentials
import StrictJSON
import TestSupport
import Testing

/// The user that the sample API was told about.
private struct Greeting: Decodable {
    let userId: String?
    let identity: String?
}

extension Live {
    /// A policy's rules for the edge, through real processes.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack(["LATCHKEY_POLICY": EdgePolicyFile.path]))
    struct EdgeRulesTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        @Test func `an upstream gets a proof of identity that its keys verify, and the edge takes it for nothing`()
            async throws
        {
            let tokens = try await stack.signIn().tokens
            let greeting = try await stack.gateway.get("/api/hello", bearer: tokens.accessToken)
                .decoded(Greeting.self)
            let proof = try #require(greeting.identity)
            let set = try await stack.gateway.get("/.well-known/latchkey-identity.json").decoded(JSONWebKeySet.self)
            let key = try VerificationKey(jwk: try #require(set.keys.first))
            let payload = try StrictJSON.parse(
                try CompactJWS(Array(proof.utf8)).payload(verifiedWith: key), limits: .own)
            #expect(payload["aud"]?.stringValue == "app-api")
            #expect(payload["sub"]?.stringValue == greeting.userId)
            #expect(try await stack.gateway.get("/api/hello", bearer: proof).status == 401)
            #expect(try await stack.gateway.get("/users/me", bearer: proof).status == 401)
        }

        @Test func `a route's limit refuses one user and no other, and says when to come back`() async throws {
            let (first, second) = (try await stack.signIn().tokens, try await stack.signIn().tokens)
            var statuses: [Int] = []
            for _ in 0..<25 {
                let answer = try await stack.gateway.get("/limited/hello", bearer: first.accessToken)
                statuses.append(answer.status)
                if answer.status == 429 {
                    let wait = try #require(answer.headers["retry-after"].flatMap { Int($0) })
                    #expect((1...3_600).contains(wait))
                    #expect(answer.headers["ratelimit"]?.hasPrefix("\"edge\";r=0;t=") == true)
                }
            }
            // Two windows at most: the clock may turn the hour in the midst.
            #expect((10...20).contains(statuses.count { $0 == 404 }) && statuses.contains(429), "\(statuses)")
            #expect(try await stack.gateway.get("/limited/hello", bearer: second.accessToken).status == 404)
        }

        @Test func `a page of an allowed origin may call, another may not`() async throws {
            let asked = [("Origin", "https://admin.example.com"), ("Access-Control-Request-Method", "GET")]
            let preflight = try await stack.gateway.send("OPTIONS", "/api/hello", headers: asked)
            #expect(preflight.status == 204)
            #expect(preflight.headers["access-control-allow-origin"] == "https://admin.example.com")
            let refused = try await stack.gateway.send(
                "GET", "/api/hello", headers: [("Origin", "https://admin.example.com")])
            #expect(refused.status == 401)
            #expect(refused.headers["access-control-allow-origin"] == "https://admin.example.com")
            let foreign = try await stack.gateway.send(
                "GET", "/users/me", headers: [("Origin", "https://evil.example")])
            #expect(foreign.headers["access-control-allow-origin"] == nil)
            #expect(foreign.headers["vary"] == "Origin")
            // Clients over http must not be told to use only https (RFC 6797 section 7.2).
            #expect(foreign.headers["strict-transport-security"] == nil)
        }

        @Test(arguments: [
            ("GET", "/a%2Fb", 400, "ambiguous_path"), ("PURGE", "/api/hello", 501, "unknown_method"),
            ("GET", "/\(String(repeating: "a", count: 9000))", 414, "target_too_long"),
        ])
        func `a page of an allowed origin reads refusals of the edge, and why`(
            method: String, path: String, status: Int, reason: String
        ) async throws {
            let page = [("Origin", "https://admin.example.com")]
            let answer = try await stack.gateway.send(method, path, headers: page)
            #expect(answer.status == status, "\(answer.text)")
            #expect(answer.headers["access-control-allow-origin"] == "https://admin.example.com")
            #expect(answer.headers["vary"] == "Origin" && answer.text.contains("\"detail\":\"\(reason)\""))
            let foreign = try await stack.gateway.send(method, path, headers: [("Origin", "https://evil.example")])
            #expect(foreign.status == status && foreign.headers["access-control-allow-origin"] == nil)
            let log = stack.dataDirectory + "/log/gateway.log"
            try await eventually("the refusal is logged") {
                try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").contains { line in
                    line.contains("edge.refused") && line.contains("\"reason\":\"\(reason)\"")
                }
            }
        }

        @Test(arguments: [
            (20_000, "Expect", "100-continue", 413), (2, "Expect", "200-ok", 417),
            (2, "X-Large", String(repeating: "x", count: 40_000), 431),
        ])
        func `a body, an expectation and a head that are refused name the origin`(
            count: Int, name: String, value: String, status: Int
        ) async throws {
            let answer = try await stack.gateway.send(
                "POST", "/auth/refresh", headers: [("Origin", "https://admin.example.com"), (name, value)],
                body: [UInt8](repeating: 0x20, count: count))
            #expect(answer.status == status, "\(answer.text)")
            #expect(answer.headers["access-control-allow-origin"] == "https://admin.example.com")
        }

        @Test func `a health check is answered to GET and HEAD, before a wildcard route`() async throws {
            #expect(try await stack.gateway.get("/healthz").status == 200)
            #expect(try await stack.gateway.send("HEAD", "/healthz").status == 200)
            #expect(try await stack.gateway.send("POST", "/healthz").status == 405)
            let page = [("Origin", "https://admin.example.com")]
            let refused = try await stack.gateway.send("POST", "/healthz", headers: page)
            #expect(refused.headers["allow"] == "GET, HEAD" && refused.text.contains("method_not_allowed"))
            for answer in [refused, try await stack.gateway.send("GET", "/healthz", headers: page)] {
                #expect(answer.headers["access-control-allow-origin"] == "https://admin.example.com")
            }
            #expect(try await !stack.gateway.get("/healthz/").text.contains("\"ok\""))
        }

        @Test func `a compressed body of an endpoint of ours is 415`() async throws {
            let answer = try await stack.gateway.send(
                "POST", "/auth/refresh", headers: [("Content-Type", "application/json"), ("Content-Encoding", "gzip")])
            #expect(answer.status == 415 && answer.headers["accept-encoding"] == "identity")
        }

        @Test func `an optional token may be missing, and must be valid otherwise`() async throws {
            let tokens = try await stack.signIn().tokens
            func user(_ headers: [(String, String)]) async throws -> (status: Int, userID: String?) {
                let answer = try await stack.gateway.send(
                    "GET", "/maybe/api/hello", headers: headers + [("X-User-Id", "usr_forged")])
                return (answer.status, answer.status == 200 ? try answer.decoded(Greeting.self).userId : nil)
            }
            let anonymous = try await user([])
            #expect(anonymous.status == 200 && anonymous.userID == nil)
            let basic = try await user([("Authorization", "Basic YTpi")])
            #expect(basic.status == 200 && basic.userID == nil)
            let known = try await user([("Authorization", "Bearer \(tokens.accessToken)")])
            #expect(known.status == 200 && known.userID?.hasPrefix("usr_") == true && known.userID != "usr_forged")
            for bad in ["Bearer", "Bearer a.b.c", "Bearer \(tokens.accessToken)x", "Bearer a b"] {
                #expect(try await user([("Authorization", bad)]).status == 401, "\(bad)")
            }
            let ended = try await stack.gateway.send(
                "POST", "/auth/logout", headers: [("Authorization", "Bearer \(tokens.accessToken)")])
            #expect(ended.status < 300, "\(ended.text)")
            try await eventually("the revoked token is refused") {
                try await user([("Authorization", "Bearer \(tokens.accessToken)")]).status == 401
            }
        }

        @Test func `without contact to revocations an optional token is 503, and its absence is not`() async throws {
            let session = try await stack.signIn()
            func status(_ token: String?) async throws -> Int {
                try await stack.gateway.get("/maybe/api/hello", bearer: token).status
            }
            try await stack.without(["redis"]) {
                try await eventually("revocation cannot be asked") {
                    try await status(session.tokens.accessToken) == 503
                }
                #expect(try await status(nil) == 200)
                #expect(try await status("a.b.c") == 401)
            }
            try await eventually("the token is accepted again") {
                try await status(session.tokens.accessToken) == 200
            }
        }

        /// The gateway's own 404 has a code, the sample API's has none.
        @Test(arguments: [
            "/STAFF/api/hello", "/Staff/api/hello", "/staff./api/hello", "/staff%20/api/hello", "/staff.json",
            "/%C5%BFtaff/api/hello",
        ])
        func `another spelling of a path for one role is served by no weaker route`(path: String) async throws {
            let token = try await stack.signIn().tokens.accessToken
            #expect(try await stack.gateway.get("/staff/api/hello", bearer: token).status == 403)
            let open = try await stack.gateway.get("/anything/else", bearer: token)
            #expect(open.status == 404 && !open.text.contains("not_found"))
            let answer = try await stack.gateway.get(path, bearer: token)
            #expect(answer.status == 404 && answer.text.contains("not_found"), "\(answer.text)")
        }

        @Test func `refusals are in the access log, without the token`() async throws {
            let path = stack.dataDirectory + "/log/gateway.log"
            #expect(try await stack.gateway.get("/api/hello", bearer: "canary-4711.x.y").status == 401)
            try await eventually("the refusal is logged") {
                try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").contains { line in
                    line.contains("\"http.route\":\"/api/**\"") && line.contains("\"http.status\":401")
                }
            }
            #expect(try !String(contentsOfFile: path, encoding: .utf8).contains("canary-4711"))
        }
    }
}

/// howru with a rule of each kind.
private enum EdgePolicyFile {
    private static let route = """
            access: bearer
            identityAudience: app-api
          - path: /limited/**
            upstream: app
            limit: { max: 10, windowSeconds: 3600 }
            access: bearer
          - path: /maybe/**
            upstream: sample
            access: optional
            stripPrefix: true
          - path: /staff/**
            upstream: app
            access: { role: [admin] }
          - path: /**
            upstream: app
            access: open         # or
        """

    static let path = KeyPolicy.write(
        "edge-rules",
        changing: [
            "  app: $LATCHKEY_UPSTREAM": "  app: $LATCHKEY_UPSTREAM\n  sample: $LATCHKEY_UPSTREAM",
            "cors: none": "cors: { origins: [\"https://admin.example.com\"] }", "hstsSeconds: 0": "hstsSeconds: 600",
            "    access: bearer": route,
        ])
}
