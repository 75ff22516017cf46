import AccessTokens
import AuthAPI
import CryptoPrimitives
import InternalAPI
import Policies
import ServiceKit
import Testing

@testable import TokenCore

@Suite struct ClientTokenTests {
    private let fixture: TokenFixture
    private let replica: Replica
    private var introspect: IntrospectToken { replica.parts.clientRoutes.introspect }

    init() async throws {
        fixture = try TokenFixture()
        replica = try await fixture.replica()
    }

    @Test func `an access token is described by its claims`() async throws {
        let tokens = try await replica.signIn(fixture)
        let reply = try await introspect(tokens.accessToken)
        let claims = try replica.claims(of: tokens.accessToken, policy: fixture.policy, now: fixture.clock.now)
        #expect(reply.active && reply.sub == TokenFixture.user && reply.sid == tokens.sessionID)
        #expect(reply.exp == tokens.accessExpiresAt && reply.iat == fixture.clock.now)
        #expect(reply.iss == "test.app" && reply.aud == "test-api" && reply.jti == claims.tokenID)
        #expect(reply.role == "user" && reply.tokenType == "Bearer")
        #expect(reply.authTime == fixture.clock.now)
    }

    @Test func `a refresh token is described by its session, and is still good afterwards`() async throws {
        let tokens = try await replica.signIn(fixture)
        let reply = try await introspect(tokens.refreshToken)
        #expect(reply.active && reply.sub == TokenFixture.user && reply.sid == tokens.sessionID)
        #expect(reply.exp == tokens.refreshExpiresAt && reply.iat == fixture.clock.now)
        #expect(reply.tokenType == "refresh_token" && reply.jti == nil && reply.role == nil && reply.authTime == nil)
        #expect(try await replica.refresh(tokens.refreshToken).result == .rotated)
    }

