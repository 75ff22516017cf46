import AccessTokens
import CryptoPrimitives
import FoundationEssentials
import JWTKit
import Testing

/// jwt-kit's tokens under our code, and ours under jwt-kit's.
@Suite struct JWTKitTests {
    private static let countPerAlgorithm = 250

    /// A payload that jwt-kit can read and write; it asks nothing of the claims.
    private struct Claims: JWTPayload, Equatable {
        var jti: String
        var number: Int64
        var texts: [String]

        func verify(using algorithm: some JWTAlgorithm) async throws {}

        static func random() -> Claims {
            let texts = (0..<Int.random(in: 0...5)).map { _ in
                Hex.encode(SecureRandom.bytes(.random(in: 0...30))) + "é\"/😀"
            }
            return Claims(jti: Hex.encode(SecureRandom.bytes(8)), number: .random(in: .min ... .max), texts: texts)
        }
    }

    /// jwt-kit with `key` as its only one.
    private func collection(_ key: SigningKey) async throws -> JWTKeyCollection {
        let keys = JWTKeyCollection()
        switch key.algorithm {
        case .RS256:
            await keys.add(rsa: try Insecure.RSA.PrivateKey(pem: pem(key)), digestAlgorithm: .sha256, kid: "k")
        case .ES256: await keys.add(ecdsa: try ES256PrivateKey(pem: pem(key)), kid: "k")
        case .EdDSA: await keys.add(eddsa: try EdDSA.PrivateKey(pem: pem(key)), kid: "k")
        case .HS256:
            await keys.add(hmac: HMACKey(from: Data(key.privateKeyDER)), digestAlgorithm: .sha256, kid: "k")
        }
        return keys
    }

    private func pem(_ key: SigningKey) -> String {
        let text = Data(key.privateKeyDER).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN PRIVATE KEY-----\n\(text)\n-----END PRIVATE KEY-----\n"
    }

    @Test(.timeLimit(.minutes(5)), arguments: SignatureAlgorithm.allCases)
    func `jwt-kit's tokens are accepted, tampered ones refused`(algorithm: SignatureAlgorithm) async throws {
        let key = try SigningKey.generate(keyID: "k", algorithm: algorithm)
        let peer = try await collection(key)
        for _ in 0..<Self.countPerAlgorithm {
            let claims = Claims.random()
            let token = try await peer.sign(claims, kid: "k")
            let payload = try CompactJWS(Array(token.utf8)).payload(verifiedWith: key.verificationKey)
            #expect(try JSONDecoder().decode(Claims.self, from: Data(payload)) == claims)
            for tampered in try RandomTokens.tampered(token) {
                #expect(throws: TokenRejection.badSignature, "\(tampered)") {
                    try CompactJWS(Array(tampered.utf8)).payload(verifiedWith: key.verificationKey)
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: SignatureAlgorithm.allCases)
    func `jwt-kit accepts our tokens and refuses them tampered`(algorithm: SignatureAlgorithm) async throws {
        let key = try SigningKey.generate(keyID: "k", algorithm: algorithm)
        let peer = try await collection(key)
        for _ in 0..<Self.countPerAlgorithm {
            let claims = Claims.random()
            let token = try CompactJWS.sign(Array(try JSONEncoder().encode(claims)), type: "JWT", with: key)
            #expect(try await peer.verify(token, as: Claims.self) == claims)
            for tampered in try RandomTokens.tampered(token) {
                await #expect(throws: (any Error).self, "\(tampered)") {
                    _ = try await peer.verify(tampered, as: Claims.self)
                }
            }
        }
    }
}
