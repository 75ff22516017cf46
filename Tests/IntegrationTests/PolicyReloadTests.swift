import AuthAPI
import CryptoPrimitives
import Foundation
import Glibc
import TestSupport
import Testing

extension Live {
    /// Policies that the gateway reads again while it runs.
    @Suite(.serialized, .timeLimit(.minutes(10)), .stack(changing: ReloadedPolicy.start))
    struct PolicyReloadTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        private var path: String { stack.dataDirectory + "/policy.yaml" }

        /// Writes the policy of the start with `changes`, and waits until the gateway has accepted or refused it.
        private func reload(
            _ changes: [String: String] = [:], expecting line: String = "policy.reloaded", naming word: String = ""
        ) async throws {
            try ReloadedPolicy.text(changes).write(toFile: path, atomically: true, encoding: .utf8)
            try await stack.hangUp(expecting: line, naming: word)
        }

        private func count(_ result: String) async throws -> Int {
            try await stack.metric("policy_reloads_total{result=\"\(result)\"}")
        }

        /// The series of `policy_info`, of which there is one.
        private func hash() async throws -> String {
            let text = try await stack.operations("gateway").get("/metrics").text
            let lines = text.split(separator: "\n").filter { $0.hasPrefix("policy_info{") }
            try #require(lines.count == 1 && lines[0].hasSuffix(" 1"), "\(lines)")
            return String(lines[0])
        }

        private func status(_ path: String, _ token: String) async throws -> Int {
            try await stack.gateway.get(path, bearer: token).status
        }

        // MARK: - Effects

        @Test func `routes of a new policy are served, and those it lacks are not`() async throws {
            try await reload()
            let token = try await stack.signIn().tokens.accessToken
            #expect(try await status("/api/hello", token) == 200)
            #expect(try await status("/other/api/hello", token) == 404)
            try await reload(ReloadedPolicy.otherRoute)
            let hash = try await hash()
            #expect(try await status("/other/api/hello", token) == 200)
            try await reload()
            #expect(try await status("/other/api/hello", token) == 404)
            #expect(try await self.hash() != hash)
        }

        @Test func `proxies and pages of a new policy are trusted`() async throws {
            try await reload(["hstsSeconds: 0": "hstsSeconds: 600"])
            let overTLS = [("X-Forwarded-Proto", "https"), ("X-Forwarded-For", "192.0.2.7")]
            // A page of the gateway's own site, which the stack's address gives.
            let origin = "http://127.0.0.1:3000"
            let page = PageClient(stack.gateway, origin: origin)
            var answer = try await stack.gateway.send("GET", "/users/me", headers: overTLS + [("Origin", origin)])
            #expect(answer.headers["strict-transport-security"] == nil)
            #expect(answer.headers["access-control-allow-origin"] == nil)
            page.set("latchkey-refresh", "rt_unknown", path: "/auth")
            #expect(try await page.refresh().code == "cross_site")
            try await reload([
                "hstsSeconds: 0": "hstsSeconds: 600", "trustedProxies: []": "trustedProxies: [127.0.0.0/8]",
                "cors: none":
                    "cors: { origins: [\"\(origin)\"], credentials: true }\ncookies: { origins: [\"\(origin)\"] }",
            ])
            answer = try await stack.gateway.send("GET", "/users/me", headers: overTLS + [("Origin", origin)])
            #expect(answer.headers["strict-transport-security"] == "max-age=600")
            #expect(answer.headers["access-control-allow-origin"] == origin)
            #expect(try await page.refresh().code != "cross_site")
        }

        @Test func `a change of another key is refused whole, and named`() async throws {
            try await reload(ReloadedPolicy.otherRoute)
            let token = try await stack.signIn().tokens.accessToken
            let (hash, refused) = (try await hash(), try await count("refused"))
            try await reload(
                ["perUserMax: 100": "perUserMax: 99"], expecting: "policy.refused",
                naming: "sessions.perUserMax changed")
            #expect(try await status("/other/api/hello", token) == 200)
            #expect(try await self.hash() == hash)
            #expect(try await count("refused") == refused + 1)
        }

        @Test func `verified tokens stay so, and keys of identity proofs are read again`() async throws {
            try await reload()
            let token = try await stack.signIn().tokens.accessToken
            #expect(try await status("/api/hello", token) == 200)
            let misses = try await stack.metric("auth_token_cache_total{result=\"miss\"}")
            let secret = stack.dataDirectory + "/secrets/identity_ed25519"
            let old = try String(contentsOfFile: secret, encoding: .utf8)
            let handle = try FileHandle(forWritingTo: URL(filePath: secret))
            try handle.write(contentsOf: Data("new \(Hex.encode(SecureRandom.bytes(32)))\n\(old)".utf8))
            try handle.close()
            try await reload()
            #expect(try await stack.gateway.get("/.well-known/latchkey-identity.json").text.contains("\"new\""))
            #expect(try await status("/api/hello", token) == 200)
            #expect(try await stack.metric("auth_token_cache_total{result=\"miss\"}") == misses)
        }

        // MARK: - Disturbances

