import CryptoPrimitives
import Testing

@testable import AccessTokens

/// A public key in the forms that libraries have taken for HMAC secrets (security guide R-03).
struct PublicKeyForms {
    let all: [[UInt8]]
    let pem: [UInt8]
    /// SubjectPublicKeyInfo.
    let der: [UInt8]
    let json: [UInt8]

    init(_ jwk: JSONWebKey) throws {
        let raw = try [jwk.n, jwk.x, jwk.y].compactMap { $0 }.map { try #require(Base64URL.decode($0)) }
        der = Self.subjectPublicKeyInfo(jwk, raw)
        let standard = Base64URL.encode(der).map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        let padded = standard + [Character](repeating: "=", count: (4 - standard.count % 4) % 4)
        let lines = stride(from: 0, to: padded.count, by: 64).map {
            String(padded[$0..<min($0 + 64, padded.count)])
        }
        let text = (["-----BEGIN PUBLIC KEY-----"] + lines + ["-----END PUBLIC KEY-----"]).joined(separator: "\n")
        pem = Array(text.utf8)
        let members = [("kty", jwk.kty), ("crv", jwk.crv), ("n", jwk.n), ("e", jwk.e), ("x", jwk.x), ("y", jwk.y)]
        let object =
            "{" + members.compactMap { name, value in value.map { "\"\(name)\":\"\($0)\"" } }.joined(separator: ",")
            + "}"
        json = Array(object.utf8)
        all = [[], pem, pem + [0x0A], der, json, Array(raw.joined())] + raw
    }

    private static func subjectPublicKeyInfo(_ jwk: JSONWebKey, _ raw: [[UInt8]]) -> [UInt8] {
        switch jwk.kty {
        case "RSA": PublicComponents.rsa(modulus: raw[0], exponent: [1, 0, 1]).subjectPublicKeyInfo
        case "EC": PublicComponents.p256(x: raw[0], y: raw[1]).subjectPublicKeyInfo
        default: PublicComponents.ed25519(raw[0]).subjectPublicKeyInfo
        }
    }
}
