import AccessTokens
import CryptoPrimitives
import FoundationEssentials
import StrictJSON
import Testing

/// PyJWT's tokens under our code, and ours under PyJWT's.
@Suite(.enabled(if: PeerScript.isInstalled, PeerScript.absence)) struct PyJWTTests {
    private static let countPerAlgorithm = 250

    @Test(.timeLimit(.minutes(5))) func `PyJWT's tokens are accepted, tampered ones refused`() async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        let lines = try await PeerScript.objects("pyjwt_peer", ["sign", "\(Self.countPerAlgorithm)", "\(seed)"])
        #expect(lines.count == Self.countPerAlgorithm * SignatureAlgorithm.allCases.count)
        for line in lines {
            // The whole private key, as a file would have it.
            let key = try VerificationKey(jwkText: try #require(line["jwk"]).encoded())
            let token = try line.text("token")
            let payload = try CompactJWS(Array(token.utf8)).payload(verifiedWith: key)
            #expect(Base64URL.encode(payload) == (try line.text("payload")), "seed \(seed)")
            for tampered in try RandomTokens.tampered(token) {
                #expect(throws: TokenRejection.badSignature, "\(tampered)") {
                    try CompactJWS(Array(tampered.utf8)).payload(verifiedWith: key)
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: SignatureAlgorithm.allCases)
    func `PyJWT accepts our tokens and refuses them tampered`(algorithm: SignatureAlgorithm) async throws {
        let key = try SigningKey.generate(keyID: "k", algorithm: algorithm)
        let jwk = try JWKText.of(key)
        var expected: [String] = []
        var requests: [String] = []
        for _ in 0..<Self.countPerAlgorithm {
            let payload = RandomTokens.payload()
            let token = try CompactJWS.sign(payload, type: Bool.random() ? "JWT" : nil, with: key)
            requests.append(#"{"alg":"\#(algorithm.rawValue)","jwk":\#(jwk),"token":"\#(token)"}"#)
            expected.append(Base64URL.encode(payload))
            for tampered in try RandomTokens.tampered(token) {
                requests.append(#"{"alg":"\#(algorithm.rawValue)","jwk":\#(jwk),"token":"\#(tampered)"}"#)
                expected.append("refused")
            }
        }
        #expect(try await PeerScript.run("pyjwt_peer", ["verify"], input: requests) == expected)
    }
}

/// A key of ours as a peer reads it.
enum JWKText {
    static func of(_ key: SigningKey) throws -> String {
        guard let jwk = key.verificationKey.jwk else {
            return #"{"kty":"oct","k":"\#(Base64URL.encode(key.privateKeyDER))"}"#
        }
        return String(decoding: try JSONEncoder().encode(jwk), as: UTF8.self)
    }
}
