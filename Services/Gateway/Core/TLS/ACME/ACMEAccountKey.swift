import AccessTokens
import CryptoPrimitives
import StrictJSON

/// The key of an account, P-256.
struct ACMEAccountKey: Sendable {
    private struct Header: Encodable {
        let alg: String
        let jwk: JSONWebKey?
        let kid: String?
        let nonce: String
        let url: String
    }

    private let key: SigningKey
    private let jwk: JSONWebKey

    /// - Parameter pem: The text of a key file.
    init(pem: [UInt8]) throws(KeyError) {
        key = try SigningKey(
            keyID: "acme", algorithm: .ES256, privateKeyPEM: String(decoding: pem, as: UTF8.self))
        guard let whole = key.verificationKey.jwk else { throw .unsupportedKey }
        jwk = JSONWebKey(kty: whole.kty, kid: nil, crv: whole.crv, x: whole.x, y: whole.y)
    }

    /// Returns the body of a request: a flattened JWS (RFC 8555 section 6.2).
    ///
    /// - Parameters:
    ///   - payload: JSON, or nothing to read an object.
    ///   - account: The account's URL; `nil` before it is known, when the body contains the key itself.
    func signed(_ payload: [UInt8], url: String, nonce: String, account: String?) throws -> [UInt8] {
        let header = Header(
            alg: key.algorithm.rawValue, jwk: account == nil ? jwk : nil, kid: account, nonce: nonce, url: url)
        let (protected, content) = (Base64URL.encode(try StrictJSON.encode(header)), Base64URL.encode(payload))
        var body = JSONWriter()
        body.member("protected", protected)
        body.member("payload", content)
        body.member("signature", Base64URL.encode(try key.sign(Array("\(protected).\(content)".utf8))))
        return body.finished()
    }

    /// Returns what answers the challenge with this token (RFC 8555 section 8.1).
    func authorization(of token: String) -> String { "\(token).\(jwk.thumbprint)" }

    /// Whether a text has only digits of base64url.
    static func isBase64URL(_ text: String) -> Bool {
        text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }
}
