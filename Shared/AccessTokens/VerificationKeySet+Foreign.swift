import StrictJSON

extension VerificationKeySet {
    private static let foreignDepthMax = 8

    /// Reads another issuer's published keys (RFC 7517 §5) and keeps those that verify `algorithm`.
    ///
    /// Keys of other kinds, for other uses, without a usable `kid` or too weak are skipped, as RFC 7517 §5 recommends. A
    /// key without `alg` has its kind's algorithm. If several keys have one `kid`, the first counts.
    ///
    /// - Parameter bytesMax: The maximum size of the text.
    /// - Throws: `.malformedKey` if the text is no key set, `.unsupportedKey` if no key of it remains, `.tooManyKeys`.
    package init(foreign text: [UInt8], for algorithm: SignatureAlgorithm, bytesMax: Int) throws(KeyError) {
        let limits = StrictJSON.Limits(bytesMax: bytesMax, depthMax: Self.foreignDepthMax)
        let value: JSONValue
        do { value = try StrictJSON.parse(text, limits: limits) } catch { throw .malformedKey }
        guard let entries = value["keys"]?.arrayValue else { throw .malformedKey }
        var names: Set<String> = []
        let keys = entries.compactMap { VerificationKey(foreign: $0) }
            .filter { $0.algorithm == algorithm && names.insert($0.keyID).inserted }
        guard !keys.isEmpty else { throw .unsupportedKey }
        try self.init(keys)
    }
}

extension VerificationKey {
    private static let foreignMembers = ["kty", "kid", "alg", "use", "n", "e", "crv", "x", "y"]

    /// Reads the key of one entry, or returns `nil` if it cannot be used here.
    fileprivate init?(foreign entry: JSONValue) {
        func text(_ name: String) -> String? { entry[name]?.stringValue }
        let isTyped = Self.foreignMembers.allSatisfy { entry[$0] == nil || text($0) != nil }
        guard isTyped, let type = text("kty"), let keyID = text("kid"), KeyID.isValid(keyID) else { return nil }
        let jwk = JSONWebKey(
            kty: type, kid: keyID, alg: text("alg"), use: text("use"), n: text("n"), e: text("e"), crv: text("crv"),
            x: text("x"), y: text("y"))
        do throws(KeyError) { try self.init(jwk: jwk) } catch { return nil }
    }
}
