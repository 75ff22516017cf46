import AccessTokens
import CryptoPrimitives
import StrictJSON
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

@Suite struct IdentitySignerTests {
    private static func ring(_ ids: [String] = ["k1"]) throws -> KeyRing {
        try KeyRing(parsing: ids.map { "\($0) 7d1f0c9b3a58e642d1f0c9b3a58e6427\($0)" }.joined(separator: "\n"))
    }

    private static let token = TokenIdentity(
        userID: "usr_1", sessionID: "s1", keyID: "a", version: 1, role: "admin", acceptedUntil: 10_000)

    @Test func `a proof says who calls, to whom and for how long`() throws {
        let signer = try IdentitySigner(issuer: "howru.app", keys: try Self.ring())
        let proof = try signer.proof(of: Self.token, for: "app-api", now: 1_000)
        let jws = try CompactJWS(Array(proof.utf8))
        #expect(jws.header.type == "identity+jwt")
        #expect(jws.header.keyID == "k1")
        let jwk = try #require(signer.published.keys.first)
        let payload = try jws.payload(verifiedWith: try VerificationKey(jwk: jwk))
        #expect(
            String(decoding: payload, as: UTF8.self)
                == #"{"iss":"howru.app","aud":"app-api","sub":"usr_1","sid":"s1","role":"admin","iat":1000,"exp":1060}"#
        )
    }

    @Test func `a proof says what the user was called where he comes from`() throws {
        let signer = try IdentitySigner(issuer: "howru.app", keys: try Self.ring())
        let token = TokenIdentity(
            userID: "usr_1", sessionID: "s1", keyID: "a", version: 1, role: nil, acceptedUntil: 10_000,
            legacyID: "fb\"1")
        let jws = try CompactJWS(Array(try signer.proof(of: token, for: "app-api", now: 1_000).utf8))
        let jwk = try #require(signer.published.keys.first)
        let payload = String(decoding: try jws.payload(verifiedWith: try VerificationKey(jwk: jwk)), as: UTF8.self)
        #expect(payload.contains(#""legacy_id":"fb\"1""#))
    }

    @Test func `a proof of a client has neither a user nor a session`() throws {
        let signer = try IdentitySigner(issuer: "howru.app", keys: try Self.ring())
        let token = TokenIdentity(
            userID: "billing", sessionID: "s1", keyID: "a", version: 0, role: "reports", acceptedUntil: 10_000,
            holder: .client)
        let jws = try CompactJWS(Array(try signer.proof(of: token, for: "app-api", now: 1_000).utf8))
        let jwk = try #require(signer.published.keys.first)
        let payload = try jws.payload(verifiedWith: try VerificationKey(jwk: jwk))
        #expect(
            String(decoding: payload, as: UTF8.self)
                == #"{"iss":"howru.app","aud":"app-api","client_id":"billing","role":"reports","iat":1000,"exp":1060}"#
        )
    }

    @Test func `a proof of a person who acts as a user names both`() throws {
        let signer = try IdentitySigner(issuer: "howru.app", keys: try Self.ring())
        let token = TokenIdentity(
            userID: "usr_1", sessionID: "s2", keyID: "a", version: 1, role: nil, acceptedUntil: 10_000,
            holder: .acting(by: "usr_9"))
        let jws = try CompactJWS(Array(try signer.proof(of: token, for: "app-api", now: 1_000).utf8))
        let payload = String(decoding: try jws.unverifiedPayload(), as: UTF8.self)
        #expect(payload.contains(#""sub":"usr_1","sid":"s2","act":{"sub":"usr_9"},"#))
    }

    @Test func `one proof serves a session and audience until it is old`() throws {
        let signer = try IdentitySigner(issuer: "howru.app", keys: try Self.ring())
        let first = try signer.proof(of: Self.token, for: "app-api", now: 1_000)
        #expect(try signer.proof(of: Self.token, for: "app-api", now: 1_039) == first)
        #expect(try signer.proof(of: Self.token, for: "app-api", now: 1_040) != first)
        #expect(try signer.proof(of: Self.token, for: "other", now: 1_000) != first)
        let later = TokenIdentity(
            userID: "usr_1", sessionID: "s1", keyID: "a", version: 2, role: nil, acceptedUntil: 10_000)
        #expect(try !signer.proof(of: later, for: "app-api", now: 1_000).isEmpty)
        #expect(try signer.proof(of: later, for: "app-api", now: 1_000) != first)
    }

    @Test func `all gateways with one secret have one key, and old keys stay published`() throws {
        let one = try IdentitySigner(issuer: "a", keys: try Self.ring())
        let two = try IdentitySigner(issuer: "a", keys: try Self.ring(["k2", "k1"]))
        #expect(two.published.keys.count == 2)
        #expect(two.published.keys.contains { $0 == one.published.keys.first })
        #expect(try two.proof(of: Self.token, for: "x", now: 1) != one.proof(of: Self.token, for: "x", now: 1))
    }

    @Test func `the edge takes no proof for an access token, even if it knew the key`() throws {
        let signer = try IdentitySigner(issuer: "howru.app", keys: try Self.ring())
        let proof = try signer.proof(of: Self.token, for: "howru-api", now: 1_000)
        let verifier = AccessTokenVerifier(
            issuer: "howru.app", audience: "howru-api", leewaySeconds: 0,
            keys: try VerificationKeySet(signer.published, secrets: nil))
        #expect(throws: TokenRejection.self) { try verifier.verified(Array(proof.utf8), now: 1_010) }
    }
}