        @Test func `ten reloads and five refused ones fail no request, nor does one while the gateway stops`()
            async throws
        {
            try await reload()
            let before = (try await count("reloaded"), try await count("refused"))
            let load = RoadLoad(stack: stack)
            try await load.run { progress in
                for round in 1...15 {
                    if round.isMultiple(of: 3) {
                        try ReloadedPolicy.wrong(round / 3).write(toFile: path, atomically: true, encoding: .utf8)
                        try await stack.hangUp(expecting: "policy.refused")
                    } else {
                        let route = ReloadedPolicy.otherRoute.mapValues { $0.replacing("/other/", with: "/r\(round)/") }
                        try await reload(
                            route.merging(["idleTimeoutSeconds: 30": "idleTimeoutSeconds: \(30 + round)"]) { $1 })
                    }
                    try await load.go(on: progress, "after round \(round)")
                }
                #expect(try await count("reloaded") == before.0 + 10)
                #expect(try await count("refused") == before.1 + 5)
                try ReloadedPolicy.text([:]).write(toFile: path, atomically: true, encoding: .utf8)
                try stack.signal("gateway", SIGHUP)
                try await stack.restart("gateway", by: SIGTERM)
                try await load.go(on: progress, "after the restart")
            }
        }

        @Test func `SIGHUP ends no process`() async throws {
            try await reload()
            let before = try stack.processIDs
            #expect(before.count > 4)
            for name in before.keys.sorted() { for _ in 0..<2 { try stack.signal(name, SIGHUP) } }
            try await stack.hangUp(expecting: "policy.reloaded")
            let token = try await stack.signIn().tokens.accessToken
            #expect(try await status("/api/hello", token) == 200)
            #expect(try stack.processIDs == before)
        }

        @Test func `a policy behind symbolic links, as Kubernetes mounts it, is read again`() async throws {
            try await reload()
            let token = try await stack.signIn().tokens.accessToken
            let folder = stack.dataDirectory + "/mounted"
            let files = FileManager.default
            for (name, changes) in [("one", [:]), ("two", ReloadedPolicy.otherRoute)] {
                try files.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
                try ReloadedPolicy.text(changes).write(
                    toFile: "\(folder)/\(name)/policy.yaml", atomically: true, encoding: .utf8)
            }
            try files.removeItem(atPath: path)
            try files.createSymbolicLink(atPath: path, withDestinationPath: folder + "/now/policy.yaml")
            for (name, expected) in [("one", 404), ("two", 200)] {
                try files.createSymbolicLink(atPath: folder + "/next", withDestinationPath: name)
                #expect(unsafe rename(folder + "/next", folder + "/now") == 0)
                try await stack.hangUp(expecting: "policy.reloaded")
                #expect(try await status("/other/api/hello", token) == expected)
            }
            try files.removeItem(atPath: path)
            try await reload()
        }

        @Test func `a hundred reloads take no memory`() async throws {
            let token = try await stack.signIn().tokens.accessToken
            func reload(times: Int) async throws -> Int {
                for round in 0..<times {
                    try await self.reload(round.isMultiple(of: 2) ? ReloadedPolicy.otherRoute : [:])
                    let path = round.isMultiple(of: 2) ? "/other/api/hello" : "/api/hello"
                    #expect(try await status(path, token) == 200)
                }
                return try await stack.metric("process_resident_memory_bytes")
            }
            let before = try await reload(times: 20)
            let growth = try await reload(times: 100) - before
            #expect(growth < 12 << 20, "\(growth >> 20) MB")
        }
    }
}

/// The policies of these tests.
private enum ReloadedPolicy {
    /// The changes of howru with which the stack starts.
    static let start = PolicyText.unlimitedRefreshes.merging(PagePolicy.web("refreshCookie")) { $1 }.merging([
        "userIDPrefix:": "publicURL: http://localhost:8080\nuserIDPrefix:",
        "    access: bearer": "    access: bearer\n    identityAudience: app-api",
    ]) { $1 }

    /// Another route, with an upstream of its own.
    static let otherRoute = [
        "  app: $LATCHKEY_UPSTREAM": "  app: $LATCHKEY_UPSTREAM\n  sample: $LATCHKEY_UPSTREAM",
        "  - path: /api/**": """
          - path: /other/**
            upstream: sample
            access: bearer
            stripPrefix: true
          - path: /api/**
        """,
    ]

    static func text(_ changes: [String: String]) throws -> String {
        var text = try PolicyText.howru(changing: start)
        for (old, new) in changes {
            try #require(text.contains(old), "\(old)")
            text.replace(old, with: new)
        }
        return text
    }

    /// One of five policies that must be refused.
    static func wrong(_ number: Int) throws -> String {
        let text = try text([:])
        switch number {
        case 1: return String(text.prefix(text.count / 2))
        case 2: return text + "\nroutes: [\n"
        case 3: return text.replacing("perUserMax: 100", with: "perUserMax: 99")
        case 4: return text.replacing("    upstream: app ", with: "    upstream: nowhere ")
        default: return ""
        }
    }
}
