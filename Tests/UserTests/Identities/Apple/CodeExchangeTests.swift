import GRDB
import InternalAPI
import ServiceCalls
import TestSupport
import Testing

@testable import FakesCore
@testable import UserCore
@testable import UserTables

/// The exchange of Apple's authorization codes after a sign-in.
@Suite struct CodeExchangeTests {
    private let fixture: AppleFixture
    private var users: UserFixture { fixture.users }

    init() throws { fixture = try AppleFixture() }

    private func kinds() async throws -> [String] { try await users.texts("SELECT kind FROM outbox ORDER BY id") }

    @Test func `a sign-in asks Apple nothing, and its code is exchanged once afterwards`() async throws {
        _ = try await fixture.signIn(call: "call-1")
        #expect(fixture.exchange.bodies.isEmpty)
        #expect(try await kinds() == ["exchange_code"])
        await fixture.deliver()
        await fixture.deliver()
        #expect(fixture.exchange.bodies.count == 1)
        #expect(fixture.server.ledger.tokens.map(\.clientID) == [IdentityFixture.audience])
        #expect(try await kinds().isEmpty)
        #expect(try await users.count("apple_tokens") == 1)
    }

    @Test func `a repeat of the call queues no second exchange`() async throws {
        let token = try fixture.identities.token().identityToken
        let first = try await fixture.signIn(call: "call-1", token: token)
        let again = try await fixture.signIn(call: "call-1", token: token)
        #expect(again.user == first.user)
        #expect(try await kinds() == ["exchange_code"])
    }

    @Test func `neither the code nor the token is in the file in readable form`() async throws {
        let code = fixture.server.code(for: AppleFixture.subject, clientID: IdentityFixture.audience)
        _ = try await fixture.signIn(code: code)
        await fixture.deliver()
        let token = try #require(fixture.server.ledger.tokens.first?.token)
        for trace in try Trace.files(in: users.folder) {
            for canary in [Canary(code), Canary(token)] { #expect(!canary.stands(in: trace.bytes), "\(trace.name)") }
        }
    }

    @Test func `the client is the token's audience, and a redirect URI is repeated where there was one`() async throws {
        let redirect = "https://id.example.com/auth/apple/callback"
        let (client, subject) = ("com.howru.web", AppleFixture.subject)
        let user = try fixture.user(try await fixture.signIn(audience: client))
        await fixture.deliver()
        let issued = fixture.server.code(for: subject, clientID: client, redirectURI: redirect)
        let code = try #require(AuthorizationCode(issued, clientID: client, redirectURI: redirect))
        let message = try fixture.courier.seal.exchanging(code, of: subject, for: user)
        try await users.store.put([.tell(message, about: user, dueAt: 0)], now: users.clock.seconds)
        await fixture.deliver()
        #expect(fixture.server.ledger.tokens.map(\.clientID) == [client, client])
        #expect(fixture.server.ledger.refused == 0)
        #expect(
            fixture.exchange.bodies.map { $0.contains("redirect_uri=https%3A%2F%2Fid.example.com") } == [false, true])
    }

    @Test func `a token that cannot be stored at once is stored later, since its code is used up`() async throws {
        _ = try await fixture.signIn()
        try await users.execute(
            "CREATE TRIGGER refusal BEFORE INSERT ON apple_tokens BEGIN SELECT RAISE(ABORT, 'refused'); END")
        async let delivery: Void = fixture.deliver()
        try await eventually("the code is exchanged") { fixture.exchange.bodies.count == 1 }
        try await users.execute("DROP TRIGGER refusal")
        await delivery
        #expect(try await users.count("apple_tokens") == 1)
        #expect(fixture.exchange.bodies.count == 1)
    }

    @Test func `the token of another subject is dropped`() async throws {
        let foreign = fixture.server.code(for: "000999.other", clientID: IdentityFixture.audience)
        _ = try await fixture.signIn(code: foreign)
        await fixture.deliver()
        #expect(fixture.server.ledger.tokens.count == 1)
        #expect(try await kinds().isEmpty)
        #expect(try await users.count("apple_tokens") == 0)
    }

