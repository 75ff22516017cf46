import CryptoPrimitives
import StrictJSON

extension JSONWebKey {
    /// What names the key whatever its other members are (RFC 7638): SHA-256 over its required members, base64url.
    package var thumbprint: String {
        var writer = JSONWriter()
        for (name, value) in [("crv", crv), ("e", e), ("kty", kty), ("n", n), ("x", x), ("y", y)] {
            if let value { writer.member(name, value) }
        }
        return Base64URL.encode(SHA256.hash(writer.finished()))
    }
}
