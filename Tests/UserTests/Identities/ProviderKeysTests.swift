import AccessTokens
import CoreMetrics
import ServiceCalls
import StrictJSON
import Testing

@testable import FakesCore
@testable import UserCore

/// When a provider's keys are fetched, and what serves while they cannot be.
@Suite(.timeLimit(.minutes(5))) struct ProviderKeysTests {
    private let fixture: IdentityFixture
    private let keys: ProviderKeys

    init() throws {
        fixture = try IdentityFixture()
        keys = try fixture.provider().keys
    }

    /// Whether the key is known; `nil` while that cannot be said.
    private func knows(_ id: String) async -> Bool? {
        do {
            return try await keys.judging(id) { key throws(IdentityTokenRejection) in
                guard key != nil else { throw .unknownKey }
                return true
            }
        } catch { return error as? IdentityTokenRejection == .unknownKey ? false : nil }
    }

    @Test func `a thousand unknown keys in ten seconds are one fetch, and only its own time is an answer`() async {
        for round in 0..<10 {
            await withTaskGroup(of: Bool?.self) { group in
                for number in 0..<100 { group.addTask { await self.knows("unknown-\(round)-\(number)") } }
                for await known in group { #expect(known == (round == 0 ? false : nil)) }
            }
            fixture.users.clock.advance(seconds: 1)
        }
        #expect(fixture.exchange.fetches == 1)
    }

    @Test func `a key that was published after a fetch is not unknown while no fetch is allowed`() async throws {
        #expect(await knows("apple-rs") == true)
        fixture.users.clock.advance(seconds: 60)
        #expect(await knows("stranger") == false)
        let other = try TokenMint(issuer: "i", audience: "a", keyName: "next")
        fixture.exchange.become(ProviderAnswer(status: 200, body: try other.keySet()))
        for _ in 0..<3 {
            fixture.users.clock.advance(seconds: 1)
            #expect(await knows("next-rs") == nil)
        }
        fixture.users.clock.advance(seconds: 27)
        #expect(await knows("next-rs") == true)
        #expect(fixture.exchange.fetches == 3)
    }

    @Test func `a new key is found thirty seconds after the last fetch, not before`() async throws {
        #expect(await knows("apple-rs") == true)
        let other = try TokenMint(issuer: "i", audience: "a", keyName: "next")
        fixture.exchange.become(ProviderAnswer(status: 200, body: try other.keySet()))
        fixture.users.clock.advance(seconds: 29)
        #expect(await knows("next-rs") == nil && fixture.exchange.fetches == 1)
        fixture.users.clock.advance(seconds: 1)
        #expect(await knows("next-rs") == true && fixture.exchange.fetches == 2)
        #expect(await knows("apple-rs") == false)
    }

    @Test func `while the provider is away its known keys serve for a day, and of others nothing is said`() async {
        #expect(await knows("apple-rs") == true)
        fixture.exchange.become(nil)
        for _ in 0..<23 {
            fixture.users.clock.advance(seconds: 3_600)
            #expect(await knows("apple-rs") == true)
            #expect(await knows("other") == nil)
        }
        fixture.users.clock.advance(seconds: 3_600)
        #expect(await knows("apple-rs") == nil)
    }

    @Test func `without keys there is no answer, and a fetch every two seconds at most`() async {
        fixture.exchange.become(nil)
        for _ in 0..<100 { #expect(await knows("apple-rs") == nil) }
        #expect(fixture.exchange.fetches == 1)
        fixture.users.clock.advance(seconds: 2)
        #expect(await knows("apple-rs") == nil && fixture.exchange.fetches == 2)
        fixture.exchange.become(ProviderAnswer(status: 200, body: (try? fixture.mint.keySet()) ?? []))
        fixture.users.clock.advance(seconds: 2)
        #expect(await knows("apple-rs") == true)
    }

    /// Responses that a provider may send instead of a key set.
    static let spoiled: [(String, ProviderAnswer)] = [
        ("a page", ProviderAnswer(status: 200, body: Array("<!doctype html><title>Sign in</title>".utf8))),
        ("a redirect", ProviderAnswer(status: 302, headers: ["location": "http://other.example/keys"])),
        ("a fault", ProviderAnswer(status: 500, body: Array(#"{"keys":[]}"#.utf8))),
        ("no content", ProviderAnswer(status: 204)),
        ("nothing", ProviderAnswer(status: 200)),
        ("an empty set", ProviderAnswer(status: 200, body: Array(#"{"keys":[]}"#.utf8))),
        ("no list", ProviderAnswer(status: 200, body: Array(#"{"keys":{}}"#.utf8))),
        ("a list", ProviderAnswer(status: 200, body: Array("[]".utf8))),
        ("a set twice", ProviderAnswer(status: 200, body: Array(#"{"keys":[]}{"keys":[]}"#.utf8))),
        (
            "symmetric keys only",
            ProviderAnswer(
                status: 200, body: Array(#"{"keys":[{"kty":"oct","kid":"a","alg":"HS256","k":"AAECAw"}]}"#.utf8))
        ),
        (
            "weak keys only",
            ProviderAnswer(status: 200, body: Array(#"{"keys":[{"kty":"RSA","kid":"a","n":"AQAB","e":"AQAB"}]}"#.utf8))
        ),
    ]

    @Test(arguments: spoiled)
    func `what is no key set leaves the known keys as they are`(_ name: String, _ answer: ProviderAnswer) async {
        #expect(await knows("apple-rs") == true)
        fixture.exchange.become(answer)
        fixture.users.clock.advance(seconds: 3_601)
        #expect(await knows("other") == nil, "\(name)")
        #expect(await knows("apple-rs") == true && fixture.exchange.fetches == 2, "\(name)")
    }

    @Test func `keys of other kinds, without alg, or that cannot be read do not spoil a set`() throws {
        let (rsa, p256) = (fixture.mint.rsa.verificationKey.jwk, fixture.mint.p256.verificationKey.jwk)
        var (plain, double, encryption) = (try #require(rsa), try #require(p256), try #require(rsa))
        (plain.alg, plain.use) = (nil, nil)
        double.kid = plain.kid
        (encryption.kid, encryption.use) = ("enc", "enc")
        let others = [
            #"{"kty":"oct","kid":"o","k":"AAECAw"}"#, #"{"kty":"RSA","kid":"n"}"#, #"{"kty":7,"kid":"t"}"#, #"7"#,
            #"{"kty":"AKP","kid":"q","alg":"ML-DSA-44","pub":"AA"}"#, #"{"kty":"EC","crv":"P-521","kid":"p"}"#, "{}",
        ]
        let keys = try [double, encryption, plain].map { String(decoding: try StrictJSON.encode($0), as: UTF8.self) }
        let text = Array("{\"keys\":[\((others + keys).joined(separator: ","))],\"more\":1}".utf8)
        let read = { (algorithm: SignatureAlgorithm) throws(KeyError) in
            try ForeignKeySet(text, for: algorithm, bytesMax: ProviderKeys.bytesMax)
        }
        for algorithm in [SignatureAlgorithm.RS256, .ES256] {
            let set = try read(algorithm)
            #expect(set.match("apple-rs").key?.algorithm == algorithm && set.match("apple-es").key == nil)
            #expect(set.match(nil).key?.algorithm == algorithm)
        }
        #expect(throws: KeyError.unsupportedKey) { try read(.EdDSA) }
        #expect(throws: KeyError.malformedKey) {
            try ForeignKeySet(text, for: .RS256, bytesMax: text.count - 1)
        }
    }
}
