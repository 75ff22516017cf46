import AccessTokens
import CryptoPrimitives
import Policies
import Testing

@testable import FakesCore
@testable import UserCore

/// Which identity tokens are accepted, by howru's policy unless another is named.
@Suite struct IdentityTokenTests {
    private let fixture: IdentityFixture

    init() throws { fixture = try IdentityFixture() }

    /// A token with one thing wrong, and the rule that it breaks.
    struct Wrong: Sendable {
        let name: String
        let wish: TokenWish
        let rejection: IdentityTokenRejection

        init(_ name: String, _ wish: TokenWish, _ rejection: IdentityTokenRejection) {
            (self.name, self.wish, self.rejection) = (name, wish, rejection)
        }
    }

    private static func with(_ claims: [String: String]) -> TokenWish { TokenWish(claims: claims) }
    private static let both = "[\"com.howru\",\"com.howru.web\"]"
    private static func without(_ claim: String) -> TokenWish { TokenWish(without: [claim]) }

    static let wrong: [Wrong] = [
        Wrong("alg none", TokenWish(fault: .algorithmNone), .wrongAlgorithm),
        Wrong("the public key as a secret", TokenWish(fault: .publicKeyAsSecret), .wrongAlgorithm),
        Wrong("another algorithm of the same issuer", TokenWish(algorithm: "ES256"), .wrongAlgorithm),
        Wrong("a foreign key", TokenWish(fault: .foreignKey), .badSignature),
        Wrong("an unknown key", TokenWish(fault: .unknownKey), .unknownKey),
        Wrong("a spoiled signature", TokenWish(fault: .spoiledSignature), .badSignature),
        Wrong("no signature", TokenWish(fault: .noSignature), .badSignature),
        Wrong("a changed subject", TokenWish(fault: .changedPayload), .badSignature),
        Wrong("a critical extension", TokenWish(fault: .critical), .critical),
        Wrong("two signatures", TokenWish(fault: .twoSignatures), .malformed),
        Wrong("a claim twice", TokenWish(fault: .duplicateClaim), .malformed),
        Wrong("no JSON", TokenWish(fault: .brokenPayload), .malformed),
        Wrong("100 KB", TokenWish(fault: .huge), .tooLarge),
        Wrong("another type", TokenWish(type: "at+jwt"), .wrongType),
        Wrong("news of an account", with(["events": "{}"]), .wrongType),
        Wrong("another issuer", with(["iss": "\"https://evil.example\""]), .wrongIssuer),
        Wrong("an issuer with a slash", with(["iss": "\"https://appleid.apple.com/\""]), .wrongIssuer),
        Wrong("a list of issuers", with(["iss": "[\"https://appleid.apple.com\"]"]), .invalidClaim),
        Wrong("no issuer", without("iss"), .missingClaim),
        Wrong("another audience", TokenWish(audience: "com.other"), .wrongAudience),
        Wrong("an audience in capitals", TokenWish(audience: "COM.HOWRU"), .wrongAudience),
        Wrong("two audiences", with(["aud": "[\"com.howru\",\"com.other\"]"]), .wrongAudience),
        Wrong(
            "an audience of another's beside ours",
            with(["aud": "[\"com.howru\",\"com.other\"]", "azp": "\"com.howru\""]), .wrongAudience),
        Wrong("our audience twice", with(["aud": "[\"com.howru\",\"com.howru\"]"]), .wrongAudience),
        Wrong("two audiences without azp", with(["aud": both]), .wrongAudience),
        Wrong("two audiences and no azp", with(["aud": both, "azp": "null"]), .wrongAudience),
        Wrong("two audiences and another azp", with(["aud": both, "azp": "\"com.other\""]), .wrongAudience),
        Wrong("two audiences and an empty azp", with(["aud": both, "azp": "\"\""]), .wrongAudience),
        Wrong("two audiences and a list as azp", with(["aud": both, "azp": "[\"com.howru\"]"]), .invalidClaim),
        Wrong("an audience that is null", with(["aud": "[\"com.howru\",null]"]), .invalidClaim),
        Wrong("an empty list", with(["aud": "[]"]), .wrongAudience),
        Wrong("an empty audience", with(["aud": "\"\""]), .wrongAudience),
        Wrong("a numeric audience", with(["aud": "7"]), .invalidClaim),
        Wrong("no audience", without("aud"), .missingClaim),
        Wrong("expired", TokenWish(ageSeconds: 600, lifetimeSeconds: 600), .expired),
        Wrong("a textual exp", with(["exp": "\"1900000000\""]), .invalidClaim),
        Wrong("an exp that is rounded down to now", with(["exp": "1800000000.9"]), .expired),
        Wrong("an exp of long ago", with(["exp": "-1e300"]), .expired),
        Wrong("an exp that is null", with(["exp": "null"]), .missingClaim),
        Wrong("an exp without bounds", with(["exp": "1e999"]), .malformed),
        Wrong("no exp", without("exp"), .missingClaim),
        Wrong("too old", TokenWish(ageSeconds: 86_401, lifetimeSeconds: 1_000_000), .tooOld),
        Wrong("the least iat", with(["iat": "-9223372036854775808"]), .tooOld),
        Wrong("an iat of tomorrow", TokenWish(ageSeconds: -86_400), .notYetValid),
        Wrong("the greatest iat", with(["iat": "9223372036854775807"]), .notYetValid),
        Wrong("an nbf of tomorrow", with(["nbf": "1800086400"]), .notYetValid),
        Wrong("an nbf that is rounded up", with(["nbf": "1800000060.1"]), .notYetValid),
        Wrong("an nbf with an exponent", with(["nbf": "1.9e9"]), .notYetValid),
        Wrong("an nbf of the far future", with(["nbf": "1e300"]), .notYetValid),
        Wrong("a textual nbf", with(["nbf": "\"1800000000\""]), .invalidClaim),
        Wrong("an iat of the far future", with(["iat": "1e300"]), .notYetValid),
        Wrong("an iat of the far past", with(["iat": "-1e300"]), .tooOld),
        Wrong("an iat that is true", with(["iat": "true"]), .invalidClaim),
        Wrong("an issuer that is null", with(["iss": "null"]), .missingClaim),
        Wrong("a subject that is null", with(["sub": "null"]), .missingClaim),
        Wrong("no iat", without("iat"), .missingClaim),
        Wrong("a nonce alone", TokenWish(nonce: "n"), .wrongNonce),
        Wrong("a numeric nonce", with(["nonce": "7"]), .invalidClaim),
        Wrong("a numeric subject", with(["sub": "7"]), .invalidClaim),
        Wrong("an empty subject", with(["sub": "\"\""]), .invalidClaim),
        Wrong("a subject with a line break", with(["sub": "\"a\\nb\""]), .invalidClaim),
        Wrong("a long subject", TokenWish(subject: String(repeating: "x", count: 257)), .invalidClaim),
        Wrong("no subject", without("sub"), .missingClaim),
    ]

