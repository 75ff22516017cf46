import AccessTokens
import InternalAPI
import ServiceCalls
import StrictJSON
import Testing

@testable import FakesCore
@testable import UserCore

/// Keys and tokens without a `kid`, or with one of any text (OpenID Connect Core 10.1, RFC 7517 §4.5).
@Suite(.timeLimit(.minutes(1))) struct KeyWithoutIDTests {
    private let fixture: IdentityFixture
    private let prove: @Sendable (String, String?, String) async throws -> IdentityTokenAnswer

    init() throws {
        fixture = try IdentityFixture()
        prove = try fixture.prove()
    }

    /// Another key of the provider, made once.
    private static let other = Result {
        try TokenMint(issuer: IdentityFixture.issuer, audience: IdentityFixture.audience, keyName: "apple")
    }

    /// A key of a set: its JWK with another `kid`, as JSON; `nil` leaves it out.
    private static func entry(_ key: SigningKey, kid: String?) throws -> String {
        var jwk = try #require(key.verificationKey.jwk)
        jwk.kid = nil
        let text = String(decoding: try StrictJSON.encode(jwk), as: UTF8.self)
        return kid.map { #"{"kid":\#($0),"# + text.dropFirst() } ?? text
    }

    private func publish(_ entries: [String]) {
        let body = Array("{\"keys\":[\(entries.joined(separator: ","))]}".utf8)
        fixture.exchange.become(ProviderAnswer(status: 200, body: body))
    }

    /// The outcome of a token: whether it is accepted, or `nil` if the keys are not available.
    private func isAccepted(_ text: String) async throws -> Bool? {
        do { return try await prove(text, nil, "call").result == .proved } catch is ProviderKeys.Unavailable {
            return nil
        }
    }

    @Test(arguments: [nil, "null", "\"apple-rs\""], [TokenWish(), TokenWish(fault: .noKeyID)])
    func `one key that fits verifies if the set or the token has no kid`(_ kid: String?, _ wish: TokenWish) async throws
    {
        publish([try Self.entry(fixture.mint.rsa, kid: kid), try Self.entry(fixture.mint.p256, kid: nil)])
        #expect(try await isAccepted(try fixture.token(wish).identityToken) == true)
        let forged = TokenWish(fault: wish.fault == nil ? .foreignKey : .spoiledSignature)
        #expect(try await isAccepted(try fixture.token(forged).identityToken) == false)
    }

    @Test(arguments: [nil, "\"a\""])
    func `of several keys that fit, none verifies a token without kid`(_ kid: String?) async throws {
        let mint = try Self.other.get()
        publish([try Self.entry(fixture.mint.rsa, kid: kid), try Self.entry(mint.rsa, kid: kid.map { _ in "\"b\"" })])
        #expect(try await isAccepted(try fixture.token(TokenWish(fault: .noKeyID)).identityToken) == false)
        #expect(try await isAccepted(try fixture.token().identityToken) == false)
    }

    @Test func `a kid may be any text, which is compared byte by byte`() async throws {
        let mint = try Self.other.get()
        let keys = [try Self.entry(fixture.mint.rsa, kid: #""k+/=:ä 1""#), try Self.entry(mint.rsa, kid: #""\u212a""#)]
        let set = try ForeignKeySet(
            Array("{\"keys\":[\(keys.joined(separator: ","))]}".utf8), for: .RS256, bytesMax: ProviderKeys.bytesMax)
        #expect(set.match("k+/=:ä 1").key != nil && set.match("\u{212A}").key != nil)
        for other in ["K", "k", "", "k+/=:a\u{308} 1"] { #expect(set.match(other).key == nil, "\(other)") }
    }

    @Test func `after a bad signature the only key is fetched again, under the same bar`() async throws {
        publish([try Self.entry(fixture.mint.rsa, kid: nil)])
        #expect(try await isAccepted(try fixture.token().identityToken) == true)
        let mint = try Self.other.get()
        publish([try Self.entry(mint.rsa, kid: nil)])
        let new = { try mint.token(TokenWish(), now: fixture.users.clock.seconds).identityToken }
        fixture.users.clock.advance(seconds: 29)
        #expect(try await isAccepted(try new()) == nil && fixture.exchange.fetches == 1)
        fixture.users.clock.advance(seconds: 1)
        #expect(try await isAccepted(try new()) == true && fixture.exchange.fetches == 2)
        // The old key is no longer published, which is certain only after another fetch.
        fixture.users.clock.advance(seconds: 1)
        #expect(try await isAccepted(try fixture.token().identityToken) == nil)
        fixture.users.clock.advance(seconds: 30)
        #expect(try await isAccepted(try fixture.token().identityToken) == false && fixture.exchange.fetches == 3)
        // A rule other than the signature needs no fetch.
        let expired = try mint.token(TokenWish(audience: "com.other"), now: fixture.users.clock.seconds)
        #expect(try await isAccepted(expired.identityToken) == false && fixture.exchange.fetches == 3)
    }

    @Test(arguments: ["", #"{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}"#, #"{"kty":"oct","k":"AAECAw"}"#])
    func `a set without a key of the algorithm leaves the previous keys`(_ entry: String) async throws {
        publish([entry].filter { !$0.isEmpty })
        #expect(try await isAccepted(try fixture.token().identityToken) == nil)
        publish([try Self.entry(fixture.mint.rsa, kid: nil)])
        fixture.users.clock.advance(seconds: 2)
        #expect(try await isAccepted(try fixture.token().identityToken) == true)
        publish([entry].filter { !$0.isEmpty })
        fixture.users.clock.advance(seconds: 3_601)
        for _ in 0..<2 { #expect(try await isAccepted(try fixture.token().identityToken) == true) }
    }

    @Test func `an Ed25519 key and token may have the algorithm's newer name`() throws {
        let key = try SigningKey.generate(keyID: "ed", algorithm: .EdDSA)
        for name in ["EdDSA", "Ed25519"] {
            let text = try Self.entry(key, kid: "\"ed\"").replacing("EdDSA", with: name)
            let set = try ForeignKeySet(Array("{\"keys\":[\(text)]}".utf8), for: .EdDSA, bytesMax: 4_096)
            #expect(set.match("ed").key != nil)
        }
    }
}
