import CryptoPrimitives

/// A public key as JSON (RFC 7517): RSA, P-256 or Ed25519.
///
/// It has no member for private or symmetric keys, so that none can be published by mistake (security guide R-23).
package struct JSONWebKey: Codable, Sendable, Equatable {
    package var kty: String
    package var kid: String?
    package var alg: String?
    package var use: String?
    package var n: String?
    package var e: String?
    package var crv: String?
    package var x: String?
    package var y: String?

    package init(
        kty: String, kid: String?, alg: String? = nil, use: String? = nil, n: String? = nil, e: String? = nil,
        crv: String? = nil, x: String? = nil, y: String? = nil
    ) {
        self.kty = kty
        self.kid = kid
        self.alg = alg
        self.use = use
        self.n = n
        self.e = e
        self.crv = crv
        self.x = x
        self.y = y
    }

    /// Creates the JWK of `components`, a key for signatures under `kid`.
    init(_ components: PublicComponents, kid: String) {
        self.init(kty: "", kid: kid, alg: components.algorithm.rawValue, use: "sig")
        switch components {
        case .rsa(let modulus, let exponent):
            (kty, n, e) = ("RSA", Base64URL.encode(modulus), Base64URL.encode(exponent))
        case .p256(let x, let y):
            (kty, crv, self.x, self.y) = ("EC", "P-256", Base64URL.encode(x), Base64URL.encode(y))
        case .ed25519(let point): (kty, crv, x) = ("OKP", "Ed25519", Base64URL.encode(point))
        }
    }

    /// Returns the key's numbers; each key type has one algorithm.
    ///
    /// - Throws: `.unsupportedKey` for another type, curve, `alg` or `use`; `.malformedKey` for a missing or invalid
    ///   number.
    func components() throws(KeyError) -> PublicComponents {
        guard use == nil || use == "sig" else { throw .unsupportedKey }
        let components: PublicComponents
        switch (kty, crv) {
        case ("RSA", _): components = .rsa(modulus: try number(n), exponent: try number(e))
        case ("EC", "P-256"): components = .p256(x: try number(x), y: try number(y))
        case ("OKP", "Ed25519"): components = .ed25519(try number(x))
        default: throw .unsupportedKey
        }
        guard alg == nil || alg == components.algorithm.rawValue else { throw .unsupportedKey }
        return components
    }

    private func number(_ text: String?) throws(KeyError) -> [UInt8] {
        guard let text, text.utf8.count <= 2 * PublicComponents.rsaBitsMax / 8, let bytes = Base64URL.decode(text),
            !bytes.isEmpty
        else { throw .malformedKey }
        return bytes
    }
}

/// The keys that an issuer publishes (RFC 7517 §5).
package struct JSONWebKeySet: Codable, Sendable, Equatable {
    package var keys: [JSONWebKey]

    package init(keys: [JSONWebKey]) { self.keys = keys }
}