    @Test func `a good token is accepted, by each issuer and for each audience`() throws {
        let good = [
            TokenWish(), TokenWish(audience: "com.howru.web"), TokenWish(type: "JWT"),
            Self.with(["iss": "\"https://account.apple.com\""]), Self.with(["aud": "[\"com.howru\"]"]),
            TokenWish(ageSeconds: 86_400, lifetimeSeconds: 100_000), TokenWish(ageSeconds: -60),
            Self.with(["email": "\"a@b.c\"", "email_verified": "\"true\"", "real_user_status": "2"]),
            TokenWish(fault: .noKeyID), TokenWish(type: "application/jwt"),
            Self.with(["aud": Self.both, "azp": "\"com.howru.web\""]),
            // With one audience, azp is not read.
            Self.with(["azp": "\"com.other\""]), Self.with(["aud": "[\"com.howru\"]", "azp": "7"]),
            Self.with(["exp": "1.8000006e9", "iat": "18e8", "nbf": "1800000060.0", "auth_time": "1799999999.5"]),
            Self.with(["exp": "1800000001.25", "iat": "1800000060.9", "auth_time": "null"]),
            Self.with(["exp": "1e300", "nbf": "-1e300"]), Self.with(["exp": "9223372036854775808"]),
            Self.with(["nbf": "null", "nonce": "null", "azp": "null", "events": "null", "email": "null"]),
        ]
        for wish in good { #expect(try fixture.rejection(try fixture.token(wish).identityToken) == nil) }
    }

    @Test(arguments: wrong)
    func `a wrong token is refused by its rule`(_ wrong: Wrong) throws {
        #expect(try fixture.rejection(try fixture.token(wrong.wish).identityToken) == wrong.rejection, "\(wrong.name)")
    }

    @Test(arguments: ["", ".", "..", "a.b", "a.b.c", "a.b.c.d", "ä.b.c", "eyJhbGciOiJSUzI1NiJ9..", " "])
    func `what is no token is refused`(_ text: String) throws { #expect(try fixture.rejection(text) != nil) }

    @Test func `under ES256 a token and its twin are accepted, and RS256 is not`() throws {
        let policy = IdentityFixture.policy(algorithm: "ES256")
        let minted = try fixture.token(TokenWish(algorithm: "ES256"))
        #expect(try fixture.rejection(minted.identityToken, by: policy) == nil)
        let twin = try #require(minted.twin)
        #expect(twin != minted.identityToken)
        #expect(try fixture.rejection(twin, by: policy) == nil)
        #expect(try fixture.rejection(try fixture.token().identityToken, by: policy) == .wrongAlgorithm)
    }

    @Test func `a token and its twin are one proof, and every other token is another`() throws {
        let minted = try fixture.token(TokenWish(algorithm: "ES256"))
        let (first, twin) = (try IdentityToken(minted.identityToken), try IdentityToken(try #require(minted.twin)))
        let id = { (token: IdentityToken) in token.proofID(issuer: "i", issuedAt: 1_800_000_000) }
        #expect(id(first) == id(twin) && id(first).count == 56 && id(first).hasPrefix("6b49d200"))
        #expect(id(first) != first.proofID(issuer: "j", issuedAt: 1_800_000_000))
        let other = try IdentityToken(try fixture.token(TokenWish(algorithm: "ES256")).identityToken)
        #expect(id(first) != id(other))
    }

    /// The rule, whether the token has the nonce's hash, what the request has, and whether that is accepted.
    static let nonces: [(IdentityProviderPolicy.NonceRule, String?, String?, Bool)] = [
        (.required, "n", "n", true), (.required, nil, nil, false), (.required, "n", nil, false),
        (.required, nil, "n", false), (.required, "n", "m", false),
        (.optional, "n", "n", true), (.optional, nil, nil, true), (.optional, "n", nil, false),
        (.optional, nil, "n", false), (.optional, "n", "m", false),
        (.ifSent, "n", "n", true), (.ifSent, nil, nil, true), (.ifSent, "n", nil, true), (.ifSent, nil, "n", false),
        (.ifSent, "n", "m", false),
    ]

    @Test(arguments: nonces)
    func `nonces are judged by the policy's rule`(
        rule: IdentityProviderPolicy.NonceRule, claim: String?, sent: String?, isAccepted: Bool
    ) throws {
        let token = try fixture.token(TokenWish(nonce: claim)).identityToken
        let rejection = try fixture.rejection(token, nonce: sent, by: IdentityFixture.policy(rule))
        #expect(rejection == (isAccepted ? nil : .wrongNonce))
    }

    @Test(arguments: IdentityProviderPolicy.NonceRule.allCases)
    func `a token of Apple's page for browsers needs its nonce, whatever else an SDK may leave out`(
        _ rule: IdentityProviderPolicy.NonceRule
    ) throws {
        func rejection(
            _ audience: String, claim: String?, sent: String?, name: String = "apple"
        ) throws -> IdentityTokenRejection? {
            var policy = IdentityFixture.policy(rule, name: name)
            policy.web = WebSignInPolicy(clientID: "com.howru.web")
            let token = try fixture.token(TokenWish(audience: audience, nonce: claim)).identityToken
            return try fixture.rejection(token, nonce: sent, by: policy)
        }
        #expect(try rejection("com.howru.web", claim: "n", sent: nil) == .wrongNonce)
        #expect(try rejection("com.howru.web", claim: "n", sent: "m") == .wrongNonce)
        #expect(try rejection("com.howru.web", claim: "n", sent: "n") == nil)
        #expect(try rejection("com.howru.web", claim: nil, sent: nil) == (rule == .required ? .wrongNonce : nil))
        // The app's own tokens, and those of providers whose SDKs use the client of the page, keep the policy's rule.
        #expect(try rejection("com.howru", claim: "n", sent: nil) == (rule == .ifSent ? nil : .wrongNonce))
        let google = try rejection("com.howru.web", claim: "n", sent: nil, name: "google")
        #expect(google == (rule == .ifSent ? nil : .wrongNonce))
    }

    @Test(arguments: IdentityProviderPolicy.NonceRule.allCases)
    func `a raw nonce in the token, and a hash in capitals, are refused`(
        _ rule: IdentityProviderPolicy.NonceRule
    ) throws {
        let hash = Hex.encode(SHA256.hash(Array("n".utf8)))
        for claim in ["n", hash.uppercased(), hash + " "] {
            let token = try fixture.token(Self.with(["nonce": "\"\(claim)\""])).identityToken
            #expect(try fixture.rejection(token, nonce: "n", by: IdentityFixture.policy(rule)) == .wrongNonce)
        }
    }

    @Test func `the leeway prolongs a token, and its use is known until then`() throws {
        let token = try IdentityToken(try fixture.token(TokenWish(ageSeconds: 609, lifetimeSeconds: 600)).identityToken)
        let now = fixture.users.clock.seconds
        let rule = IdentityTokenRule(provider: IdentityFixture.policy(), leewaySeconds: 10)
        let key = fixture.mint.rsa.verificationKey
        #expect(try rule.verify(token, key: key, nonce: nil, now: now).usableUntil == now + 1)
        #expect(throws: IdentityTokenRejection.expired) {
            try rule.verify(token, key: key, nonce: nil, now: now + 1)
        }
    }

    @Test func `a provider that was asked to authenticate again states a time since then, by its own clock`() throws {
        let now = fixture.users.clock.seconds
        var rule = IdentityTokenRule(provider: IdentityFixture.policy(), leewaySeconds: 0)
        rule.authenticatedSince = now
        func rejection(_ wish: TokenWish) throws -> IdentityTokenRejection? {
            let token = try IdentityToken(try fixture.token(wish).identityToken)
            do throws(IdentityTokenRejection) {
                _ = try rule.verify(token, key: fixture.mint.rsa.verificationKey, nonce: nil, now: now)
                return nil
            } catch { return error }
        }
        for time in [now, now - 60, .max] as [Int64] {
            #expect(try rejection(Self.with(["auth_time": "\(time)"])) == nil)
        }
        for time in [now - 61, 0, .min] as [Int64] {
            #expect(try rejection(Self.with(["auth_time": "\(time)"])) == .oldAuthentication)
        }
        #expect(try rejection(Self.without("auth_time")) == .missingClaim)
        #expect(try rejection(Self.with(["auth_time": "\"now\""])) == .invalidClaim)
    }

    @Test func `the use of a token with a late exp is known for as long as it is accepted`() throws {
        let now = fixture.users.clock.seconds
        let token = try IdentityToken(try fixture.token(Self.with(["exp": "9223372036854775807"])).identityToken)
        let rule = IdentityTokenRule(provider: IdentityFixture.policy(), leewaySeconds: 30)
        let verified = try rule.verify(token, key: fixture.mint.rsa.verificationKey, nonce: nil, now: now)
        #expect(verified.usableUntil == now + 86_400)
    }
}
