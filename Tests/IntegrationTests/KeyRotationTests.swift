import AuthAPI
import CryptoPrimitives
import FoundationEssentials
import InternalAPI
import TestSupport
import Testing

extension Live {
    /// Signing keys change under clients who must not notice (security guide R-25, F-62), and one is lost.
    @Suite(
        .serialized, .timeLimit(.minutes(5)),
        .stack(["LATCHKEY_REPLICAS": "token=2", "LATCHKEY_POLICY": KeyPolicy.short]))
    struct KeyRotationTests {
        let stack: LatchkeyStack
        let control: KeyControl

        init() throws {
            stack = try #require(RunningStack.current)
            control = KeyControl(stack: stack)
        }

        private static let clients = 8
        private static let factorable = LatchkeyStack.root + "Tests/Vectors/roca-2048.pem"

        private func hello(_ token: String) async throws -> HTTPAnswer {
            try await stack.gateway.get("/api/hello", bearer: token)
        }

        /// Clients use their tokens and refresh them all the time while `body` runs; none of them may ever see a 401.
        ///
        /// A 503 is what a service that is stopped answers for, and the client tries again.
        private func expectNoRefusal(_ body: () async throws -> Void) async throws {
            let progress = Progress()
            let sessions = try await (0..<Self.clients).asyncMap { _ in try await stack.signIn().tokens }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for session in sessions {
                    group.addTask {
                        var tokens = session
                        while !progress.isOver { await progress.note { tokens = try await round(tokens) } }
                    }
                }
                do {
                    try await body()
                } catch {
                    progress.finish()
                    throw error
                }
                progress.finish()
                try await group.waitForAll()
            }
            #expect(
                progress.failures.isEmpty,
                "\(progress.failures.count) of \(progress.successes): \(progress.failures.prefix(3))")
            #expect(progress.successes > Self.clients)
        }

        /// Uses the access token often and the refresh token once.
        private func round(_ tokens: TokenReply) async throws -> TokenReply {
            for turn in 0..<20 {
                let path = turn % 5 == 0 ? "/users/me" : "/api/hello"
                let answer = try await stack.gateway.get(path, bearer: tokens.accessToken)
                guard [200, 503].contains(answer.status) else { throw UnexpectedAnswer(to: "GET \(path)", answer) }
            }
            // The answer may have been lost with the process that gave it: the same key asks for the same successor.
            let key = [("Idempotency-Key", UUID().uuidString)]
            while true {
                let refresh = try await stack.gateway.post(
                    "/auth/refresh", encoding: RefreshBody(refreshToken: tokens.refreshToken), headers: key)
                if refresh.status == 200 { return try refresh.decoded() }
                guard refresh.status == 503 else { throw UnexpectedAnswer(to: "POST /auth/refresh", refresh) }
                try await Task.sleep(for: .milliseconds(20))
            }
        }

        @Test func `five rotations at once, with token-service away half of the time, sign nobody out`() async throws {
            var kids: Set<String> = [try await control.signing()]
            try await expectNoRefusal {
                for _ in 0..<5 {
                    let outcome = try await control.run("rotate --now")
                    #expect(outcome.isSuccess, "\(outcome.output)")
                    kids.insert(try await control.signing())
                    try await stack.without(["token", "token-2"]) {
                        try await eventually("token-service is away") {
                            try await stack.gateway.post(
                                "/auth/refresh", encoding: RefreshBody(refreshToken: "none")
                            ).status == 503
                        }
                    }
                }
            }
            #expect(kids.count == 6)
        }

        @Test func `a rotation by the clock, killed between publishing and using, signs nobody out`() async throws {
            let before = try await control.signing()
            try await expectNoRefusal {
                #expect(try await control.run("rotate").isSuccess)
                let standby = try #require(try await control.list().first { $0.state == .published }?.kid)
                for name in ["token", "token-2"] { try stack.signal(name, 9) }
                try await eventually("the successor signs", every: .milliseconds(200)) {
                    // Refused while there is no listener.
                    do { return try await control.signing() == standby } catch { return false }
                }
            }
            #expect(try await control.list().contains { $0.kid == before && $0.state == .retiring })
        }

        @Test func `a key that is retired in an emergency is refused within 100 ms, and sign-in goes on`() async throws
        {
            let lost = try await control.signing()
            let old = try await stack.signIn().tokens
            #expect(try await hello(old.accessToken).status == 200)
            // The limit for fetches cannot be used up before the new key needs one.
            for _ in 0..<100 { #expect([401, 503].contains(try await hello(try forged(old.accessToken)).status)) }
            try await control.retire(lost)
            let answeredAt = ContinuousClock.now
            let fresh = try await stack.signIn().tokens
            #expect(try await hello(fresh.accessToken).status == 200)
            #expect(try await stack.gateway.get("/users/me", bearer: fresh.accessToken).status == 200)
            // The bound is a test's to use on any machine: a gateway that has heard nothing for so long answers 503, not 200.
            try await Task.sleep(until: answeredAt + .milliseconds(100), clock: .continuous)
            var refusals = 0
            try await eventually("fifty refusals", every: .zero) {
                let status = try await hello(old.accessToken).status
                #expect([401, 503].contains(status), "\(status) after \(ContinuousClock.now - answeredAt)")
                refusals += status == 401 ? 1 : 0
                return refusals == 50
            }
            let jwks = try await stack.gateway.get("/.well-known/jwks.json")
            #expect(!jwks.text.contains(lost))
            #expect(jwks.headers["cache-control"]?.hasPrefix("public, max-age=") == true)
            let renewed = try await stack.gateway.post(
                "/auth/refresh", encoding: RefreshBody(refreshToken: old.refreshToken))
            #expect(renewed.status == 200)
            // A gateway that starts later has heard nothing, and refuses all the same: with a 503 until it has contact.
            try await stack.restart("gateway", by: 15)
            var status = 503
            try await eventually("the gateway has contact") {
                status = try await hello(old.accessToken).status
                return status != 503
            }
            #expect(status == 401)
            #expect(try await hello(fresh.accessToken).status == 200)
        }

        /// Returns the token with an unknown `kid`.
        private func forged(_ token: String) throws -> String {
            let header = #"{"alg":"RS256","kid":"\#(Hex.encode(SecureRandom.bytes(8)))","typ":"at+jwt"}"#
            return Base64URL.encode(Array(header.utf8)) + token.drop { $0 != "." }
        }

        @Test func `the command line shows the keys, and says what is wrong`() async throws {
            let signing = try await control.signing()
            let list = try await control.run("list")
            #expect(list.isSuccess && list.output.contains(signing) && list.output.contains("RS256"))
            for (arguments, word) in [
                ("retire nobody", "nobody"), ("rotate --algorithm HS256", "RS256"), ("retire", "kid"),
                ("import /nowhere --kid k --algorithm RS256", "/nowhere"),
                ("import /etc/hostname --kid k --algorithm RS256", "does not parse"),
                ("import - --kid k --algorithm RS256 < <(openssl genrsa 1024 2>/dev/null)", "2048"),
                ("import '\(Self.factorable)' --kid k --algorithm RS256", "CVE-2017-15361"),
                ("list --token-url http://127.0.0.1:1", "token"),
                ("list --secrets-dir /nowhere", "/nowhere does not exist"),
            ] {
                let outcome = try await control.run(arguments)
                #expect(!outcome.isSuccess, "\(arguments)")
                #expect(outcome.output.contains(word), "\(arguments): \(outcome.output)")
            }
        }

        @Test func `an imported key is published`() async throws {
            let kid = "imported-" + Hex.encode(SecureRandom.bytes(4))
            let outcome = try await control.run(
                "import - --kid \(kid) --algorithm RS256 < <(openssl genrsa 2048 2>/dev/null)"
            )
            #expect(outcome.isSuccess, "\(outcome.output)")
            #expect(try await control.list().contains { $0.kid == kid && $0.state == .published })
            try await eventually("the gateway publishes it") {
                try await stack.gateway.get("/.well-known/jwks.json").text.contains(kid)
            }
        }
    }
}

extension Sequence {
    /// One after another.
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