    @Test func `a used code is not tried again`() async throws {
        _ = try await fixture.signIn(code: "used")
        await fixture.deliver()
        await fixture.deliver(forSeconds: 300)
        #expect(fixture.exchange.bodies.count == 1)
        #expect(try await kinds().isEmpty)
    }

    @Test(arguments: [
        ProviderAnswer(status: 500), ProviderAnswer(status: 302, headers: ["location": "https://evil.example"]),
        ProviderAnswer(status: 400, body: Array(#"{"error":"invalid_client"}"#.utf8)),
    ])
    func `a code is tried while it is valid, and then dropped`(_ answer: ProviderAnswer) async throws {
        fixture.exchange.become(answer)
        _ = try await fixture.signIn()
        await fixture.deliver()
        await fixture.deliver(forSeconds: 273, step: 13)
        let tried = fixture.exchange.bodies.count
        #expect(tried > 10)
        #expect(try await kinds() == ["exchange_code"])
        fixture.exchange.become(nil)
        users.clock.advance(seconds: 27)
        await fixture.deliver()
        await fixture.deliver(forSeconds: 120)
        #expect(fixture.exchange.bodies.count == tried)
        #expect(try await kinds().isEmpty)
        #expect(try await users.count("apple_tokens") == 0)
    }

    @Test(arguments: [
        "", "[]", #"{"refresh_token":"r"}"#, #"{"id_token":"a.e30.c"}"#, #"{"refresh_token":"","id_token":"a.e30.c"}"#,
        #"{"refresh_token":"r","id_token":"a.e30.c"}"#, #"{"refresh_token":7,"id_token":"a.e30.c"}"#, "{",
    ])
    func `a response without a usable token is dropped`(_ body: String) async throws {
        fixture.exchange.become(ProviderAnswer(status: 200, body: Array(body.utf8)))
        _ = try await fixture.signIn()
        await fixture.deliver()
        #expect(try await kinds().isEmpty)
        #expect(try await users.count("apple_tokens") == 0)
    }

    @Test(arguments: ["a b", "a\u{7}", "é", String(repeating: "a", count: 1_025)])
    func `a code that Apple cannot have issued is left out`(_ code: String) async throws {
        _ = try await fixture.signIn(code: code)
        #expect(try await kinds().isEmpty)
    }

    @Test func `without the deployment's key no code is stored`() async throws {
        let prove = try users.proveIdentityToken(["apple": try fixture.identities.provider()])
        let request = IdentityTokenRequest(
            provider: "apple", token: try fixture.identities.token().identityToken, nonce: nil, callID: "c",
            authorizationCode: "code")
        let proof = try #require(try await prove(request, requestID: nil).proof)
        _ = try await users.resolver()(proof).answered
        #expect(try await kinds().isEmpty)
    }

    @Test func `a later sign-in's token replaces the earlier one, and each client has its own`() async throws {
        _ = try await fixture.signIn()
        users.clock.advance(seconds: 1)
        let user = try await fixture.signIn()
        _ = try await fixture.signIn(audience: "com.howru.web")
        await fixture.deliver()
        #expect(fixture.server.ledger.tokens.count == 3)
        #expect(try await users.count("apple_tokens") == 2)
        try await fixture.remove(user)
        await fixture.deliver()
        let revoked = fixture.server.ledger.tokens.filter { $0.revocations == 1 }
        #expect(Set(revoked.map(\.clientID)) == [IdentityFixture.audience, "com.howru.web"] && revoked.count == 2)
    }

    @Test func `many codes are exchanged in one round`() async throws {
        for number in 0..<40 { _ = try await fixture.signIn("000123.\(number)") }
        await fixture.deliver()
        #expect(fixture.server.ledger.tokens.count == 40)
        #expect(try await kinds().isEmpty)
    }
}
