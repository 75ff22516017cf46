import AccessTokens
import CryptoPrimitives

/// The public keys of credentials (RFC 9052 §7): ES256 on P-256, EdDSA on Ed25519, and RS256.
package enum COSEKey {
    /// The algorithms, by their numbers in COSE and in the order of our preference (`pubKeyCredParams`).
    package static let algorithms: [Int64] = [es256, edDSA, rs256]

    private static let es256: Int64 = -7
    private static let edDSA: Int64 = -8
    private static let rs256: Int64 = -257

    /// Reads a key that has exactly the members of its type; `VerificationKey` refuses weak ones and points off their curve.
    static func verificationKey(_ bytes: [UInt8]) throws(WebAuthnRefusal) -> VerificationKey {
        guard let members = CBOR(bytes)?.mapValue, let webKey = webKey(members) else { throw .publicKey }
        do { return try VerificationKey(jwk: webKey) } catch { throw .publicKey }
    }

    /// Labels of members (RFC 9053 §7, RFC 8230 §4). RSA uses -1 and -2 for the modulus and the exponent.
    private enum Label {
        static let type = CBOR.integer(1)
        static let algorithm = CBOR.integer(3)
        static let curve = CBOR.integer(-1)
        static let x = CBOR.integer(-2)
        static let y = CBOR.integer(-3)
        static let modulus = CBOR.integer(-1)
        static let exponent = CBOR.integer(-2)
    }

    private static func webKey(_ members: [CBOR: CBOR]) -> JSONWebKey? {
        switch (members[Label.algorithm], members[Label.type], members.count) {
        case (.integer(es256), .integer(2), 5):
            guard members[Label.curve] == .integer(1), let x = members[Label.x]?.bytesValue,
                let y = members[Label.y]?.bytesValue
            else { return nil }
            return JSONWebKey(kty: "EC", kid: nil, crv: "P-256", x: Base64URL.encode(x), y: Base64URL.encode(y))
        case (.integer(edDSA), .integer(1), 4):
            guard members[Label.curve] == .integer(6), let x = members[Label.x]?.bytesValue else { return nil }
            return JSONWebKey(kty: "OKP", kid: nil, crv: "Ed25519", x: Base64URL.encode(x))
        case (.integer(rs256), .integer(3), 4):
            // A leading zero would be a second spelling of the same number.
            guard let n = members[Label.modulus]?.bytesValue, let e = members[Label.exponent]?.bytesValue,
                n.first != 0, e.first != 0
            else { return nil }
            return JSONWebKey(kty: "RSA", kid: nil, n: Base64URL.encode(n), e: Base64URL.encode(e))
        default: return nil
        }
    }
}
