import CryptoPrimitives
import StrictJSON

extension JSONWebKey {
    /// A longer text is no key.
    package static let textBytesMax = 16384
}

extension VerificationKey {
    /// The key that a JWK says in JSON, public or private, or `oct` for HS256 (RFC 7517 §4, RFC 7518 §6).
    ///
    /// A key has one algorithm: RS256 for `RSA`, ES256 for `P-256`, EdDSA for `Ed25519` and HS256 for `oct`; an `alg` must
    /// name that one. Of a private key only the public half is read. `kid` is not looked at: a lone key needs no name.
    ///
    /// - Throws: `KeyError` for a text that is no strict JSON object, another type, curve, `alg` or use, and a weak key.
    package init(jwkText: [UInt8]) throws(KeyError) {
        let limits = StrictJSON.Limits(bytesMax: JSONWebKey.textBytesMax, depthMax: TokenLimits.depthMax)
        let value: JSONValue
        do { value = try StrictJSON.parse(jwkText, limits: limits) } catch { throw .malformedKey }
        guard let object = value.objectValue else { throw .malformedKey }
        let members = JWKMembers(object: object)
        try members.checkOperations()
        if try members.string("kty") == "oct" {
            try self.init(loneSecret: try members.secret())
        } else {
            try self.init(jwk: try members.publicKey())
        }
    }
}

/// Takes typed members out of a JWK.
private struct JWKMembers {
    let object: JSONObject

    /// The member `name`, nil when it is missing; never another type.
    func string(_ name: String) throws(KeyError) -> String? {
        guard let value = object[name] else { return nil }
        guard let string = value.stringValue else { throw .malformedKey }
        return string
    }

    /// `use` is checked with the rest of the key; `key_ops`, when there, must allow what we do (RFC 7517 §4.3).
    func checkOperations() throws(KeyError) {
        guard let value = object["key_ops"] else { return }
        let operations = value.arrayValue?.compactMap(\.stringValue) ?? []
        guard let array = value.arrayValue, operations.count == array.count, Set(operations).count == array.count
        else { throw .malformedKey }
        let isPrivate = object["d"] != nil
        guard operations.contains("verify") || isPrivate && operations.contains("sign") else { throw .unsupportedKey }
    }

    func secret() throws(KeyError) -> [UInt8] {
        guard try ["sig", nil].contains(string("use")), try ["HS256", nil].contains(string("alg")) else {
            throw .unsupportedKey
        }
        guard let text = try string("k"), let secret = Base64URL.decode(text) else { throw .malformedKey }
        return secret
    }

    func publicKey() throws(KeyError) -> JSONWebKey {
        guard let type = try string("kty") else { throw .malformedKey }
        return JSONWebKey(
            kty: type, kid: nil, alg: try string("alg"), use: try string("use"), n: try string("n"),
            e: try string("e"), crv: try string("crv"), x: try string("x"), y: try string("y"))
    }
}
