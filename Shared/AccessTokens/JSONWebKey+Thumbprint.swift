import CryptoPrimitives
import StrictJSON

extension JSONWebKey {
    /// The key's thumbprint (RFC 7638): SHA-256 over its required members, base64url. It does not depend on other members.
    package var thumbprint: String {
        var writer = JSONWriter()
        for (name, value) in [("crv", crv), ("e", e), ("kty", kty), ("n", n), ("x", x), ("y", y)] {
            if let value { writer.member(name, value) }
        }
        return Base64URL.encode(SHA256.hash(writer.finished()))
    }
}
