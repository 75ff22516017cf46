import CryptoPrimitives
import StrictJSON

extension JSONWebKey {
    /// The maximum size of a JWK's text.
    package static let textBytesMax = 16384
}

extension VerificationKey {
    /// Reads a key from a JWK in JSON, public or private, or `oct` for HS256 (RFC 7517 §4, RFC 7518 §6).
    ///
    /// A key has one algorithm: RS256 for `RSA`, ES256 for `P-256`, EdDSA for `Ed25519` and HS256 for `oct`; an `alg` must
    /// match it. Only the public half of a private key is read. `kid` is ignored: a single key needs no name.
    ///
    /// - Throws: `KeyError` for a text that is not a strict JSON object, for another type, curve, `alg` or use, and for a
    ///   weak key.
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

/// Reads typed members of a JWK.
private struct JWKMembers {
    let object: JSONObject

    /// Returns the member `name`, or `nil` if it is missing; throws if it is no string.
    func string(_ name: String) throws(KeyError) -> String? {
        guard let value = object[name] else { return nil }
        guard let string = value.stringValue else { throw .malformedKey }
        return string
    }

    /// Checks that `key_ops`, if present, allows what we do (RFC 7517 §4.3); `use` is checked with the rest of the key.
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
