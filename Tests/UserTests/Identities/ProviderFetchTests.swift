import AccessTokens
import AsyncHTTPClient
import CryptoPrimitives
import Hummingbird
import HummingbirdTesting
import Logging
import Policies
import ServiceCalls
import ServiceKit
import TestSupport
import Testing

@testable import FakesCore
@testable import UserCore

/// How keys are fetched over a real connection, from a provider that does not behave.
@Suite(.timeLimit(.minutes(5))) struct ProviderFetchTests {
    private static let rsa = "apple-rs"

    /// Looks a key up at a provider that `script` changes; `nil` while no answer can be had.
    private func knows(
        _ id: String, script steps: [Script.Step], isPatient: Bool = true
    ) async throws -> Bool? {
        let (script, router) = (Script(), Router(context: BasicRequestContext.self))
        try IdentityFake(script: script, client: nil, now: { 1_800_000_000 }).add(to: router)
        router.get("/moved") { _, _ in "never asked for" }
        script.append(steps)
        return try await Application(router: router).test(.live) { live in
            let client = makeHTTPClient()
            let exchange = HTTPProviderExchange(client: client, answerBytesMax: ProviderKeys.bytesMax)
            let keys = ProviderKeys(
                IdentityFixture.policy(), .RS256, url: "http://127.0.0.1:\(try #require(live.port))/auth/keys",
                exchange: isPatient ? PatientExchange(exchange: exchange) : exchange,
                logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
            var isKnown: Bool?
            do { isKnown = try await keys.judging(id) { $0 != nil } } catch is ProviderKeys.Unavailable {}
            try await client.shutdown()
            return isKnown
        }
    }

    @Test func `keys are fetched, and those of other kinds do not disturb`() async throws {
        #expect(try await knows(Self.rsa, script: []) == true)
        #expect(try await knows("other", script: []) == false)
    }

    @Test(arguments: [
        Script.Step(provider: "apple", status: 200, body: "<!doctype html><p>Sign in</p>"),
        Script.Step(provider: "apple", status: 302, headers: ["Location": "/auth/keys"]),
        Script.Step(provider: "apple", status: 503, body: "{}"),
        Script.Step(provider: "apple", status: 200, body: String(repeating: " ", count: 10 << 20)),
        Script.Step(
            provider: "apple", status: 200, body: #"{"keys":[],"x":"\#(String(repeating: "x", count: 70_000))"}"#),
    ])
    func `what is no key set, a redirect and 10 MB are no keys`(_ step: Script.Step) async throws {
        #expect(try await promptly("a refusal") { try await knows(Self.rsa, script: [step]) } == nil)
    }

    @Test(arguments: [200, 503])
    func `a response that is too large is told apart by its status`(_ status: Int) async throws {
        let (script, router) = (Script(), Router(context: BasicRequestContext.self))
        try IdentityFake(script: script, client: nil, now: { 1_800_000_000 }).add(to: router)
        script.append([Script.Step(provider: "apple", status: status, body: String(repeating: "x", count: 80_000))])
        try await Application(router: router).test(.live) { live in
            let client = makeHTTPClient()
            let exchange = HTTPProviderExchange(client: client, answerBytesMax: ProviderKeys.bytesMax)
            let url = "http://127.0.0.1:\(try #require(live.port))/auth/keys"
            await #expect(throws: AnswerTooLarge(status: status)) {
                try await exchange.send(ProviderRequest(.get, url: url, headers: [:], body: []), within: Patience.limit)
            }
            let answer = try await exchange.send(
                ProviderRequest(.get, url: url, headers: [:], body: []), within: Patience.limit)
            #expect(answer.status == 200)
            try await client.shutdown()
        }
    }

    @Test func `a provider that never answers is waited for two seconds`() async throws {
        let start = ContinuousClock.now
        // After eight seconds the key would be known.
        let step = Script.Step(provider: "apple", hang: 8)
        #expect(try await knows(Self.rsa, script: [step], isPatient: false) == nil)
        #expect(ContinuousClock.now - start >= .milliseconds(1_900))
    }
}

extension ProviderFetchTests {
    private func withClient(_ body: (HTTPProviderExchange) async throws -> Void) async throws {
        let client = makeHTTPClient()
        do { try await body(HTTPProviderExchange(client: client)) } catch {
            try await client.shutdown()
            throw error
        }
        try await client.shutdown()
    }

    @Test(arguments: FaultyServer.allCases)
    func `keys, codes and Apple's tokens fail with the same word`(_ server: FaultyServer) async throws {
        let key = try SigningKey.generate(keyID: "KEY1234567", algorithm: .ES256)
        let state = SignInState(
            provider: "acme", callbackURL: "https://a.example/cb",
            challenge: try #require(VerifierChallenge(ofVerifier: String(repeating: "v", count: 43))),
            redirect: "a.b:/c",
            now: 0)
        try await withClient { exchange in
            try await server.withURL { url in
                let code = CodeExchange(
                    provider: "acme", clientID: "c", secret: Secret("s"), tokenURL: url, exchange: exchange)
                await #expect(throws: CodeExchange.Failure.away(cause: server.word)) { try await code("1", of: state) }
                let apple = AppleServer(
                    url: url, secret: AppleClientSecret(teamID: "TEAM123456", key: key), exchange: exchange, now: { 0 })
                await #expect(throws: AppleFailure.failed(server.word)) { try await apple.revoke("t", clientID: "c") }
                let keys = ProviderKeys(
                    IdentityFixture.policy(), .RS256, url: url, exchange: exchange,
                    logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
                await #expect(throws: ProviderKeys.Unavailable.self) { try await keys.judging(Self.rsa) { _ in } }
            }
        }
    }
}

/// Waits for a response as long as tests do, so that a refusal is one of what came.
private struct PatientExchange: ProviderExchange {
    let exchange: any ProviderExchange

    func send(_ request: ProviderRequest, within limit: Duration) async throws -> ProviderAnswer {
        try await exchange.send(request, within: Patience.limit)
    }
}
