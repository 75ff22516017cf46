import AccessTokens
import FoundationEssentials
import JWTKit
import StrictJSON
import Testing

@testable import FakesCore

/// Identity tokens that latchkey-fakes mint, under jwt-kit and PyJWT: a good one is good to others too, and a hostile one is
/// hostile to others too. What these libraries do not check (nonces, a second audience, `crit`) is not asked of them.
@Suite struct IdentityTokenPeerTests {
    private static let audience = "com.howru"
    private static let mint = Result {
        try TokenMint(issuer: TokenMint.appleIssuer, audience: audience, keyName: "apple")
    }
    private static let good: [TokenWish] = [
        TokenWish(), TokenWish(algorithm: "ES256"), TokenWish(nonce: "n", type: "JWT"),
        TokenWish(claims: ["aud": "[\"com.howru\"]"]),
    ]
    private static let hostile: [TokenWish] =
        [
            TokenWish.Fault.algorithmNone, .publicKeyAsSecret, .foreignKey, .spoiledSignature, .noSignature,
            .changedPayload, .twoSignatures, .brokenPayload,
        ].map { TokenWish(fault: $0) } + [
            TokenWish(audience: "com.other"), TokenWish(ageSeconds: 900, lifetimeSeconds: 600),
            TokenWish(claims: ["iss": "\"https://evil.example\""]), TokenWish(without: ["exp"]),
            TokenWish(without: ["aud"]), TokenWish(without: ["iss"]),
        ]

    private static func tokens(_ wishes: [TokenWish]) throws -> [String] {
        let now = Int64(Date().timeIntervalSince1970)
        return try wishes.flatMap { wish in
            let minted = try mint.get().token(wish, now: now)
            return [minted.identityToken] + (minted.twin.map { [$0] } ?? [])
        }
    }

    private static func keySet() throws -> String {
        let keys = try [mint.get().rsa, mint.get().p256].map { try JWKText.of($0) }
        return "{\"keys\":[\(keys.joined(separator: ","))]}"
    }

    // MARK: - jwt-kit

    private struct Claims: JWTPayload {
        let iss: IssuerClaim
        let aud: AudienceClaim
        let exp: ExpirationClaim

        func verify(using algorithm: some JWTAlgorithm) async throws {
            try exp.verifyNotExpired()
            try aud.verifyIntendedAudience(includes: IdentityTokenPeerTests.audience)
            guard iss.value == TokenMint.appleIssuer else {
                throw JWTError.claimVerificationFailure(failedClaim: iss, reason: "another issuer")
            }
        }
    }

    private func jwtKit() async throws -> JWTKeyCollection {
        let keys = JWTKeyCollection()
        try await keys.add(jwksJSON: try Self.keySet())
        return keys
    }

    @Test func `jwt-kit accepts the good ones, twins too`() async throws {
        let keys = try await jwtKit()
        for token in try Self.tokens(Self.good) { _ = try await keys.verify(token, as: Claims.self) }
    }

    @Test func `jwt-kit refuses the hostile ones`() async throws {
        let keys = try await jwtKit()
        for token in try Self.tokens(Self.hostile) {
            await #expect(throws: (any Error).self, "\(token)") { _ = try await keys.verify(token, as: Claims.self) }
        }
    }

    // MARK: - PyJWT

    private func verdicts(_ wishes: [TokenWish]) async throws -> [String] {
        let keys = try Self.keySet()
        let lines = try Self.tokens(wishes).map {
            #"{"jwks":\#(keys),"issuer":"\#(TokenMint.appleIssuer)","audience":"\#(Self.audience)","token":"\#($0)"}"#
        }
        return try await PeerScript.run("identity_token_peer", input: lines)
    }

    @Test(.enabled(if: PeerScript.isInstalled, PeerScript.absence))
    func `PyJWT accepts the good ones and refuses the hostile ones`() async throws {
        #expect(Set(try await verdicts(Self.good)) == ["accepted"])
        #expect(Set(try await verdicts(Self.hostile)) == ["refused"])
    }
}
