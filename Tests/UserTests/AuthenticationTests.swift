import AccessTokens
import CryptoPrimitives
import InternalAPI
import TestSupport
import Testing

@testable import UserCore

@Suite struct AuthenticationTests {
    private let fixture: UserFixture
    private let subject = "usr_0123456789ab7fffbfffffffffffffff"

    init() throws { fixture = try UserFixture() }

    private func outcome(
        _ authentication: BearerAuthentication, _ token: String?
    ) async -> Result<SignedInUser, AuthenticationFailure> {
        do throws(AuthenticationFailure) {
            return .success(try await authentication.user(accessToken: token))
        } catch {
            return .failure(error)
        }
    }

    private var expected: SignedInUser? {
        UserID(text: subject, prefix: UserFixture.prefix).map { SignedInUser(id: $0, sessionID: "session-1") }
    }

    @Test func `the identity is the token's, and keys are fetched once`() async throws {
        let authentication = fixture.authentication(keys: fixture.keyCache())
        let token = try fixture.accessToken(subject)
        for _ in 0..<3 { #expect(await outcome(authentication, token) == .success(try #require(expected))) }
        #expect(fixture.tokenService.keyFetches == 1)
    }

    @Test func `concurrent first requests share one fetch`() async throws {
        let authentication = fixture.authentication(keys: fixture.keyCache())
        let token = try fixture.accessToken(subject)
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 {
                group.addTask { [expected] in
                    await outcome(authentication, token) == expected.map { .success($0) }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
        #expect(fixture.tokenService.keyFetches == 1)
    }

    @Test func `anything but one good bearer token is nobody`() async throws {
        let authentication = fixture.authentication(keys: fixture.keyCache())
        for none in [nil, String(repeating: "a", count: TokenLimits.tokenBytesMax + 1)] {
            #expect(await outcome(authentication, none) == .failure(.noToken))
        }
        let token = try fixture.accessToken(subject)
        #expect(await outcome(authentication, token + token) != .success(try #require(expected)))
        let expired = try fixture.accessToken(subject, lifetimeSeconds: 0)
        #expect(await outcome(authentication, expired) == .failure(.rejected(.expired)))
        let foreign = try fixture.accessToken(subject, issuer: "other")
        #expect(await outcome(authentication, foreign) == .failure(.rejected(.wrongIssuer)))
        let forger = try SigningKey.generate(keyID: "key-1", algorithm: .EdDSA)
        let forged = try fixture.accessToken(subject, key: forger)
        #expect(await outcome(authentication, forged) == .failure(.rejected(.badSignature)))
        let stranger = try fixture.accessToken("somebody")
        #expect(await outcome(authentication, stranger) == .failure(.foreignSubject))
    }

    @Test func `an unknown kid fetches at most once a second, and a new key is found`() async throws {
        let authentication = fixture.authentication(keys: fixture.keyCache())
        let newKey = try SigningKey.generate(keyID: "key-2", algorithm: .EdDSA)
        let token = try fixture.accessToken(subject, key: newKey)
        for _ in 0..<100 {
            #expect(await outcome(authentication, token) == .failure(.rejected(.unknownKey)))
        }
        #expect(fixture.tokenService.keyFetches == 1)
        fixture.tokenService.publish([fixture.signingKey, newKey])
        fixture.clock.advance(seconds: 1)
        #expect(await outcome(authentication, token) == .success(try #require(expected)))
        #expect(fixture.tokenService.keyFetches == 2)
    }

    @Test func `without keys it is not the client's fault, and a second later it is tried again`() async throws {
        let authentication = fixture.authentication(keys: fixture.keyCache())
        let token = try fixture.accessToken(subject)
        fixture.tokenService.setAway(true)
        for _ in 0..<10 { #expect(await outcome(authentication, token) == .failure(.keysUnavailable)) }
        #expect(fixture.tokenService.keyFetches == 1)
        fixture.tokenService.setAway(false)
        fixture.clock.advance(seconds: 1)
        #expect(await outcome(authentication, token) == .success(try #require(expected)))
    }

    @Test func `the last good keys serve while token-service is away, but say nothing of unknown ones`() async throws {
        let authentication = fixture.authentication(keys: fixture.keyCache())
        let token = try fixture.accessToken(subject, lifetimeSeconds: 86_400)
        #expect(await outcome(authentication, token) == .success(try #require(expected)))
        fixture.tokenService.setAway(true)
        fixture.clock.advance(seconds: 301)
        #expect(await outcome(authentication, token) == .success(try #require(expected)))
        let newKey = try SigningKey.generate(keyID: "key-2", algorithm: .EdDSA)
        let newToken = try fixture.accessToken(subject, key: newKey)
        #expect(await outcome(authentication, newToken) == .failure(.keysUnavailable))
    }

    @Test func `a withdrawn key is good no longer once the set is fetched again`() async throws {
        let authentication = fixture.authentication(keys: fixture.keyCache())
        let token = try fixture.accessToken(subject, lifetimeSeconds: 86_400)
        #expect(await outcome(authentication, token) == .success(try #require(expected)))
        fixture.tokenService.publish([])
        fixture.clock.advance(seconds: 301)
        // A request that can be served does not wait for the fetch: the first response still uses the old set.
        #expect(await outcome(authentication, token) == .success(try #require(expected)))
        try await eventually("the set is fetched again") { fixture.tokenService.keyFetches >= 2 }
        try await eventually("the key is unknown") {
            await outcome(authentication, token) == .failure(.rejected(.unknownKey))
        }
    }

    @Test func `a key that is missing while the last fetch is too old to tell is not the client's fault`() async throws
    {
        let authentication = fixture.authentication(keys: fixture.keyCache())
        let newKey = try SigningKey.generate(keyID: "key-2", algorithm: .EdDSA)
        let (token, known) = (try fixture.accessToken(subject, key: newKey), try fixture.accessToken(subject))
        #expect(await outcome(authentication, known) == .success(try #require(expected)))
        fixture.tokenService.publish([fixture.signingKey, newKey])
        fixture.clock.advance(milliseconds: KeyPublication.settleMilliseconds + 1)
        #expect(await outcome(authentication, token) == .failure(.keysUnavailable))
        fixture.clock.advance(milliseconds: 1000 - KeyPublication.settleMilliseconds)
        #expect(await outcome(authentication, token) == .success(try #require(expected)))
    }

    @Test func `a set of yesterday serves no more`() async throws {
        let authentication = fixture.authentication(keys: fixture.keyCache())
        let token = try fixture.accessToken(subject, lifetimeSeconds: 200_000)
        #expect(await outcome(authentication, token) == .success(try #require(expected)))
        fixture.tokenService.setAway(true)
        fixture.clock.advance(seconds: 24 * 3600)
        #expect(await outcome(authentication, token) == .failure(.keysUnavailable))
    }

    @Test func `an HS256 profile's tokens are good under the secret from the file`() async throws {
        let secrets = try UserFixture.ring()
        let key = try SigningKey(keyID: "k1", algorithm: .HS256, privateKeyDER: secrets.signing.secret)
        let token = try fixture.accessToken(subject, key: key)
        let known = fixture.authentication(keys: fixture.keyCache(secrets: secrets))
        #expect(await outcome(known, token) == .success(try #require(expected)))
        let unknown = fixture.authentication(keys: fixture.keyCache())
        #expect(await outcome(unknown, token) == .failure(.rejected(.unknownKey)))
    }
}
