import CryptoPrimitives
import InternalAPI
import ServiceCalls
import Synchronization
import TestSupport
import Testing

@testable import FakesCore
@testable import UserCore

/// Answers of providers, and codes, that lead nowhere.
@Suite(.timeLimit(.minutes(5))) struct WebSignInRefusalTests {
    @Test func `a state that is forged, too old, or of another provider, host or issuer is refused and stores nothing`()
        async throws
    {
        try await withWebSignIns { fixture in
            let asked = try fixture.begin("acme")
            fixture.endpoint.issue(try fixture.token(asked))
            let good = WebSignInFixture.returned("acme", asked)
            var wrong: [WebSignInReturn] = []
            func add(_ change: (inout WebSignInReturn) -> Void) {
                var changed = good
                change(&changed)
                wrong.append(changed)
            }
            add { $0.state = "" }
            add { $0.state = String(good.state.dropLast(2)) + "AA" }
            add { $0.state = Base64URL.encode(SecureRandom.bytes(300)) }
            add { $0.state = String(repeating: "A", count: 10_000) }
            add { $0.callbackURL = WebSignInFixture.callback("acme", at: "https://other.example.com") }
            add { $0.issuer = "https://evil.example" }
            // The answer of one provider at the callback of another.
            add { $0.provider = "apple" }
            add {
                $0.provider = "apple"
                $0.callbackURL = WebSignInFixture.callback("apple")
                $0.identityToken = "a.b.c"
            }
            // An error without a state.
            add {
                $0.state = ""
                $0.error = "access_denied"
            }
            for answer in wrong { #expect(try await fixture.finish(answer) == WebSignInAnswer(.refused), "\(answer)") }
            fixture.clock.advance(seconds: SignInState.lifetimeSeconds)
            #expect(try await fixture.finish(good) == WebSignInAnswer(.refused))
            #expect(try await fixture.noteCount() == 0 && fixture.endpoint.requests.isEmpty)
        }
    }

    @Test(arguments: ["apple", "acme"])
    func `a state serves once, but for a repeat of the same call`(_ provider: String) async throws {
        try await withWebSignIns { fixture in
            let asked = try fixture.begin(provider)
            let token = try fixture.token(asked)
            fixture.endpoint.issue(token)
            func finish(_ call: String) async throws -> WebSignInAnswer {
                try await fixture.finish(WebSignInFixture.returned(provider, asked, token: token, call: call))
            }
            #expect(try await finish("call-1").result == .redirected)
            #expect(try await finish("call-2") == WebSignInAnswer(.refused))
            #expect(try await finish("call-1").result == .redirected)
            #expect(try await fixture.noteCount() == 1)
        }
    }

    @Test func `fifty answers at once to one state are one sign-in`() async throws {
        try await withWebSignIns { fixture in
            let asked = try fixture.begin("apple")
            let token = try fixture.token(asked)
            let results = try await withThrowingTaskGroup(of: WebSignInAnswer.Result.self) { group in
                for number in 0..<50 {
                    group.addTask {
                        try await fixture.finish(
                            WebSignInFixture.returned("apple", asked, token: token, call: "call-\(number)")
                        ).result
                    }
                }
                return try await group.reduce(into: [WebSignInAnswer.Result: Int]()) { $0[$1, default: 0] += 1 }
            }
            #expect(results == [.redirected: 1, .refused: 49])
        }
    }

    @Test(arguments: [
        ("access_denied", "access_denied"), ("user_cancelled_authorize", "access_denied"),
        ("temporarily_unavailable", "temporarily_unavailable"), ("<script>", "provider_error"),
        ("invalid_scope", "provider_error"),
    ])
    func `a provider's error goes to the app in words of ours, once`(
        _ error: String, _ word: String
    )
        async throws
    {
        try await withWebSignIns { fixture in
            for (redirect, separator) in [(WebSignInFixture.redirect, "?"), (WebSignInFixture.web, "&")] {
                let asked = try fixture.begin("acme", redirect: redirect)
                let answer = try await fixture.finish(WebSignInFixture.returned("acme", asked, code: nil, error: error))
                #expect(answer.location == "\(redirect)\(separator)error=\(word)")
                // The state is used up, also for a code that comes later.
                for later in [
                    WebSignInFixture.returned("acme", asked, code: nil, error: error, call: "call-2"),
                    WebSignInFixture.returned("acme", asked, call: "call-3"),
                ] { #expect(try await fixture.finish(later) == WebSignInAnswer(.refused)) }
            }
            #expect(try await fixture.noteCount() == 2 && fixture.endpoint.requests.isEmpty)
        }
    }

    @Test(arguments: ["apple", "acme"])
    func `an answer without a code or a token is the provider's error`(_ provider: String) async throws {
        try await withWebSignIns { fixture in
            let asked = try fixture.begin(provider)
            let answer = try await fixture.finish(
                WebSignInFixture.returned(provider, asked, code: provider == "apple" ? "c" : nil))
            #expect(try WebSignInFixture.members(answer)["error"] == "provider_error")
            #expect(try await fixture.noteCount() == 1)
            let later = WebSignInFixture.returned(provider, asked, token: try fixture.token(asked), call: "call-2")
            #expect(try await fixture.finish(later) == WebSignInAnswer(.refused))
        }
    }

    @Test(arguments: ["apple", "acme"])
    func `the token of another sign-in, or for another client, is refused`(_ provider: String) async throws {
        try await withWebSignIns { fixture in
            let (asked, other) = (try fixture.begin(provider), try fixture.begin(provider))
            var client = asked
            client["client_id"] = IdentityFixture.audience
            for token in [
                try fixture.token(other), try fixture.token(client), try fixture.token(["client_id": "web-1"]),
            ] {
                let asked = try fixture.begin(provider)
                fixture.endpoint.issue(token)
                let answer = try await fixture.finish(WebSignInFixture.returned(provider, asked, token: token))
                #expect(try WebSignInFixture.members(answer)["error"] == "provider_error")
            }
            #expect(try await fixture.identities.users.count("users") == 0)
        }
    }

    @Test func `a provider that is away, refuses or answers nonsense is told apart`() async throws {
        try await withWebSignIns { fixture in
            let endpoint = fixture.endpoint
            let answers: [(status: Int?, body: String, word: String)] = [
                (nil, "", "temporarily_unavailable"), (503, "", "temporarily_unavailable"),
                (429, "", "temporarily_unavailable"), (400, #"{"error":"invalid_grant"}"#, "provider_error"),
                (302, "", "provider_error"), (200, "<html>", "provider_error"),
                (200, #"{"access_token":"a"}"#, "provider_error"), (200, #"{"id_token":"a.b.c"}"#, "provider_error"),
            ]
            for (status, body, word) in answers {
                if let status { endpoint.become(status, body) } else { endpoint.vanish() }
                let answer = try await fixture.finish(
                    WebSignInFixture.returned("acme", try fixture.begin("acme")))
                let error = try WebSignInFixture.members(answer)["error"]
                #expect(error == word, "\(body)")
            }
            for (status, word) in [
                (200, "provider_error"), (400, "provider_error"), (302, "provider_error"),
                (429, "temporarily_unavailable"), (503, "temporarily_unavailable"),
            ] {
                endpoint.vanish(AnswerTooLarge(status: status))
                let answer = try await fixture.finish(
                    WebSignInFixture.returned("acme", try fixture.begin("acme")))
                #expect(try WebSignInFixture.members(answer)["error"] == word, "\(status)")
            }
        }
    }

    // MARK: - Exchanges in flight

    private final class Ended: Sendable { let count = Mutex(0) }

    /// Brings junk codes from addresses to the callback while the token endpoint hangs, and returns how many requests it got and how
    /// many callbacks were answered at once.
    private func junk(_ addresses: [String], at fixture: WebSignInFixture) async throws -> (waiting: Int, ended: Int) {
        let gate = fixture.endpoint.hang()
        let before = fixture.endpoint.requests.count
        let states = try addresses.map { _ in try fixture.begin("acme") }
        let ended = Ended()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, address) in addresses.enumerated() {
                group.addTask {
                    let answer = try await fixture.finish(
                        WebSignInFixture.returned("acme", states[number], address: address, call: "call-\(number)"))
                    #expect(try WebSignInFixture.members(answer)["error"] == "temporarily_unavailable")
                    ended.count.withLock { $0 += 1 }
                }
            }
            try await eventually("each callback waits or is answered") {
                fixture.endpoint.requests.count - before + ended.count.withLock { $0 } == addresses.count
            }
            let result = (fixture.endpoint.requests.count - before, ended.count.withLock { $0 })
            gate.finish()
            try await group.waitForAll()
            return result
        }
    }

    @Test func `junk codes use up neither the provider nor another network's share`() async throws {
        try await withWebSignIns { fixture in
            fixture.endpoint.vanish()
            let alone = try await junk((0..<20).map { "192.0.2.\($0)" }, at: fixture)
            #expect(alone == (ExchangeSlots.networkMax, 20 - ExchangeSlots.networkMax))
            let site = try await junk((0..<9).map { "2001:db8:1:\($0)::1" }, at: fixture)
            #expect(site == (ExchangeSlots.networkMax, 9 - ExchangeSlots.networkMax))
            let nobody = try await junk(Array(repeating: "", count: 9), at: fixture)
            #expect(nobody == (ExchangeSlots.networkMax, 9 - ExchangeSlots.networkMax))
            let many = try await junk((0..<100).map { "198.18.\($0).1" }, at: fixture)
            #expect(many == (ExchangeSlots.providerMax, 100 - ExchangeSlots.providerMax))
            // All slots are free again.
            #expect(try await junk((0..<100).map { "198.18.\($0).2" }, at: fixture) == many)
        }
    }

    // MARK: - Codes

    @Test func `a code is worth nothing without its verifier, at another provider, changed or after a minute`()
        async throws
    {
        try await withWebSignIns { fixture in
            let code = try await fixture.code("apple")
            let refused = IdentityTokenAnswer(.refused)
            #expect(try await fixture.redeem("apple", code, verifier: String(repeating: "w", count: 43)) == refused)
            #expect(try await fixture.redeem("apple", code, verifier: "") == refused)
            #expect(try await fixture.redeem("acme", code) == refused)
            #expect(try await fixture.redeem("apple", String(code.dropLast(2)) + "AA") == refused)
            #expect(try await fixture.redeem("apple", try fixture.begin("apple")["state"] ?? "") == refused)
            #expect(try await fixture.redeem("apple", "") == refused)
            #expect(try await fixture.redeem("google", code) == IdentityTokenAnswer(.off))
            fixture.clock.advance(seconds: SignInCode.lifetimeSeconds - 1)
            #expect(try await fixture.redeem("apple", code).result == .proved)
            fixture.clock.advance(seconds: 1)
            #expect(try await fixture.redeem("apple", code) == refused)
        }
    }

    @Test func `after five wrong verifiers the right one is refused too, and other codes are not`() async throws {
        try await withWebSignIns { fixture in
            let code = try await fixture.code("apple")
            for number in 0..<WebSignInNotes.wrongMax {
                let wrong = String(repeating: "\(number)", count: 43)
                #expect(try await fixture.redeem("apple", code, verifier: wrong).result == .refused)
            }
            #expect(try await fixture.redeem("apple", code).result == .refused)
            let other = try await fixture.code("apple")
            #expect(try await fixture.redeem("apple", other).result == .proved)
        }
    }

    @Test func `without Redis, or with a full one, no state and no code is accepted`() async throws {
        try await withWebSignIns { fixture in
            let asked = try fixture.begin("apple")
            let answer = WebSignInFixture.returned("apple", asked, token: try fixture.token(asked))
            let code = try await fixture.code("apple")
            fixture.isFull.set()
            await #expect(throws: WebSignInNotes.Failure.self) { try await fixture.finish(answer) }
            try await fixture.server.kill()
            await #expect(throws: WebSignInNotes.Failure.self) { try await fixture.redeem("apple", code) }
        }
    }
}