    @Test func `whatever is wrong with a token, the answer says nothing but that it is not active`() async throws {
        let foreign = try TokenFixture()
        let foreignTokens = try await foreign.replica().signIn(foreign)
        let tokens = try await replica.signIn(fixture)
        let used = tokens.refreshToken
        _ = try await replica.refresh(used)
        let ended = try await replica.signIn(fixture)
        try await replica.logout(refresh: ended.refreshToken)
        let altered = String(tokens.accessToken.dropLast(4)) + "AAAA"
        let bad = [
            "", "garbage", "a.b.c", altered, used, ended.accessToken, ended.refreshToken, foreignTokens.accessToken,
            foreignTokens.refreshToken, "rt_" + String(repeating: "0", count: 64), try fixture.grant(),
        ]
        for token in bad { #expect(try await introspect(token) == IntrospectionReply(active: false)) }
        fixture.clock.advance(3_600)
        #expect(try await introspect(tokens.accessToken) == IntrospectionReply(active: false))
        fixture.clock.advance(2_592_000)
        let late = try await replica.signIn(fixture)
        fixture.clock.advance(2_592_000)
        #expect(try await introspect(late.refreshToken) == IntrospectionReply(active: false))
    }

    @Test func `an access token of a version that a later one has replaced is not active`() async throws {
        let tokens = try await replica.signIn(fixture)
        let claims = try replica.claims(of: tokens.accessToken, policy: fixture.policy, now: fixture.clock.now)
        let key = try #require(replica.keys.current.signingKey(for: .ES256))
        try await replica.changeRights(role: "admin", version: claims.version + 1)
        for (version, isActive) in [(claims.version, false), (claims.version + 1, true)] {
            var other = claims
            other.version = version
            #expect(try await introspect(try AccessTokenSigner().sign(other, with: key)).active == isActive)
        }
    }

    @Test(arguments: [true, false])
    func `revoking either token ends the session, twice as once`(byAccessToken: Bool) async throws {
        let tokens = try await replica.signIn(fixture)
        let token = byAccessToken ? tokens.accessToken : tokens.refreshToken
        for _ in 0..<2 {
            _ = try await replica.parts.clientRoutes.end(
                LogoutRequest(refreshToken: token, accessToken: token), reason: .client)
        }
        #expect(fixture.feed.published.map(\.sessionID.text) == [tokens.sessionID])
        #expect(fixture.feed.published.map(\.reason) == [.client])
        for token in [tokens.accessToken, tokens.refreshToken] {
            #expect(try await !introspect(token).active)
        }
    }

    // MARK: - Clients

    private static let secret = "a1b2c3d4e5f60718293a4b5c6d7e8f90"

    private func clients() throws -> OAuthClients {
        try OAuthClients(KeyRing(parsing: "api \(Self.secret)\nother \(String(Self.secret.reversed()))"))
    }

    @Test func `a client is known by its id and secret, byte by byte`() throws {
        let clients = try clients()
        #expect(clients.accepts(id: "api", secret: Self.secret))
        #expect(clients.accepts(id: "other", secret: String(Self.secret.reversed())))
        for (id, secret) in [
            ("api", ""), ("api", Self.secret + "0"), ("api", Self.secret.uppercased()), ("Api", Self.secret),
            ("", Self.secret), ("other", Self.secret), ("nobody", Self.secret), ("api ", Self.secret),
        ] { #expect(!clients.accepts(id: id, secret: secret)) }
        #expect(try !OAuthClients(nil).accepts(id: "", secret: ""))
    }

    @Test(arguments: ["+", "/", "=", "%", "é", ":"])
    func `a secret with two spellings stops the start`(character: String) throws {
        let ring = try KeyRing(parsing: "api \(Self.secret)\(character)")
        #expect(throws: SettingsError.self) { try OAuthClients(ring) }
    }

    @Test func `failures of one address are limited, whoever asks, and pass with time`() throws {
        let gate = ClientGate(
            clients: try clients(), failures: FailureLimit(limitsLocalAddresses: true),
            now: { [fixture] in fixture.clock.now })
        func ask(_ secret: String, from address: String = "203.0.113.9") -> ClientTokenResult? {
            gate.refusal(
                of: ClientTokenRequest(clientID: "api", clientSecret: secret, token: "t", address: address))?.result
        }
        #expect(ask(Self.secret) == nil)
        for _ in 0..<FailureLimit.limit.max { #expect(ask("wrong") == .invalidClient) }
        #expect(ask("wrong") == .rateLimited)
        #expect(ask(Self.secret) == .rateLimited)
        #expect(ask(Self.secret, from: "203.0.113.10") == nil)
        fixture.clock.advance(FailureLimit.limit.windowSeconds)
        #expect(ask(Self.secret) == nil)
    }

    @Test func `failures from a wider IPv6 network are limited with four and sixteen times the maximum`() {
        let most = FailureLimit.limit.max
        func isLimited(_ address: String, after failures: [String]) -> Bool {
            let limit = FailureLimit(limitsLocalAddresses: false)
            for address in failures { limit.countFailure(address: address, now: 1) }
            return limit.retryAfterSeconds(address: address, now: 1) != nil
        }
        let inOne56 = (0..<4 * most).map { "2001:db8:0:1\($0 % 90 + 10)::1" }
        #expect(isLimited("2001:db8:0:1ff::1", after: inOne56))
        #expect(!isLimited("2001:db8:0:1ff::1", after: Array(inOne56.dropLast())))
        #expect(!isLimited("2001:db8:0:2ff::1", after: inOne56))
        let inOne48 = (0..<16 * most).map { "2001:db8:0:\($0 % 90 + 10)00::1" }
        #expect(isLimited("2001:db8:0:ff00::1", after: inOne48))
        #expect(!isLimited("2001:db8:1:ff00::1", after: inOne48))
    }

    @Test func `addresses of this machine are limited only where the settings say so`() {
        for (limitsLocal, isLimited) in [(true, true), (false, false)] {
            let failures = FailureLimit(limitsLocalAddresses: limitsLocal)
            for _ in 0..<FailureLimit.limit.max { failures.countFailure(address: "127.0.0.1", now: 1) }
            #expect((failures.retryAfterSeconds(address: "127.0.0.1", now: 1) != nil) == isLimited)
        }
    }
}
